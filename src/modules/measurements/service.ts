import { type Kwh, wh } from '../../kernel/decimal.ts'
import { found } from '../../kernel/errors.ts'
import { AGGREGATE_RANGE_DEFAULT_MS, AGGREGATE_RANGE_MAX_MS } from '../../kernel/limits.ts'
import { DAY_MS, HOUR_MS, iso, parseInstant, type Range } from '../../kernel/time.ts'
import { aggregateRow } from '../../netting-core/counter/aggregate.ts'
import type { Queryable } from '../../platform/db/rows.ts'
import { invalidInput } from '../../platform/http/validation.ts'
import {
  type BucketRow,
  bucketOfHour,
  type DeviceHead,
  readBuckets,
  readHead,
  type Variant,
} from './aggregate-store.ts'
import { round6 } from './hours.ts'
import { bucketEnd, bucketStart, type Interval, wholeBuckets } from './intervals.ts'
import type { AggregatedRow } from './schema.ts'
import { chunksOf, computeHours, findTouched, mergeRanges, overlap } from './touched.ts'

export interface AggregateRequest {
  readonly tenantId: number
  readonly deviceId: string
  readonly variant: Variant
  readonly interval: Interval
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly now: number
}

/**
 * The aggregated answer of a device. Hours that are rolled up are read as rows; the running hour, and whatever a
 * late sample has touched and no roll-up has seen, is computed from the samples, so the answer is true at once.
 */
export async function aggregate(db: Queryable, request: AggregateRequest) {
  const { tenantId, deviceId, variant, interval } = request
  const range = rangeOf(request)
  const head = found('device', await readHead(db, tenantId, deviceId))
  const query = { variant, interval, range }
  const touched = await findTouched(db, head, { dirty: dirtyRanges(head), registers: head.registers })
  const raw = touched.ranges.map((hours) => overlap(hours, range)).filter(({ from, to }) => from < to)
  const buckets = await readBuckets(db, head, query)
  if (raw.length > 0) await replaceRaw(db, head, { ...query, raw, registers: touched.registers, buckets })
  return {
    device_id: deviceId,
    interval,
    start: iso(range.from),
    end: iso(range.to),
    data: buckets.map((bucket) => rowOf(bucket, { head, variant, interval, isRaw: isWithin(raw) })),
  }
}

