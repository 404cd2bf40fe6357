import { setTimeout as sleep } from 'node:timers/promises'
import { type HeldLock, tryHoldLock } from '../db/held-lock.ts'
import type { Database } from '../db/pool.ts'
import type { Broker, PublishOptions } from '../messaging/broker.ts'
import type { ProcessLink } from '../messaging/process-link.ts'
import type { EmbeddedBroker, RetainedMessage } from './broker-hooks.ts'
import type { BrokerLog } from './broker-log.ts'
import { MQTT_OWNERSHIP_POLL_MS } from './limits.ts'
import { asBuffer } from './service-link.ts'

/**
 * The embedded broker in an installation of several processes without an outside broker.
 *
 * Of the processes with the role ingest one serves the gateways: the one that holds a lock of the database. Sessions,
 * retained messages, presence and the order of a gateway's messages are therefore those of one broker. The others
 * stand by, with their port closed, so that a proxy connects gateways to the owner; when its connection to the
 * database ends, one of them takes over and the gateways connect again. Several brokers at once need MQTT_URL.
 *
 * A process that is not the owner publishes over the link. A message that is retained is stored first, and an owner
 * that begins reads what is stored after it has subscribed: nothing retained is lost in between.
 */
export interface SharedBroker {
  /** For the parts of this process; it does not matter which process serves the gateways. */
  readonly broker: Broker
  isOwner(): boolean
  /**
   * Competes for the gateways. Resolves after the first attempt; `begin` is called whenever this process becomes the
   * owner, and a failure of it gives the ownership back.
   */
  compete(database: Database, begin: () => Promise<void>): Promise<void>
  /** Ends the competition, and gives the ownership to another process. */
  close(): Promise<void>
}

export interface SharedBrokerOptions {
  readonly embedded: EmbeddedBroker
  readonly link: ProcessLink
  readonly log: BrokerLog
  readonly keepRetained: (message: RetainedMessage) => Promise<void>
}

/** Any number that only this lock uses. */
const LOCK = { lockClass: 723_648_207, id: 'embedded broker' }
const TOPIC = 'netsaat/to-gateways'

export function makeSharedBroker({ embedded, link, log, keepRetained }: SharedBrokerOptions): SharedBroker {
  let lock: HeldLock | undefined
  let isOwner = false
  const stopping = new AbortController()
  let competing: Promise<void> | undefined
  let unsubscribe: (() => Promise<void>) | undefined

  /** Acquires the lock if it is free. A lost lock is acquired again, and only a foreign owner ends the sessions. */
  async function attempt(database: Database, begin: () => Promise<void>): Promise<void> {
    if (lock) return
    lock = await tryHoldLock(database, LOCK, () => {
      lock = undefined
      log.warn('the lock of the embedded broker was lost with a connection to the database')
    })
    if (lock && !isOwner) {
      isOwner = true
      await begin().catch(async (error: unknown) => {
        await yieldGateways()
        throw error
      })
      log.info('this process serves the gateways on MQTT')
    } else if (!lock && isOwner) {
      log.warn('another process serves the gateways on MQTT')
      await yieldGateways()
    }
  }

  async function yieldGateways(): Promise<void> {
    isOwner = false
    await embedded.suspend()
    lock?.release()
    lock = undefined
  }

  async function compete(database: Database, begin: () => Promise<void>): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      await sleep(MQTT_OWNERSHIP_POLL_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      await attempt(database, begin).catch((error: Error) =>
        log.warn({ reason: error.message }, 'the gateways on MQTT could not be taken over'),
      )
    }
  }

  async function publishToOwner(topic: string, payload: Buffer, options: PublishOptions): Promise<void> {
    if (options.retain === true) await keepRetained({ topic, payload })
    const header = JSON.stringify({
      topic,
      qos: options.qos ?? 1,
      retain: (options.retain ?? false) !== false,
    })
    await link.publish(TOPIC, Buffer.concat([Buffer.from(`${header}\n`), payload]), { qos: 0 })
  }

  return {
    broker: {
      publish: (topic, payload, options = {}) =>
        isOwner
          ? embedded.publish(topic, payload, options)
          : publishToOwner(topic, asBuffer(payload), options),
      subscribe: (filter, handler) => embedded.subscribe(filter, handler),
    },
    isOwner: () => isOwner,
    async compete(database, begin) {
      unsubscribe = await link.subscribe(TOPIC, ({ payload }) => {
        const message = isOwner ? decodeMessage(payload) : undefined
        if (message) void embedded.publish(message.topic, message.payload, message.options)
      })
      await attempt(database, begin)
      competing = compete(database, begin)
    },
    async close() {
      stopping.abort()
      await unsubscribe?.()
      await competing
      lock?.release()
      lock = undefined
    },
  }
}

interface DecodedMessage {
  readonly topic: string
  readonly payload: Buffer
  readonly options: PublishOptions
}

/** Undefined for a malformed message. It is stored already if it is retained. */
function decodeMessage(frame: Buffer): DecodedMessage | undefined {
  const end = frame.indexOf('\n')
  try {
    const header = JSON.parse(frame.toString('utf8', 0, Math.max(0, end))) as Record<string, unknown>
    const { topic, qos, retain } = header
    if (typeof topic !== 'string') return undefined
    const options: PublishOptions = { qos: qos === 0 ? 0 : 1, retain: retain === true ? 'in_memory' : false }
    return { topic, payload: frame.subarray(end + 1), options }
  } catch {
    return undefined
  }
}
