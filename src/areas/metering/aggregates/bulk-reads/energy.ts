import { at } from '../../../../kernel/checked.ts'
import type { Range } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import { type RegisterChanges, readMeterChanges } from '../../meter-changes/index.ts'
import { readMaxPower } from '../../power/index.ts'
import {
  bucketStart,
  computeHourRows,
  contains,
  dirtyRanges,
  INTERVALS,
  type Interval,
  listFalls,
  mergeRanges,
  overlap,
  ROLLUP_SAMPLES_AT_ONCE,
  readingsOfRegisters,
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

/** Hours of a device without a valid roll-up row. */
interface UnrolledHours {
  readonly device: MeteredDevice
  /** Whole hours, ascending. */
  readonly ranges: readonly Range[]
  readonly registers: number
  readonly samples: number
}

/**
 * Returns the results of `readEnergy` for many devices and ranges with a constant number of statements, in
 * the order of the requests; undefined for an unknown device. The result of a request does not depend on the
 * other requests.
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
  /** Hourly roll-up rows of the buckets that contain raw hours. */
  readonly stale: readonly EnergyBucket[]
  /** Computed hours of the device, including hours of other requests. */
  readonly hours: readonly EnergyBucket[]
}

/** Recomputes the buckets that contain raw hours. */
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

/**
 * Returns, for each request by day or month, the hourly roll-up rows of the buckets that must be recomputed.
 */
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

/** Returns the results of `findDirtyHours` for all devices in two steps: extents, then neighbours. */
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
  readonly reportingIntervalMs: number | undefined
  readonly changes: RegisterChanges | undefined
}

/**
 * Computes the raw hours of the requests by device. The unit is a day, so that the hours of a day do not
 * depend on the other requested days. All days are read at once, or one by one when there are more than
 * ROLLUP_SAMPLES_AT_ONCE samples.
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
  const meterChanges = await readMeterChanges(db, tenantId, [...unrolled.keys()])
  for (const [deviceKey, { device, ranges, registers, samples: count }] of unrolled) {
    const { reportingIntervalMs } = device
    const changes = meterChanges.get(deviceKey)
    const wanted = mergeRanges(
      known
        .filter(({ device }) => device.deviceKey === deviceKey)
        .flatMap((request) => rawRanges(request, unrolled.get(deviceKey))),
    )
    const days = mergeRanges(wanted.map((range) => wholeBuckets('daily', range)))
    if (days.length > 0) samples += count
    for (const day of days.flatMap(splitDays)) {
      for (const range of ranges.map((hours) => overlap(hours, day)).filter(({ from, to }) => from < to)) {
        pieces.push({ deviceKey, range, registers, reportingIntervalMs, changes })
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
  const readings = batch.map(({ changes }, index) =>
    readingsOfRegisters({ samples: at(samples, index), ...at(neighbours, index), changes }),
  )
  const falls = batch.flatMap(({ deviceKey }, index) =>
    listFalls(at(readings, index)).map((instant) => ({ deviceKey, at: instant })),
  )
  const maxPowerOf = await readMaxPower(db, tenantId, falls)
  for (const [index, { deviceKey, range, reportingIntervalMs }] of batch.entries()) {
    const rows = computeHourRows({
      range,
      samples: at(samples, index),
      readings: at(readings, index),
      maxPowerKw: maxPowerOf(deviceKey),
      reportingIntervalMs,
    })
    hours.set(deviceKey, [...(hours.get(deviceKey) ?? []), ...rows.map(toEnergyBucket)])
  }
}
