import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_INTEREST_INTERVAL_MS,
  LIVE_INTEREST_TENANTS_MAX,
  LIVE_INTEREST_TTL_MS,
  LIVE_PEERS_MAX,
} from './limits.ts'

const TOPIC = 'netsaat/live-interest/'

/**
 * Announces to the other processes the tenants whose samples have subscribers in this one: at once when a tenant gets
 * its first, and at intervals, so that new processes know it. Returns the function that ends it.
 */
export function announceInterest(
  { link, log }: Pick<Deps, 'link' | 'log'>,
  hub: Hub,
  processId: string,
): () => void {
  const publish = (): void => {
    const tenantIds = hub.watchedTenants().slice(0, LIVE_INTEREST_TENANTS_MAX)
    link?.publish(TOPIC + processId, JSON.stringify(tenantIds), { qos: 0 }).catch((error: Error) => {
      log.debug({ reason: error.message }, 'interest in live values was not announced')
    })
  }
  hub.onFirstWatch = publish
  const timer = setInterval(() => {
    if (hub.subscribers.size > 0) publish()
  }, LIVE_INTEREST_INTERVAL_MS).unref()
  return () => {
    clearInterval(timer)
    hub.onFirstWatch = () => {}
  }
}

/** The interest of the other processes in live values. */
export interface Interest {
  isWanted(tenantId: number): boolean
  stop(): Promise<void>
}

/** Follows the announcements of the other processes; `onWanted` is called for tenants that become wanted. */
export function followInterest(
  { link, log, clock }: Pick<Deps, 'link' | 'log' | 'clock'>,
  onWanted: (tenantIds: readonly number[]) => void,
): Interest {
  const processes = new Map<string, { readonly tenants: ReadonlySet<number>; readonly at: number }>()

  function isWanted(tenantId: number): boolean {
    const oldest = clock.now() - LIVE_INTEREST_TTL_MS
    for (const [id, { tenants, at }] of processes) {
      if (at < oldest) processes.delete(id)
      else if (tenants.has(tenantId)) return true
    }
    return false
  }

  const subscription = link?.subscribe(`${TOPIC}+`, ({ topic, payload }) => {
    const tenantIds = decodeInterest(payload)
    const processId = topic.slice(TOPIC.length)
    if (!tenantIds || (!processes.has(processId) && processes.size >= LIVE_PEERS_MAX)) return
    const fresh = tenantIds.filter((id) => !isWanted(id))
    processes.set(processId, { tenants: new Set(tenantIds), at: clock.now() })
    if (fresh.length > 0) onWanted(fresh)
  })
  subscription?.catch((error: Error) =>
    log.error({ err: error }, 'the interest of other processes in live values is not followed'),
  )
  return {
    isWanted,
    async stop() {
      await (await subscription?.catch(() => undefined))?.()
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
