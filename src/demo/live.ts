import { setTimeout as sleep } from 'node:timers/promises'
import type { Ingest } from '../areas/metering/intake-contract/index.ts'
import { AppError } from '../kernel/errors.ts'
import { DAY_MS, iso } from '../kernel/time.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Meter, Reading } from './series.ts'

const EVERY_MS = 5_000
/** The most samples in one request. */
const BATCH_SAMPLES = 5_000
/** The most requests in flight at once. */
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
 * The simulated meters: each sends what it shows every few seconds until the signal. The next round begins when the
 * one before is stored, so a slow database gets fewer samples and not a longer queue.
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
        deps.log.warn({ reason: (error as Error).message }, 'the demo meters were not heard')
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

export interface Stretch {
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/** The readings of all meters in time order, so that a cut leaves every meter at about the same day. */
function* readingsByDay({ meters }: Senders, { from, to, stepMs }: Stretch) {
  for (let day = from; day < to; day += DAY_MS) {
    for (const meter of meters) {
      const range = { from: day, to: Math.min(day + DAY_MS, to) }
      for (const reading of meter.readings(range, stepMs)) yield { meter, reading }
    }
  }
}

/** Sends again when a busy service refuses the batch; ingest is idempotent. */
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

/**
 * Sends the past of the meters the way that live samples take: the same document, decoding, buffer and store.
 * Repeating it is safe.
 */
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
    // A second failure while the first one is on its way up must not end the process.
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
