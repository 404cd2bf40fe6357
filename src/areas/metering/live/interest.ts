import type { BrokerMessage } from '../../../platform/messaging/broker.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_INTEREST_INTERVAL_MS,
  LIVE_INTEREST_TENANTS_MAX,
  LIVE_INTEREST_TTL_MS,
  LIVE_INTEREST_UNKNOWN_MS,
  LIVE_PEERS_MAX,
} from './limits.ts'

const TOPIC = 'netsaat/live-interest/'
/** Asks every process for its announcement. */
const QUESTION_TOPIC = 'netsaat/live-interest-question'

type InterestDeps = Pick<Deps, 'link' | 'log'>

function send({ link, log }: InterestDeps, topic: string, text: string): void {
  link?.publish(topic, text, { qos: 0 }).catch((error: Error) => {
    log.debug({ reason: error.message, topic }, 'interest in live values was not announced or asked for')
  })
}

/** Returns the function that ends the subscription. */
function receive({ link, log }: InterestDeps, filter: string, handler: (message: BrokerMessage) => void) {
  const subscription = link?.subscribe(filter, handler)
  subscription?.catch((error: Error) =>
    log.error({ err: error }, 'the interest of other processes in live values is not followed'),
  )
  const end = async (): Promise<void> => (await subscription?.catch(() => undefined))?.()
  return { subscription, end }
}

/**
 * Announces to the other processes the tenants whose samples have subscribers in this one: at once when a tenant gets
 * its first, when a process asks, when the link is connected again, and at intervals. Returns the function that ends
 * it.
 */
export function announceInterest(deps: InterestDeps, hub: Hub, processId: string): () => Promise<void> {
  const publish = (): void => {
    if (hub.subscribers.size === 0) return
    const tenantIds = hub.watchedTenants().slice(0, LIVE_INTEREST_TENANTS_MAX)
    send(deps, TOPIC + processId, JSON.stringify(tenantIds))
  }
  hub.onFirstWatch = publish
  const timer = setInterval(publish, LIVE_INTEREST_INTERVAL_MS).unref()
  const stopAnswering = receive(deps, QUESTION_TOPIC, publish).end
  const stopRepeating = deps.link?.onReconnected(publish)
  return async () => {
    clearInterval(timer)
    hub.onFirstWatch = () => {}
    stopRepeating?.()
    await stopAnswering()
  }
}

/** The interest of the other processes in live values. */
export interface Interest {
  isWanted(tenantId: number): boolean
  /** False while a process may not have announced yet what it wants. */
  isKnown(): boolean
  stop(): Promise<void>
}

/**
 * Follows the announcements of the other processes, and asks for them at the start and when the link is connected
 * again. `onWanted` is called for tenants that become wanted.
 */
export function followInterest(
  deps: InterestDeps & Pick<Deps, 'clock'>,
  onWanted: (tenantIds: readonly number[]) => void,
): Interest {
  const { clock, link } = deps
  const processes = new Map<string, { readonly tenants: ReadonlySet<number>; readonly at: number }>()
  /** Monotonic milliseconds. */
  let askedAt: number | undefined

  function ask(): void {
    askedAt = performance.now()
    send(deps, QUESTION_TOPIC, '')
  }

  function isWanted(tenantId: number): boolean {
    const oldest = clock.now() - LIVE_INTEREST_TTL_MS
    for (const [id, { tenants, at }] of processes) {
      if (at < oldest) processes.delete(id)
      else if (tenants.has(tenantId)) return true
    }
    return false
  }

  const { subscription, end } = receive(deps, `${TOPIC}+`, ({ topic, payload }) => {
    const tenantIds = decodeInterest(payload)
    const processId = topic.slice(TOPIC.length)
    if (!tenantIds || (!processes.has(processId) && processes.size >= LIVE_PEERS_MAX)) return
    const fresh = tenantIds.filter((id) => !isWanted(id))
    processes.set(processId, { tenants: new Set(tenantIds), at: clock.now() })
    if (fresh.length > 0) onWanted(fresh)
  })
  subscription?.then(ask, () => {})
  const stopAsking = link?.onReconnected(ask)
  return {
    isWanted,
    isKnown: () => askedAt !== undefined && performance.now() - askedAt > LIVE_INTEREST_UNKNOWN_MS,
    async stop() {
      stopAsking?.()
      await end()
    },
  }
}

function decodeInterest(payload: Buffer): number[] | undefined {
  try {
    const decoded: unknown = JSON.parse(String(payload))
    if (!Array.isArray(decoded) || decoded.length > LIVE_INTEREST_TENANTS_MAX) return undefined
    return decoded.filter((id): id is number => Number.isSafeInteger(id))
  } catch {
    return undefined
  }
}
