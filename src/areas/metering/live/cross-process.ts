import type { BrokerMessage } from '../../../platform/messaging/broker.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Sample, SampleValues } from '../intake-contract/index.ts'
import { followInterest } from './interest.ts'
import {
  LIVE_INTEREST_UNKNOWN_MS,
  LIVE_PUBLISH_BATCH_MAX,
  LIVE_PUBLISH_BYTES_MAX,
  LIVE_PUBLISH_LINGER_MS,
  LIVE_PUBLISH_QUEUE_MAX,
  LIVE_PUBLISHES_CONCURRENT_MAX,
  LIVE_TENANTS_CACHED_MAX,
  LIVE_UNWANTED_REMEMBERED_MS,
  LIVE_UNWANTED_SAMPLES_MAX,
} from './limits.ts'
import { findTenantUid } from './store.ts'

const TOPIC = 'netsaat/live/'
/** Topic filter for samples of all processes; the last level is the tenant's uid. */
export const LIVE_TOPICS = `${TOPIC}+`

interface CrossProcessCounts {
  /** Samples published to the other processes. */
  sent: number
  /** Samples that the link did not accept in time; clients of other processes get them with `since`. */
  dropped: number
}

export interface CrossProcessPublisher {
  readonly counts: Readonly<CrossProcessCounts>
  publish(tenantId: number, samples: readonly Sample[]): void
  stop(): Promise<void>
}

/**
 * Begins every message of a process, so that the process recognises its own messages without parsing them.
 */
const messagePrefix = (processId: string): string => `{"p":"${processId}","s":`

/**
 * Publishes the samples that this process stored to the other processes, in small batches. Over a link that is a
 * broadcast only those of tenants that another process wants are published; those of the last
 * LIVE_UNWANTED_REMEMBERED_MS are published when it announces that it wants them, and all since the start of this
 * process or the last gap of its link when it announces them for the first time.
 *
 * Delivery is at most once (QoS 0): samples that the link does not accept in time are counted and
 * dropped. They are stored already, a client reads them with `since`, and a late live value is of no use.
 */
