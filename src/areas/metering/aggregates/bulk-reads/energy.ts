import { at } from '../../../../kernel/at.ts'
import type { Range } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import {
  bucketStart,
  computeHourRows,
  contains,
  dirtyRanges,
  INTERVALS,
  type Interval,
  mergeRanges,
  overlap,
  ROLLUP_SAMPLES_AT_ONCE,
  wholeBuckets,
  wholeHours,
  widenToNeighbours,
} from '../../rollup/index.ts'
import { type MeteredDevice, readMeteredDevices } from '../bucket-store.ts'
import { type DeviceEnergy, mergeBuckets, toEnergyBucket } from '../energy.ts'
import { type DeviceRange, type EnergyBucket, readEnergyBucketsBulk } from '../energy-store.ts'
import { readExtentsBulk, readNeighboursBulk, readSamplesBulk } from './store.ts'

export interface EnergyRequest {
  readonly deviceId: string
  readonly interval: Interval
  /** Whole buckets. */
  readonly range: Range
}

export interface EnergyResult extends DeviceEnergy {
  readonly isInverter: boolean
}

interface KnownRequest {
  readonly device: MeteredDevice
  readonly interval: Interval
  readonly range: Range
  readonly index: number
}

/** What a device has that its roll-up rows do not speak for. */
interface UnrolledHours {
  readonly device: MeteredDevice
  /** Whole hours, ascending. */
  readonly ranges: readonly Range[]
  readonly registers: number
  readonly samples: number
}

/**
 * What `readEnergy` tells of a device, of many devices and ranges in a handful of statements, by place; undefined for an
 * unknown device. What a wish is answered does not depend on what is asked for beside it.
 */
export async function readEnergyBulk(
  db: Queryable,
  tenantId: number,
  requests: readonly EnergyRequest[],
): Promise<(EnergyResult | undefined)[]> {
  const devices = await readMeteredDevices(db, tenantId, [
    ...new Set(requests.map(({ deviceId }) => deviceId)),
  ])
  const known = requests.flatMap(({ deviceId, ...request }, index): KnownRequest[] => {
    const device = devices.get(deviceId)
    return device ? [{ ...request, device, index }] : []
  })
  const [unrolled, rolled] = await Promise.all([
    findUnrolled(db, tenantId, [...devices.values()]),
    readRolled(db, tenantId, known),
  ])
  const stale = await readStale(db, tenantId, known, unrolled)
  const hours = await computeUnrolled(db, tenantId, { known, unrolled })
  const results = requests.map((): EnergyResult | undefined => undefined)
  for (const [index, request] of known.entries()) {
    const { isInverter, deviceKey, registers } = request.device
    const unrolledHours = unrolled.get(deviceKey)
    const raw = rawRanges(request, unrolledHours)
    const parts = {
      raw,
      rolled: at(rolled, index),
      stale: at(stale, index),
      hours: hours.get(deviceKey) ?? [],
    }
    results[request.index] = {
      buckets: raw.length > 0 ? replaceStaleBuckets(request, parts) : sortByStart(parts.rolled),
      registers: unrolledHours?.registers ?? registers,
      isInverter,
    }
  }
  return results
}

const sortByStart = (buckets: readonly EnergyBucket[]): EnergyBucket[] =>
  [...buckets].sort((a, b) => a.start - b.start)

const rawRanges = ({ range }: KnownRequest, unrolled: UnrolledHours | undefined): Range[] =>
  (unrolled?.ranges ?? []).map((hours) => overlap(hours, range)).filter(({ from, to }) => from < to)

const staleRanges = (request: KnownRequest, raw: readonly Range[]): Range[] =>
  mergeRanges(raw.map((hours) => wholeBuckets(request.interval, hours)))

interface BucketSources {
  readonly raw: readonly Range[]
  readonly rolled: readonly EnergyBucket[]
  /** Roll-up rows by the hour of the buckets that hold raw hours. */
  readonly stale: readonly EnergyBucket[]
  /** Raw hours, also others than those asked for. */
  readonly hours: readonly EnergyBucket[]
}

/** The buckets with those that hold raw hours made anew. */
function replaceStaleBuckets(
  request: KnownRequest,
  { raw, rolled, stale, hours }: BucketSources,
): EnergyBucket[] {
  const stalePeriods = staleRanges(request, raw)
  const isRaw = (start: number) => raw.some((range) => contains(range, start))
  const kept = rolled.filter(({ start }) => !stalePeriods.some((range) => contains(range, start)))
  const recomputed = [
    ...stale.filter(({ start }) => !isRaw(start)),
    ...hours.filter(({ start }) => isRaw(start)),
  ]
  return sortByStart([...kept, ...mergeBuckets(sortByStart(recomputed), request.interval)])
}

async function readRolled(db: Queryable, tenantId: number, known: readonly KnownRequest[]) {
  const lists = known.map((): EnergyBucket[] => [])
  await Promise.all(
    INTERVALS.map(async (interval) => {
      const indexes = [...known.keys()].filter((index) => at(known, index).interval === interval)
      const ranges = indexes.map((index) => toDeviceRange(at(known, index)))
      const read = await readEnergyBucketsBulk(db, { tenantId, interval }, ranges)
      for (const [position, index] of indexes.entries()) lists[index] = at(read, position)
    }),
  )
  return lists
}

