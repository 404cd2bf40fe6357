import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from '../../platform/db/errors.ts'
import { partsOfTopic, rootOf } from '../../platform/mqtt/gateway-root.ts'
import { Completion } from '../../platform/mqtt/receive-window.ts'
import { type ReceivedMessage, type Receiver, receive } from '../../platform/mqtt/receiver.ts'
import { makeSlots } from '../../platform/mqtt/slot-store.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { DIALECTS } from './dialects/index.ts'
import type { Intake } from './intake.ts'
import { MQTT_LINK_SLOTS_EVERY_MS, MQTT_LINK_SLOTS_MAX, MQTT_RETRY_MS } from './limits.ts'

type SourceDeps = Pick<Deps, 'config' | 'database' | 'log'>

/**
 * Filters of the topics of all gateways, shared among the processes, and of the messages that every process
 * must receive.
 */
const filtersOf = (): string[] => [
  ...DIALECTS.flatMap(({ filters }) => filters.map((filter) => `$share/netsaat/ems/v1/+/+/${filter}`)),
  ...DIALECTS.flatMap(({ sharedState = [] }) => sharedState.map((filter) => `ems/v1/+/+/${filter}`)),
]

export interface SharedSource {
  isConnected(): boolean
  /** Takes over the messages that the broker keeps for a process that has ended; also called at intervals. */
  takeOver(): Promise<void>
  close(): Promise<void>
}

/** Passes a message of the outside broker to intake; resolves when it may be acknowledged. */
function takeFromBroker({ log }: Pick<Deps, 'log'>, intake: Intake) {
  const isGone = (): boolean => false
  const tenantIdOf = async (tenantUid: string): Promise<number | undefined> => {
    for (;;) {
      try {
        return await intake.directory.tenantId(tenantUid)
      } catch (error) {
        if (!isTransient(error)) throw error
        await sleep(MQTT_RETRY_MS)
      }
    }
  }
  return async ({ topic, payload }: ReceivedMessage): Promise<void> => {
    const parts = partsOfTopic(topic)
    const tenantId = parts && (await tenantIdOf(parts.tenantUid))
    if (!parts || tenantId === undefined) {
      intake.countUnassigned()
      log.debug({ topic }, 'a message lies below no tenant that is known')
      return
    }
    const { gatewayId, rest } = parts
    const work = intake.take({
      tenantId,
      gatewayId,
      root: rootOf(parts),
      topic: rest,
      payload,
      isShared: true,
      isGone,
    })
    await (work instanceof Completion ? work.toPromise() : work)
  }
}

/**
 * Connects this process to an outside broker as one of the processes that share the messages of all gateways.
 * The client id is a slot that no other process has. When a process has ended for good, another one takes
 * over its slot with the messages that the broker keeps for it.
 */
export async function shareGateways(deps: SourceDeps, url: string, intake: Intake): Promise<SharedSource> {
  const { log, database, config } = deps
  const take = takeFromBroker(deps, intake)
  // The group name contains a hash of the installation, because several installations may use one broker.
  const installation = createHash('sha256').update(config.secretKey).digest('hex').slice(0, 8)
  const filters = filtersOf()
  const dialSlot = (slot: number): Receiver =>
    receive({ url, log, clientId: `netsaat-ingest-${installation}-${slot}`, filters, take })
  const slots = makeSlots(database, () => void restart())
  let main: Receiver | undefined
  let retiring: Receiver | undefined
  let isClosing = false

  /** The database no longer holds the slot of this process, so another one may have it: the link is restarted. */
  async function restart(): Promise<void> {
    const ended = [main, retiring]
    main = undefined
    for (const receiver of ended) await receiver?.close()
    await begin()
  }

  async function begin(): Promise<void> {
    while (!isClosing && !main) {
      const slot = await slots.takeOne(MQTT_LINK_SLOTS_MAX).catch((error: Error) => {
        log.warn({ reason: error.message }, 'the link to the message broker waits for the database')
        return undefined
      })
      if (slot === undefined) await sleep(MQTT_RETRY_MS)
      else main = dialSlot(slot)
    }
  }

  async function retireOne(): Promise<void> {
    if (retiring || !main?.isConnected()) return
    const slot = await slots.takeAbandoned()
    if (slot === undefined) return
    log.info({ slot }, 'taking over what the broker keeps for a process that is gone')
    retiring = dialSlot(slot)
    try {
      if (await retiring.retire()) await slots.retire(slot)
    } finally {
      await retiring?.close()
      await slots.giveBack(slot)
      retiring = undefined
    }
  }

  await begin()
  const timer = setInterval(() => {
    retireOne().catch((error: Error) => log.warn({ reason: error.message }, 'a slot could not be taken over'))
  }, MQTT_LINK_SLOTS_EVERY_MS).unref()
  return {
    isConnected: () => main?.isConnected() === true,
    takeOver: retireOne,
    async close() {
      isClosing = true
      clearInterval(timer)
      await Promise.all([main?.close(), retiring?.close()])
      slots.release()
    },
  }
}
