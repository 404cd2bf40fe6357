import { setTimeout as sleep } from 'node:timers/promises'
import type { Ingest } from '../areas/metering/intake-contract/index.ts'
import { AppError } from '../kernel/errors.ts'
import { DAY_MS, iso } from '../kernel/time.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Meter, Reading } from './series.ts'

const EVERY_MS = 5_000
/** Samples in one request. */
const BATCH_SAMPLES = 5_000
/** Requests in flight at once. */
const REQUESTS_AT_ONCE = 3
const TRIES_MAX = 5

export interface Senders {
  readonly deps: Pick<Deps, 'clock' | 'log'> & { readonly ingest: Ingest }
  readonly tenantId: number
  readonly meters: readonly Meter[]
  /** Device ids by the names of the meters. */
  readonly deviceIds: ReadonlyMap<string, string>
}

const sampleOf = ({ deviceIds }: Senders, meter: Meter, { at, values }: Reading) => ({
  device_id: deviceIds.get(meter.name),
  timestamp: iso(at),
  values,
})

/**
 * Runs the simulated meters: each sends its reading every few seconds until the signal is aborted. A round
 * begins when the previous one is stored, so that a slow database receives fewer samples and no queue
 * grows.
 */
export async function runMeters(senders: Senders, signal: AbortSignal): Promise<void> {
  const { deps, tenantId, meters } = senders
  while (!signal.aborted) {
    const at = deps.clock.now()
    const samples = meters.map((meter) => sampleOf(senders, meter, meter.readingAt(at)))
    try {
      await deps.ingest.accept(tenantId, { samples })
    } catch (error) {
      if (!signal.aborted)
        deps.log.warn(
          { reason: (error as Error).message },
          'the samples of the demo meters could not be stored',
        )
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

export interface Stretch {
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/**
 * Yields the readings of all meters in time order, so that after an interruption all meters end at about
 * the same day.
 */
function* readingsByDay({ meters }: Senders, { from, to, stepMs }: Stretch) {
  for (let day = from; day < to; day += DAY_MS) {
    for (const meter of meters) {
      const range = { from: day, to: Math.min(day + DAY_MS, to) }
      for (const reading of meter.readings(range, stepMs)) yield { meter, reading }
    }
  }
}

/** Repeats a batch that a busy service refuses; ingestion is idempotent. */
async function acceptPatiently({ deps, tenantId }: Senders, document: object): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await deps.ingest.accept(tenantId, document)
      return
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'SERVICE_OVERLOADED'
      if (!isBusy || tries === TRIES_MAX) throw error
      await sleep(EVERY_MS)
    }
  }
}

/** Sends the history of the meters through the same decoding, queue and store as live samples. Idempotent. */
export async function sendHistory(
  senders: Senders,
  stretch: Stretch,
  { signal, onSent }: { signal: AbortSignal; onSent: (count: number) => void },
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let samples: object[] = []
  const flush = (): void => {
    const count = samples.length
    const request = acceptPatiently(senders, { samples }).then(() => {
      underWay.delete(request)
      onSent(count)
    })
    // Handles a second failure while the first one is propagated; otherwise it would end the process.
    request.catch(() => {})
    underWay.add(request)
    samples = []
  }
  for (const { meter, reading } of readingsByDay(senders, stretch)) {
    signal.throwIfAborted()
    samples.push(sampleOf(senders, meter, reading))
    if (samples.length < BATCH_SAMPLES) continue
    flush()
    if (underWay.size >= REQUESTS_AT_ONCE) await Promise.race(underWay)
  }
  if (samples.length > 0) flush()
  await Promise.all(underWay)
}