const toDeviceRange = ({ device, range }: KnownRequest): DeviceRange => ({
  deviceKey: device.deviceKey,
  range,
})

/** Of each wish by day or month, the hours of the buckets that must be made anew. */
async function readStale(
  db: Queryable,
  tenantId: number,
  known: readonly KnownRequest[],
  unrolled: ReadonlyMap<number, UnrolledHours>,
): Promise<EnergyBucket[][]> {
  const ranges = known.flatMap((request, index) =>
    request.interval === 'hourly'
      ? []
      : staleRanges(request, rawRanges(request, unrolled.get(request.device.deviceKey))).map((range) => ({
          index,
          deviceKey: request.device.deviceKey,
          range,
        })),
  )
  const lists = known.map((): EnergyBucket[] => [])
  const read = await readEnergyBucketsBulk(db, { tenantId, interval: 'hourly' }, ranges)
  for (const [position, { index }] of ranges.entries()) at(lists, index).push(...at(read, position))
  return lists
}

/** What `findTouched` finds of one device, of all of them in two steps. */
async function findUnrolled(
  db: Queryable,
  tenantId: number,
  devices: readonly MeteredDevice[],
): Promise<Map<number, UnrolledHours>> {
  const stretches = devices.flatMap((device) =>
    mergeRanges(dirtyRanges(device)).map((range) => ({ device, deviceKey: device.deviceKey, range })),
  )
  const extents = await readExtentsBulk(db, tenantId, stretches)
  const found = stretches.flatMap(({ device, deviceKey }, index) => {
    const extent = extents[index]
    return extent ? [{ ...extent, device, deviceKey, range: wholeHours(extent) }] : []
  })
  const neighbours = await readNeighboursBulk(db, tenantId, found)
  const unrolled = new Map<number, UnrolledHours>()
  for (const [index, { device, deviceKey, range, registers, samples }] of found.entries()) {
    const wide = widenToNeighbours(range, at(neighbours, index))
    const before = unrolled.get(deviceKey)
    unrolled.set(deviceKey, {
      device,
      ranges: mergeRanges([...(before?.ranges ?? []), wide]),
      registers: (before?.registers ?? device.registers) | registers,
      samples: (before?.samples ?? 0) + samples,
    })
  }
  return unrolled
}

interface Piece extends DeviceRange {
  readonly registers: number
}

/**
 * The raw hours that the wishes need, by device. They are computed day by day, so that a day's hours come out the same
 * whichever days are computed with it; all days at once, or one by one where there are many samples.
 */
async function computeUnrolled(
  db: Queryable,
  tenantId: number,
  {
    known,
    unrolled,
  }: { readonly known: readonly KnownRequest[]; readonly unrolled: ReadonlyMap<number, UnrolledHours> },
): Promise<Map<number, EnergyBucket[]>> {
  const pieces: Piece[] = []
  let samples = 0
  for (const [deviceKey, { ranges, registers, samples: count }] of unrolled) {
    const wanted = mergeRanges(
      known
        .filter(({ device }) => device.deviceKey === deviceKey)
        .flatMap((request) => rawRanges(request, unrolled.get(deviceKey))),
    )
    const days = mergeRanges(wanted.map((range) => wholeBuckets('daily', range)))
    if (days.length > 0) samples += count
    for (const day of days.flatMap(splitDays)) {
      for (const range of ranges.map((hours) => overlap(hours, day)).filter(({ from, to }) => from < to)) {
        pieces.push({ deviceKey, range, registers })
      }
    }
  }
  const batches = samples <= ROLLUP_SAMPLES_AT_ONCE ? [pieces] : pieces.map((piece) => [piece])
  const hours = new Map<number, EnergyBucket[]>()
  for (const batch of batches) await computePieces(db, tenantId, { batch, hours })
  return hours
}

function splitDays({ from, to }: Range): Range[] {
  const days: Range[] = []
  for (let start = from; start < to; start = wholeBuckets('daily', { from: start, to: start + 1 }).to) {
    days.push({
      from: bucketStart('daily', start),
      to: wholeBuckets('daily', { from: start, to: start + 1 }).to,
    })
  }
  return days
}

async function computePieces(
  db: Queryable,
  tenantId: number,
  { batch, hours }: { readonly batch: readonly Piece[]; readonly hours: Map<number, EnergyBucket[]> },
): Promise<void> {
  const [samples, neighbours] = await Promise.all([
    readSamplesBulk(db, tenantId, batch),
    readNeighboursBulk(db, tenantId, batch),
  ])
  for (const [index, { deviceKey, range }] of batch.entries()) {
    const around = at(neighbours, index)
    const rows = computeHourRows({ range, samples: at(samples, index), ...around })
    hours.set(deviceKey, [...(hours.get(deviceKey) ?? []), ...rows.map(toEnergyBucket)])
  }
}
