import { Counter, Gauge } from 'prom-client'
import { INGEST_CONNECTIONS, LAST_SEEN_EVERY_MS } from '../kernel/limits.ts'
import { floorHour } from '../kernel/time.ts'
import { type Entry, touchDevices } from '../modules/measurements/index.ts'
import type { Deps } from '../platform/deps.ts'
import type { Ingest, Sample, SampleOutcome, SetAsideReason } from '../platform/ingest.ts'
import { SampleBuffer } from './buffer.ts'
import { decodeSamples, doubtIn, refuseInput } from './decode.ts'
import { makeDeviceDirectory } from './devices.ts'
import { makeBatchWriter } from './writer.ts'

type IngestDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'metrics'>

/** Opens the way in: one decode, buffer and store path for every source of samples. */
export function startIngest(deps: IngestDeps): Ingest {
  const { clock, metrics } = deps
  const directory = makeDeviceDirectory(deps.database)
  const writers = Array.from({ length: INGEST_CONNECTIONS }, () => makeBatchWriter(deps))
  const buffer = new SampleBuffer<Entry>(writers)
  const touch = makeTouch(deps)
  const count = countSamples(metrics, buffer)

  async function entriesOf(tenantId: number, samples: readonly Sample[]): Promise<Entry[]> {
    const keys = await directory.find(tenantId, new Set(samples.map(({ deviceId }) => deviceId)))
    const now = clock.now()
    const entries: Entry[] = []
    const strangers: number[] = []
    for (const [index, sample] of samples.entries()) {
      const deviceKey = keys.get(sample.deviceId)
      if (deviceKey === undefined) strangers.push(index)
      else entries.push(entryOf(sample, { tenantId, deviceKey, index, now }))
    }
    if (strangers.length > 0) throw refuseStrangers(strangers)
    return entries
  }

  async function submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome> {
    const entries = await entriesOf(tenantId, samples)
    await buffer.add(entries)
    const outcome = outcomeOf(entries)
    count(outcome)
    await touch(entries)
    return outcome
  }

  return {
    submit,
    accept: (tenantId, document) => submit(tenantId, decodeSamples(document)),
    drain: () => buffer.drain(),
  }
}

interface EntryPlace {
  readonly tenantId: number
  readonly deviceKey: number
  readonly index: number
  readonly now: number
}

const entryOf = (sample: Sample, { tenantId, deviceKey, index, now }: EntryPlace): Entry => ({
  tenantId,
  deviceKey,
  deviceId: sample.deviceId,
  at: sample.at,
  values: sample.values,
  index,
  doubt: doubtIn(sample, now),
  status: undefined,
})

const refuseStrangers = (indexes: readonly number[]) =>
  refuseInput(
    indexes.map((index) => ({
      loc: ['body', 'samples', index, 'device_id'],
      msg: 'does not refer to an existing device',
      type: 'invalid_reference',
    })),
  )

function outcomeOf(entries: readonly Entry[]): SampleOutcome {
  let accepted = 0
  let duplicates = 0
  const setAside: { index: number; reason: SetAsideReason }[] = []
  for (const { status, index } of entries) {
    if (status === 'accepted') accepted += 1
    else if (status === 'duplicate') duplicates += 1
    else if (status !== undefined) setAside.push({ index, reason: status })
  }
  return { accepted, duplicates, setAside }
}

function countSamples({ registry }: Deps['metrics'], buffer: SampleBuffer<Entry>) {
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
function makeTouch({ database, log }: IngestDeps): (entries: readonly Entry[]) => Promise<void> {
  const written = new Map<number, number>()
  const isDue = (key: number, at: number): boolean => {
    const last = written.get(key)
    return last === undefined || at >= last + LAST_SEEN_EVERY_MS || floorHour(at) > floorHour(last)
  }
  return async (entries) => {
    const newest = new Map<number, Entry>()
    for (const entry of entries) {
      if (entry.status !== 'accepted') continue
      const known = newest.get(entry.deviceKey)
      if (!known || known.at < entry.at) newest.set(entry.deviceKey, entry)
    }
    const due = [...newest.values()].filter(({ deviceKey, at }) => isDue(deviceKey, at))
    for (const { deviceKey, at } of due) written.set(deviceKey, at)
    try {
      await touchDevices(database, due)
    } catch (error) {
      for (const { deviceKey } of due) written.delete(deviceKey)
      log.warn({ reason: (error as Error).message }, 'last_seen was not written')
    }
  }
}