export function makeCrossProcessPublisher(
  deps: Pick<Deps, 'link' | 'database' | 'log' | 'clock'>,
  processId: string,
): CrossProcessPublisher {
  const { link, database, log } = deps
  const prefix = messagePrefix(processId)
  const uids = new Map<number, string | undefined>()
  const waiting = new Map<number, Sample[]>()
  const counts: CrossProcessCounts = { sent: 0, dropped: 0 }
  let waitingCount = 0
  let publishes = 0
  let timer: NodeJS.Timeout | undefined

  async function uidOf(tenantId: number): Promise<string | undefined> {
    if (uids.size > LIVE_TENANTS_CACHED_MAX) uids.clear()
    const uid = uids.get(tenantId) ?? (await findTenantUid(database, tenantId))
    uids.set(tenantId, uid)
    return uid
  }

  async function publishBatch(topic: string, samples: readonly Sample[]): Promise<void> {
    const rows = samples.map(({ deviceId, at, values }) => [deviceId, at, values])
    await link?.publish(topic, `${prefix}${JSON.stringify(rows)}}`, { qos: 0 })
    counts.sent += samples.length
  }

  async function sendAll(tenantId: number, samples: readonly Sample[]): Promise<void> {
    if (publishes >= LIVE_PUBLISHES_CONCURRENT_MAX) {
      counts.dropped += samples.length
      return
    }
    publishes += 1
    try {
      const uid = await uidOf(tenantId)
      for (let from = 0; uid && from < samples.length; from += LIVE_PUBLISH_BATCH_MAX) {
        await publishBatch(`${TOPIC}${uid}`, samples.slice(from, from + LIVE_PUBLISH_BATCH_MAX))
      }
    } catch (error) {
      counts.dropped += samples.length
      log.debug({ reason: (error as Error).message }, 'live values were not published to other processes')
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

  function enqueue(tenantId: number, samples: readonly Sample[]): void {
    if (waitingCount + samples.length > LIVE_PUBLISH_QUEUE_MAX) {
      counts.dropped += samples.length
      return
    }
    waitingCount += samples.length
    const queued = waiting.get(tenantId)
    if (queued) for (const sample of samples) queued.push(sample)
    else waiting.set(tenantId, [...samples])
    timer ??= setTimeout(flush, LIVE_PUBLISH_LINGER_MS)
  }

  const unwanted = makeUnwantedSamples(() =>
    interest?.isKnown() === false ? LIVE_INTEREST_UNKNOWN_MS : LIVE_UNWANTED_REMEMBERED_MS,
  )
  const interest = link?.isBroadcast
    ? followInterest(deps, (tenantIds) => {
        for (const { tenantId, samples } of unwanted.take(new Set(tenantIds))) enqueue(tenantId, samples)
      })
    : undefined

  return {
    counts,
    publish(tenantId, samples) {
      if (interest === undefined || interest.isWanted(tenantId)) enqueue(tenantId, samples)
      else unwanted.add(tenantId, samples)
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await interest?.stop()
    },
  }
}

interface UnwantedSamples {
  readonly tenantId: number
  readonly samples: readonly Sample[]
  readonly at: number
}

/** Remembers the samples of the last `rememberedMs` milliseconds that no process wanted. */
function makeUnwantedSamples(rememberedMs: () => number) {
  let remembered: UnwantedSamples[] = []
  let count = 0
  return {
    add(tenantId: number, samples: readonly Sample[]): void {
      const now = performance.now()
      remembered.push({ tenantId, samples, at: now })
      count += samples.length
      const oldest = now - rememberedMs()
      let first = 0
      for (const old of remembered) {
        if (old.at >= oldest && count <= LIVE_UNWANTED_SAMPLES_MAX) break
        count -= old.samples.length
        first += 1
      }
      if (first > 0) remembered = remembered.slice(first)
    },
    /** Returns the samples of these tenants and forgets them. */
    take(tenantIds: ReadonlySet<number>): readonly UnwantedSamples[] {
      const oldest = performance.now() - rememberedMs()
      const taken = remembered.filter(({ tenantId, at }) => tenantIds.has(tenantId) && at >= oldest)
      remembered = remembered.filter(({ tenantId }) => !tenantIds.has(tenantId))
      count = remembered.reduce((sum, { samples }) => sum + samples.length, 0)
      return taken
    },
  }
}

export interface CrossProcessReceiverOptions {
  readonly processId: string
  /** The tenant with that uid; undefined when no socket of this process wants its samples. */
  readonly watchedTenant: (uid: string) => number | undefined
  readonly deliver: (tenantId: number, samples: readonly Sample[]) => void
}

/**
 * Handles messages of other processes. Own messages and those of tenants without subscribers are not
 * parsed.
 */
export function makeCrossProcessReceiver({ processId, watchedTenant, deliver }: CrossProcessReceiverOptions) {
  const ownPrefix = Buffer.from(messagePrefix(processId))
  return ({ topic, payload }: BrokerMessage): void => {
    const tenantId = watchedTenant(topic.slice(TOPIC.length))
    if (tenantId === undefined || payload.length > LIVE_PUBLISH_BYTES_MAX) return
    if (payload.subarray(0, ownPrefix.length).equals(ownPrefix)) return
    const samples = decodeBatch(payload)
    if (samples.length > 0) deliver(tenantId, samples)
  }
}

/** The samples of a message; malformed rows are left out. */
function decodeBatch(payload: Buffer): Sample[] {
  let rows: unknown
  try {
    rows = (JSON.parse(String(payload)) as { s?: unknown } | null)?.s
  } catch {
    return []
  }
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row: unknown) => decodeRow(row) ?? [])
}

function decodeRow(row: unknown): Sample | undefined {
  if (!Array.isArray(row)) return undefined
  const [deviceId, at, values] = row as unknown[]
  if (typeof deviceId !== 'string' || !Number.isSafeInteger(at) || Math.abs(at as number) > 8.64e15)
    return undefined
  if (typeof values !== 'object' || values === null) return undefined
  if (!Object.values(values).every((value) => typeof value === 'number')) return undefined
  return { deviceId, at: at as number, values: values as SampleValues }
}
