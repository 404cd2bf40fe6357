import { Counter, Gauge } from 'prom-client'
import { LAST_SEEN_EVERY_MS } from '../../../kernel/limits.ts'
import { floorHour } from '../../../kernel/time.ts'
import { makeGather } from '../../../platform/async/coalesce.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Collection, Ingest, Sample, SampleOutcome } from '../../../platform/ingest.ts'
import { ACCEPTED, type Part, partsOf, SampleBlock } from './block.ts'
import { SampleBuffer } from './buffer.ts'
import { decodeSamples, doubtInTime, type InputFailure, refuseInput } from './decode.ts'
import { type Seen, touchDevices } from './device-store.ts'
import { makeDeviceDirectory } from './devices.ts'
import type { SamplesStored } from './events.ts'
import { INGEST_BATCH_ROWS_MAX, INGEST_CONNECTIONS, SAMPLE_FAILURES_MAX } from './limits.ts'
import { makeBatchWriter } from './writer.ts'

export type { Arrival } from './batch.ts'
export { takeUpSealed } from './quarantine.ts'
export { intakeRoutes } from './routes.ts'
export { Reason } from './schema.ts'
export { EVERY_DEVICE } from './watch-marks.ts'

type IngestDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'metrics' | 'bus'>

/** Opens the way in: one decode, buffer and store path for every source of samples. */
export function startIngest(deps: IngestDeps): Ingest {
  const { bus, clock, metrics } = deps
  const directory = makeDeviceDirectory(deps.database)
  const writers = Array.from({ length: INGEST_CONNECTIONS }, () => makeBatchWriter(deps))
  const buffer = new SampleBuffer<Part>(writers)
  const touch = makeTouch(deps)
  const count = countSamples(metrics, buffer)

  /** Gives the devices their keys; refuses the block whole when one is not the tenant's. */
  async function identify(block: SampleBlock): Promise<void> {
    const keys = await directory.find(block.tenantId, block.deviceIds)
    const now = clock.now()
    block.begin(keys, (at) => doubtInTime(at, now))
    if (keys.size < block.deviceIds.length) throw refuseStrangers(block)
  }

  async function store(block: SampleBlock): Promise<SampleOutcome> {
    await identify(block)
    await buffer.add(partsOf(block, INGEST_BATCH_ROWS_MAX))
    const outcome = block.outcome()
    count(outcome)
    // Right after the commit, before anything else is written.
    if (outcome.accepted > 0 && bus.hasListeners('samples_stored'))
      bus.emit('samples_stored', storedOf(block))
    await touch(block)
    return outcome
  }

  async function submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome> {
    const block = new SampleBlock(tenantId, samples.length)
    for (const sample of samples) block.add(sample)
    return store(block)
  }

  function collect(tenantId: number): Collection {
    const block = new SampleBlock(tenantId, COLLECTION_ROOM)
    return {
      get count() {
        return block.count
      },
      add: (sample) => block.add(sample),
      addColumns: (deviceId, at, columns) => block.addColumns(deviceId, at, columns),
      read: (from, to) => Array.from({ length: to - from }, (_, index) => block.sampleAt(from + index)),
      store: () => store(block),
    }
  }

  return {
    submit,
    collect,
    accept: async (tenantId, document) => submit(tenantId, decodeSamples(document)),
    busyShare: () => buffer.busyShare,
    drain: () => buffer.drain(),
  }
}

/** What was new in a block. Most often nobody watches any of it, so it is put together for the first who looks. */
function storedOf(block: SampleBlock): SamplesStored {
  let samples: Sample[] | undefined
  return {
    tenantId: block.tenantId,
    get samples() {
      if (samples) return samples
      samples = []
      for (let index = 0; index < block.count; index++) {
        if (block.status[index] === ACCEPTED) samples.push(block.sampleAt(index))
      }
      return samples
    },
  }
}

/** Samples that a collection has room for at first. */
const COLLECTION_ROOM = 64
/** Keys count from 1. */
const UNKNOWN = 0

function refuseStrangers(block: SampleBlock) {
  const failures: InputFailure[] = []
  for (let index = 0; index < block.count && failures.length < SAMPLE_FAILURES_MAX; index++) {
    if (block.keyOf(index) !== UNKNOWN) continue
    failures.push({
      loc: ['body', 'samples', index, 'device_id'],
      msg: 'does not refer to an existing device',
      type: 'invalid_reference',
    })
  }
  return refuseInput(failures)
}

function countSamples({ registry }: Deps['metrics'], buffer: SampleBuffer<Part>) {
  const samples = new Counter({
    name: 'netsaat_ingest_samples_total',
    help: 'Samples answered as stored, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'netsaat_ingest_waiting_samples',
    help: 'Samples in the buffer that no batch has taken yet.',
    registers: [registry],
    collect() {
      this.set(buffer.waiting)
    },
  })
  return ({ accepted, duplicates, setAside }: SampleOutcome): void => {
    samples.inc({ outcome: 'accepted' }, accepted)
    samples.inc({ outcome: 'duplicate' }, duplicates)
    samples.inc({ outcome: 'set_aside' }, setAside.length)
  }
}

/**
 * Keeps device.last_seen at the newest stored sample, at most every LAST_SEEN_EVERY_MS and once in every hour that
 * has one: the hourly roll-up finds by it who has sent something. A failure costs nothing but a late last_seen.
 */
function makeTouch({ database, log }: IngestDeps): (block: SampleBlock) => Promise<void> {
  const written = new Map<number, number>()
  const isDue = (key: number, at: number): boolean => {
    const last = written.get(key)
    return last === undefined || at >= last + LAST_SEEN_EVERY_MS || floorHour(at) > floorHour(last)
  }
  const write = makeGather((seen: readonly Seen[]) => touchDevices(database, seen))
  return async (block) => {
    const due = newestOf(block).filter(({ deviceKey, at }) => isDue(deviceKey, at))
    for (const { deviceKey, at } of due) written.set(deviceKey, at)
    if (due.length === 0) return
    try {
      await write(due)
    } catch (error) {
      for (const { deviceKey } of due) written.delete(deviceKey)
      log.warn({ reason: (error as Error).message }, 'last_seen was not written')
    }
  }
}

/** The newest accepted sample of each device of the block. */
function newestOf(block: SampleBlock): Seen[] {
  const newest = new Float64Array(block.keys.length).fill(Number.NEGATIVE_INFINITY)
  for (let index = 0; index < block.count; index++) {
    const device = block.deviceOf[index] ?? 0
    const at = block.at[index] ?? 0
    if (block.status[index] === ACCEPTED && at > (newest[device] ?? at)) newest[device] = at
  }
  const seen: Seen[] = []
  for (const [device, at] of newest.entries()) {
    const deviceKey = block.keys[device] ?? UNKNOWN
    if (Number.isFinite(at)) seen.push({ tenantId: block.tenantId, deviceKey, at })
  }
  return seen
}
