import type { BrokerMessage } from '../../../platform/messaging/broker.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { emptyStats, type Hub, type LiveStats } from './hub.ts'
import {
  LIVE_PEER_STATS_INTERVAL_MS,
  LIVE_PEER_STATS_TENANTS_MAX,
  LIVE_PEER_STATS_TTL_MS,
  LIVE_PEERS_MAX,
} from './limits.ts'

const TOPIC = 'netsaat/live-numbers/'
export const STATS_TOPICS = `${TOPIC}+`

/** Statistics that a process with sockets publishes. */
export interface ProcessStats {
  readonly processId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** When this process received them, epoch milliseconds. */
  readonly reportedAt: number
  readonly all: LiveStats
  readonly tenants: ReadonlyMap<string, LiveStats>
}

/** The latest statistics of the other processes. */
export interface PeerStats {
  receive(message: BrokerMessage): void
  list(now: number): readonly ProcessStats[]
}

/** `onNew` is called for an unknown process: it does not know the statistics of this one yet. */
export function makePeerStats(ownId: string, now: () => number, onNew: () => void): PeerStats {
  const known = new Map<string, ProcessStats>()
  return {
    receive({ payload }) {
      const decoded = decodeStats(payload, now())
      if (!decoded || decoded.processId === ownId) return
      const isNew = !known.has(decoded.processId)
      if (isNew && known.size >= LIVE_PEERS_MAX) return
      known.set(decoded.processId, decoded)
      if (isNew) onNew()
    },
    list(at) {
      for (const [id, { reportedAt }] of known) if (at - reportedAt > LIVE_PEER_STATS_TTL_MS) known.delete(id)
      return [...known.values()]
    },
  }
}

export interface StatsPublisher {
  publish(): void
  stop(): void
}

/** Publishes the statistics of this process every LIVE_PEER_STATS_INTERVAL_MS and on demand. */
export function startStatsPublisher(
  { link, log }: Pick<Deps, 'link' | 'log'>,
  localStats: () => ProcessStats,
): StatsPublisher {
  let isPublishing = false
  const publish = async () => {
    if (isPublishing) return
    isPublishing = true
    try {
      const stats = localStats()
      await link?.publish(TOPIC + stats.processId, encodeStats(stats), { qos: 0 })
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'statistics of live values were not published')
    } finally {
      isPublishing = false
    }
  }
  const timer = setInterval(() => void publish(), LIVE_PEER_STATS_INTERVAL_MS).unref()
  return { publish: () => void publish(), stop: () => clearInterval(timer) }
}

export const collectStats = (
  hub: Hub,
  process: { processId: string; startedAt: number; reportedAt: number },
): ProcessStats => ({ ...process, all: hub.stats(), tenants: hub.statsByTenant() })

function encodeStats({ processId, startedAt, all, tenants }: ProcessStats): string {
  const busiest = [...tenants].sort(([, a], [, b]) => b.sockets - a.sockets)
  const some = busiest.slice(0, LIVE_PEER_STATS_TENANTS_MAX)
  return JSON.stringify({ process_id: processId, started_at: startedAt, all, tenants: some })
}

/**
 * Undefined for a malformed message. The sender's clock is not trusted: `reportedAt` is the time of
 * receipt.
 */
function decodeStats(payload: Buffer, reportedAt: number): ProcessStats | undefined {
  let decoded: Record<string, unknown>
  try {
    decoded = JSON.parse(String(payload)) as Record<string, unknown>
  } catch {
    return undefined
  }
  const { process_id: processId, started_at: startedAt, all, tenants } = decoded ?? {}
  if (typeof processId !== 'string' || typeof startedAt !== 'number' || !Array.isArray(tenants))
    return undefined
  const byTenant = new Map<string, LiveStats>()
  for (const entry of tenants.slice(0, LIVE_PEER_STATS_TENANTS_MAX) as unknown[]) {
    if (Array.isArray(entry) && typeof entry[0] === 'string') byTenant.set(entry[0], toStats(entry[1]))
  }
  return { processId, startedAt, reportedAt: reportedAt, all: toStats(all), tenants: byTenant }
}

function toStats(decoded: unknown): LiveStats {
  const stats = emptyStats()
  if (typeof decoded !== 'object' || decoded === null) return stats
  for (const name of Object.keys(stats) as (keyof LiveStats)[]) {
    const value = (decoded as Record<string, unknown>)[name]
    if (Number.isSafeInteger(value)) stats[name] = value as number
  }
  return stats
}