const dirtyRanges = ({ marks, rolledTo }: DeviceHead): Range[] => [
  ...marks,
  { from: rolledTo ?? Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
]

function rangeOf({ interval, start, end, now }: AggregateRequest): Range {
  const to = end === undefined ? now : (parseInstant(end)?.at ?? now)
  const from =
    start === undefined ? to - AGGREGATE_RANGE_DEFAULT_MS[interval] : (parseInstant(start)?.at ?? to)
  if (from >= to) throw invalidInput(['query', 'end'], 'must be later than start')
  if (to - from > AGGREGATE_RANGE_MAX_MS[interval]) {
    const days = AGGREGATE_RANGE_MAX_MS[interval] / DAY_MS
    throw invalidInput(['query', 'start'], `the range of an ${interval} answer is at most ${days} days`)
  }
  return wholeBuckets(interval, { from, to })
}

interface Replacement {
  readonly variant: Variant
  readonly interval: Interval
  readonly range: Range
  /** Hours within the range that no roll-up row speaks for; ascending, apart. */
  readonly raw: readonly Range[]
  readonly registers: number
  /** Changed in place. */
  readonly buckets: BucketRow[]
}

/** Puts buckets with raw hours in the place of what roll-up rows said of them. */
async function replaceRaw(db: Queryable, head: DeviceHead, input: Replacement): Promise<void> {
  const { variant, interval, raw, registers, buckets } = input
  const stale = mergeRanges(raw.map((hours) => wholeBuckets(interval, hours)))
  const fresh: BucketRow[] = []
  for (const range of stale) {
    const hours: BucketRow[] = []
    if (interval !== 'hourly') {
      const rolled = await readBuckets(db, head, { variant, interval: 'hourly', range })
      hours.push(...rolled.filter(({ from }) => !raw.some((within) => contains(within, from))))
    }
    for (const within of raw.map((one) => overlap(one, range))) {
      for (const chunk of chunksOf(within)) {
        const computed = await computeHours(db, head, { range: chunk, registers })
        hours.push(...computed.map((row) => bucketOfHour(row, variant)))
      }
    }
    fresh.push(...(interval === 'hourly' ? hours : foldHours(hours, interval)))
  }
  const kept = buckets.filter(({ from }) => !stale.some((range) => contains(range, from)))
  buckets.length = 0
  for (const bucket of kept) buckets.push(bucket)
  for (const bucket of fresh) buckets.push(bucket)
  buckets.sort((a, b) => a.from - b.from)
}

const contains = ({ from, to }: Range, at: number): boolean => at >= from && at < to
const isWithin = (ranges: readonly Range[]) => (bucket: Range) =>
  ranges.some(({ from, to }) => from < bucket.to && to > bucket.from)

const addKnown = (a: number | null, b: number | null): number | null => (b === null ? a : (a ?? 0) + b)

/** Does for hours what the grouped statement does in the database. */
function foldHours(hours: BucketRow[], interval: Interval): BucketRow[] {
  const byBucket = new Map<number, BucketRow[]>()
  for (const hour of hours) {
    const from = bucketStart(interval, hour.from)
    const list = byBucket.get(from)
    if (list) list.push(hour)
    else byBucket.set(from, [hour])
  }
  return [...byBucket].map(([from, list]) => ({
    from,
    energyWh: list.reduce<number | null>((sum, hour) => addKnown(sum, hour.energyWh), null),
    hasReading: list.some((hour) => hour.energyWh !== null && hour.hasReading),
    reactiveVarh: list.reduce<number | null>((sum, hour) => addKnown(sum, hour.reactiveVarh), null),
    voltage: weighted(list, 'voltage'),
    current: weighted(list, 'current'),
    power: weighted(list, 'power'),
    powerFactor: weighted(list, 'powerFactor'),
    samples: list.reduce((sum, hour) => sum + hour.samples, 0),
  }))
}

function weighted(
  hours: readonly BucketRow[],
  name: 'voltage' | 'current' | 'power' | 'powerFactor',
): number | null {
  let sum = 0
  let weight = 0
  for (const hour of hours) {
    const value = hour[name]
    if (value === null) continue
    sum += value * hour.samples
    weight += hour.samples
  }
  return weight === 0 ? null : sum / weight
}

interface RowContext {
  readonly head: DeviceHead
  readonly variant: Variant
  readonly interval: Interval
  readonly isRaw: (bucket: Range) => boolean
}

const toWh = (value: number | null): Kwh | null => (value === null ? null : wh(BigInt(value)))
const toKwh = (energy: Kwh | null): number | null => (energy === null ? null : Number(energy) / 1000)
const rounded = (value: number | null): number | null => (value === null ? null : round6(value))

/** Applies the four rules of the interface to a bucket. */
function rowOf(bucket: BucketRow, { head, variant, interval, isRaw }: RowContext): AggregatedRow {
  const range = { from: bucket.from, to: bucketEnd(interval, bucket.from) }
  const { totalEnergy, totalReactiveEnergy, isEstimated } = aggregateRow({
    variant,
    register: { energy: toWh(bucket.energyWh), hasReading: bucket.hasReading },
    powerKw: powerOf(bucket.power, { variant, isInverter: head.isInverter }),
    bucket: range,
    reactive: toWh(bucket.reactiveVarh),
  })
  const energy = toKwh(totalEnergy)
  const voltage = rounded(bucket.voltage)
  const current = rounded(bucket.current)
  const powerFactor = rounded(bucket.powerFactor)
  const isBare = variant === 'production' && isRaw(range)
  return {
    timestamp: printInstant(bucket.from),
    voltage_avg: voltage,
    current_avg: current,
    power_avg: rounded(bucket.power),
    energy_kwh: energy,
    power_factor_avg: powerFactor,
    total_energy: energy,
    total_reactive_energy: toKwh(totalReactiveEnergy),
    power_factor: isBare ? null : powerFactor,
    voltage: isBare ? null : voltage,
    current: isBare ? null : current,
    is_estimated: isEstimated,
  }
}

let printedDay = Number.NaN
let printedDate = ''

/** The same text as `iso`, of instants on whole hours that mostly follow each other: a date is printed once. */
function printInstant(at: number): string {
  const day = Math.floor(at / DAY_MS)
  if (day !== printedDay) {
    printedDay = day
    printedDate = iso(at).slice(0, 11)
  }
  const hour = (at - day * DAY_MS) / HOUR_MS
  return `${printedDate}${hour < 10 ? '0' : ''}${hour}:00:00.000Z`
}

/**
 * The power that an estimate may use, positive in the direction of the variant. active_power counts consumption
 * positive; an inverter never consumes, so for its production the sign is a matter of wiring.
 */
function powerOf(
  power: number | null,
  { variant, isInverter }: { variant: Variant; isInverter: boolean },
): number | null {
  if (power === null) return null
  if (variant === 'consumption') return Math.max(0, power)
  return isInverter ? Math.abs(power) : Math.max(0, -power)
}
