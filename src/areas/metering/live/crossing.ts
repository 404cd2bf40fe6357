import type { Deps } from '../../../platform/deps.ts'
import type { Sample, SampleValues } from '../../../platform/ingest.ts'
import type { BrokerMessage } from '../../../platform/messaging/broker.ts'
import {
  LIVE_CROSSING_BATCH_MAX,
  LIVE_CROSSING_BYTES_MAX,
  LIVE_CROSSING_LINGER_MS,
  LIVE_CROSSING_PUBLISHES_MAX,
  LIVE_CROSSING_WAITING_MAX,
  LIVE_TENANTS_CACHED_MAX,
} from './limits.ts'
import { findTenantUid } from './store.ts'

const TOPIC = 'netsaat/live/'
/** Of this process to all; a tenant's uid stands for the wildcard. */
export const LIVE_TOPICS = `${TOPIC}+`

interface CrossingCounts {
  /** Samples that this process told the others. */
  told: number
  /** Samples that the broker did not take in time; the others show them when a client asks with `since`. */
  lost: number
}

export interface CrossingOut {
  readonly counts: Readonly<CrossingCounts>
  tell(tenantId: number, samples: readonly Sample[]): void
  stop(): void
}

/** Begins every message of a process, so that it knows its own without reading them. */
const headOf = (processId: string): string => `{"p":"${processId}","s":`

/**
 * Tells the other processes of samples that were stored here, in small batches. What cannot be told in time is counted and
 * let go: it is stored, and a live value that comes late is none.
 */
export function makeCrossingOut(
  { broker, database, log }: Pick<Deps, 'broker' | 'database' | 'log'>,
  processId: string,
): CrossingOut {
  const head = headOf(processId)
  const uids = new Map<number, string | undefined>()
  const waiting = new Map<number, Sample[]>()
  const counts: CrossingCounts = { told: 0, lost: 0 }
  let waitingCount = 0
  let publishes = 0
  let timer: NodeJS.Timeout | undefined

  async function uidOf(tenantId: number): Promise<string | undefined> {
    if (uids.size > LIVE_TENANTS_CACHED_MAX) uids.clear()
    const uid = uids.get(tenantId) ?? (await findTenantUid(database, tenantId))
    uids.set(tenantId, uid)
    return uid
  }

  async function publish(topic: string, samples: readonly Sample[]): Promise<void> {
    const rows = samples.map(({ deviceId, at, values }) => [deviceId, at, values])
    await broker.publish(topic, `${head}${JSON.stringify(rows)}}`, { qos: 0 })
    counts.told += samples.length
  }

  async function sendAll(tenantId: number, samples: readonly Sample[]): Promise<void> {
    if (publishes >= LIVE_CROSSING_PUBLISHES_MAX) {
      counts.lost += samples.length
      return
    }
    publishes += 1
    try {
      const uid = await uidOf(tenantId)
      for (let from = 0; uid && from < samples.length; from += LIVE_CROSSING_BATCH_MAX) {
        await publish(`${TOPIC}${uid}`, samples.slice(from, from + LIVE_CROSSING_BATCH_MAX))
      }
    } catch (error) {
      counts.lost += samples.length
      log.debug({ reason: (error as Error).message }, 'live values did not cross to other processes')
    } finally {
      publishes -= 1
    }
  }

  function flush(): void {
    timer = undefined
    waitingCount = 0
    const batches = [...waiting]
    waiting.clear()
    for (const [tenantId, samples] of batches) void sendAll(tenantId, samples)
  }

  return {
    counts,
    tell(tenantId, samples) {
      if (waitingCount + samples.length > LIVE_CROSSING_WAITING_MAX) {
        counts.lost += samples.length
        return
      }
      waitingCount += samples.length
      const own = waiting.get(tenantId)
      if (own) for (const sample of samples) own.push(sample)
      else waiting.set(tenantId, [...samples])
      timer ??= setTimeout(flush, LIVE_CROSSING_LINGER_MS)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

export interface CrossingIn {
  readonly processId: string
  /** The tenant of that uid, when somebody here wants its samples. */
  readonly watchedTenant: (uid: string) => number | undefined
  readonly deliver: (tenantId: number, samples: readonly Sample[]) => void
}

/** Reads what other processes tell. Own messages and those of tenants that nobody watches are not even read. */
export function makeCrossingReader({ processId, watchedTenant, deliver }: CrossingIn) {
  const ownHead = Buffer.from(headOf(processId))
  return ({ topic, payload }: BrokerMessage): void => {
    const tenantId = watchedTenant(topic.slice(TOPIC.length))
    if (tenantId === undefined || payload.length > LIVE_CROSSING_BYTES_MAX) return
    if (payload.subarray(0, ownHead.length).equals(ownHead)) return
    const samples = readBatch(payload)
    if (samples.length > 0) deliver(tenantId, samples)
  }
}

/** The samples of a message; what is not one of ours is left out. */
function readBatch(payload: Buffer): Sample[] {
  let rows: unknown
  try {
    rows = (JSON.parse(String(payload)) as { s?: unknown } | null)?.s
  } catch {
    return []
  }
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row: unknown) => readRow(row) ?? [])
}

function readRow(row: unknown): Sample | undefined {
  if (!Array.isArray(row)) return undefined
  const [deviceId, at, values] = row as unknown[]
  if (typeof deviceId !== 'string' || !Number.isSafeInteger(at) || Math.abs(at as number) > 8.64e15)
    return undefined
  if (typeof values !== 'object' || values === null) return undefined
  if (!Object.values(values).every((value) => typeof value === 'number')) return undefined
  return { deviceId, at: at as number, values: values as SampleValues }
}
