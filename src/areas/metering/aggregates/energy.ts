import { REGISTERS } from '../../../kernel/metrics.ts'
import type { Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import {
  AVERAGED,
  bucketStart,
  computeHours,
  contains,
  type DirtyHours,
  dirtyRanges,
  findDirtyHours,
  type HourRow,
  type Interval,
  mergeRanges,
  overlap,
  splitIntoChunks,
  WeightedMean,
  wholeBuckets,
} from '../rollup/index.ts'
import type { MeteredDevice } from './bucket-store.ts'
import { type EnergyBucket, readEnergyBuckets } from './energy-store.ts'

export interface EnergyQuery {
  readonly interval: Interval
  /** Whole buckets. */
  readonly range: Range
}

export interface DeviceEnergy {
  /** Ascending; buckets without any known energy are left out. */
  readonly buckets: readonly EnergyBucket[]
  /** Bits of the registers that the device has ever sent. */
  readonly registers: number
}

/**
 * Reads the energy of every register of a device by hour, day or month. Rolled-up hours come from roll-up
 * rows, dirty ones are computed from the samples, as in the aggregate endpoints.
 */
export async function readEnergy(
  db: Queryable,
  device: MeteredDevice,
  query: EnergyQuery,
): Promise<DeviceEnergy> {
  const [dirty, rolled] = await Promise.all([
    findDirtyHours(db, device, { dirty: dirtyRanges(device), registers: device.registers }),
    readEnergyBuckets(db, device, query),
  ])
  const raw = dirty.ranges.map((hours) => overlap(hours, query.range)).filter(({ from, to }) => from < to)
  const buckets =
    raw.length > 0 ? await replaceRawBuckets(db, device, { ...query, rolled, raw, dirty }) : rolled
  return { buckets, registers: dirty.registers }
}

interface ReplacementInput extends EnergyQuery {
  readonly rolled: readonly EnergyBucket[]
  /** Hours within the range without a valid roll-up row; ascending, disjoint. */
  readonly raw: readonly Range[]
  readonly dirty: DirtyHours
}

/** Recomputes the buckets that contain raw hours. */
async function replaceRawBuckets(
  db: Queryable,
  device: MeteredDevice,
  input: ReplacementInput,
): Promise<EnergyBucket[]> {
  const { interval, rolled, raw, dirty } = input
  const stale = mergeRanges(raw.map((hours) => wholeBuckets(interval, hours)))
  const buckets = rolled.filter(({ start }) => !stale.some((range) => contains(range, start)))
  for (const range of stale) {
    const hours: EnergyBucket[] = []
    if (interval !== 'hourly') {
      const known = await readEnergyBuckets(db, device, { interval: 'hourly', range })
      hours.push(...known.filter(({ start }) => !raw.some((rawHours) => contains(rawHours, start))))
    }
    for (const rawHours of raw.map((one) => overlap(one, range))) {
      for (const chunk of splitIntoChunks(rawHours)) {
        const rows = await computeHours(db, device, {
          range: chunk,
          registers: dirty.registers,
          known: dirty.known,
          reportingIntervalMs: device.reportingIntervalMs,
        })
        for (const row of rows) hours.push(toEnergyBucket(row))
      }
    }
    for (const bucket of mergeBuckets(hours, interval)) buckets.push(bucket)
  }
  return buckets.sort((a, b) => a.start - b.start)
}

/** Converts a freshly computed roll-up row to a bucket of one hour. */
export function toEnergyBucket(row: HourRow): EnergyBucket {
  const { hour, energies, averages, samples, estimatedBits, partialBits, suspectBits } = row
  const known = energies.reduce<number>(
    (bits, energy, register) => (energy === null ? bits : bits | (1 << register)),
    0,
  )
  const readBits = known & ~estimatedBits
  const wholeBits = readBits & ~partialBits
  return { start: hour, energies, averages, samples, readBits, wholeBits, suspectBits, hours: 1 }
}

/** Sums buckets to larger ones, as the grouped statements do; averages are weighted by their samples. */
export function mergeBuckets(hours: readonly EnergyBucket[], interval: Interval): EnergyBucket[] {
  const byStart = new Map<number, EnergyBucket[]>()
  for (const hour of hours) {
    const start = bucketStart(interval, hour.start)
    const list = byStart.get(start)
    if (list) list.push(hour)
    else byStart.set(start, [hour])
  }
  return [...byStart].map(([start, list]) => ({ ...sumBuckets(list), start }))
}

/** Sums all buckets to one. */
function sumBuckets(list: readonly EnergyBucket[]): Omit<EnergyBucket, 'start'> {
  return {
    energies: REGISTERS.map((_, register) => sum(list.map(({ energies }) => energies[register] ?? null))),
    averages: AVERAGED.map((_, index) => mean(list, index)),
    readBits: list.reduce((bits, { readBits }) => bits | readBits, 0),
    wholeBits: list.reduce((bits, { wholeBits }) => bits & wholeBits, ~0),
    suspectBits: list.reduce((bits, { suspectBits }) => bits | suspectBits, 0),
    samples: list.reduce((all, { samples }) => all + samples, 0),
    hours: list.reduce((all, { hours }) => all + hours, 0),
  }
}

/** The sum of the known values; null when all are null. */
export const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((all, value) => (value === null ? all : (all ?? 0) + value), null)

function mean(list: readonly EnergyBucket[], index: number): number | null {
  const mean = new WeightedMean()
  for (const { averages, samples } of list) mean.add(averages[index] ?? null, samples)
  return mean.value
}
