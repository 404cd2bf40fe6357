import { found } from '../../../kernel/errors.ts'
import {
  AGGREGATE_FIRST_MS,
  AGGREGATE_LAST_MS,
  AGGREGATE_RANGE_DEFAULT_MS,
  AGGREGATE_RANGE_MAX_MS,
} from '../../../kernel/limits.ts'
import { DAY_MS, parseInstant, type Range } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { COMPRESSED_AGE_MIN_MS } from '../history/index.ts'
import { METERING_TEXTS } from '../messages.ts'
import {
  bucketStart,
  computeHours,
  contains,
  dirtyRanges,
  findDirtyHours,
  type Interval,
  mergeRanges,
  overlap,
  splitIntoChunks,
  WeightedMean,
  wholeBuckets,
} from '../rollup/index.ts'
import { AggregateJson } from './aggregate-json.ts'
import { type BucketRow, bucketStartMs, toBucketRow, type Variant } from './bucket-row.ts'
import {
  BucketList,
  type BucketQuery,
  type MeteredDevice,
  readBuckets,
  readMeteredDevice,
} from './bucket-store.ts'

export interface RangeRequest {
  readonly interval: Interval
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly now: number
}

export interface AggregateRequest extends RangeRequest {
  readonly tenantId: number
  readonly deviceId: string
  readonly variant: Variant
}

/**
 * Builds the aggregate response of a device. Rolled-up hours are read as rows. The running hour and hours
 * that late samples have made dirty are computed from the samples, so the response never lags behind
 * acknowledged samples.
 */
export async function aggregate(database: ReadDatabase, request: AggregateRequest) {
  const { tenantId, variant, interval } = request
  const deviceId = request.deviceId.toLowerCase()
  const range = rangeOf(request)
  const metered = found('device', await readMeteredDevice(database.pool, tenantId, deviceId))
  const device = { ...metered, rowsFrom: request.now - COMPRESSED_AGE_MIN_MS }
  const query = { variant, interval, range }
  const begin = () =>
    new AggregateJson({ deviceId, variant, interval, range, isInverter: device.isInverter, now: request.now })
  // The reads need no transaction: a roll-up that commits in between writes exactly the values that the
  // samples yield.
  const [recomputed, response] = await Promise.all([
    recomputeRaw(database, device, query),
    readBuckets(database, device, query, begin),
  ])
  response.replace(recomputed.stale, recomputed.buckets)
  return response
}

/**
 * Returns the requested range, extended to whole buckets; throws 422 when it is empty, too long or outside
 * 1900 to 2999.
 */
export function rangeOf({ interval, start, end, now }: RangeRequest): Range {
  const to = end === undefined ? now : (parseInstant(end)?.at ?? now)
  const from =
    start === undefined ? to - AGGREGATE_RANGE_DEFAULT_MS[interval] : (parseInstant(start)?.at ?? to)
  if (from >= to) throw invalidInput(['query', 'end'], METERING_TEXTS.RANGE_END_BEFORE_START())
  if (to - from > AGGREGATE_RANGE_MAX_MS[interval]) {
    const days = AGGREGATE_RANGE_MAX_MS[interval] / DAY_MS
    throw invalidInput(['query', 'start'], METERING_TEXTS.AGGREGATE_RANGE_TOO_LONG({ days, interval }))
  }
  if (from < AGGREGATE_FIRST_MS) throw invalidInput(['query', 'start'], METERING_TEXTS.RANGE_BEFORE_1900())
  if (to > AGGREGATE_LAST_MS) throw invalidInput(['query', 'end'], METERING_TEXTS.RANGE_AFTER_2999())
  return wholeBuckets(interval, { from, to })
}

interface Recomputed {
  /** The whole buckets that contain hours without a valid roll-up row; ascending, disjoint. */
  readonly stale: readonly Range[]
  readonly buckets: readonly BucketRow[]
}

/** Computes the buckets that contain raw hours. */
async function recomputeRaw(
  database: ReadDatabase,
  device: MeteredDevice,
  { variant, interval, range }: BucketQuery,
): Promise<Recomputed> {
  const state = { dirty: dirtyRanges(device), registers: device.registers }
  const { ranges, ...dirty } = await findDirtyHours(database.pool, device, state)
  const raw = ranges.map((hours) => overlap(hours, range)).filter(({ from, to }) => from < to)
  const stale = mergeRanges(raw.map((hours) => wholeBuckets(interval, hours)))
  const buckets: BucketRow[] = []
  for (const range of stale) {
    const hours: BucketRow[] = []
    if (interval !== 'hourly') {
      const query = { variant, interval: 'hourly', range } as const
      const rolled = await readBuckets(database, device, query, () => new BucketList())
      hours.push(
        ...rolled.buckets.filter((hour) => !raw.some((within) => contains(within, bucketStartMs(hour)))),
      )
    }
    for (const within of raw.map((one) => overlap(one, range))) {
      for (const chunk of splitIntoChunks(within)) {
        const { reportingIntervalMs } = device
        const computed = await computeHours(database.pool, device, {
          ...dirty,
          range: chunk,
          reportingIntervalMs,
        })
        for (const row of computed) hours.push(toBucketRow(row, variant))
      }
    }
    for (const bucket of interval === 'hourly' ? hours : mergeHours(hours, interval)) buckets.push(bucket)
  }
  return { stale, buckets }
}

/** Groups hours to larger buckets, as the grouped statement does in the database. */
function mergeHours(hours: readonly BucketRow[], interval: Interval): BucketRow[] {
  const byBucket = new Map<number, BucketRow[]>()
  for (const hour of hours) {
    const from = bucketStart(interval, bucketStartMs(hour))
    const list = byBucket.get(from)
    if (list) list.push(hour)
    else byBucket.set(from, [hour])
  }
  return [...byBucket].map(([from, list]) => [
    from / 1000,
    sum(list.map(([, energyWh]) => energyWh)),
    list.some(([, energyWh, hasReading]) => energyWh !== null && hasReading),
    sum(list.map(([, , , reactiveVarh]) => reactiveVarh)),
    weightedMeanOf(list, ([, , , , voltage]) => voltage),
    weightedMeanOf(list, ([, , , , , current]) => current),
    weightedMeanOf(list, ([, , , , , , power]) => power),
    weightedMeanOf(list, ([, , , , , , , powerFactor]) => powerFactor),
    list.reduce((all, [, , , , , , , , samples]) => all + samples, 0),
    list.reduce((all, [, , , , , , , , , complete]) => all + complete, 0),
    list.some(([, , , , , , , , , , isSuspect]) => isSuspect),
  ])
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((all, value) => (value === null ? all : (all ?? 0) + value), null)

function weightedMeanOf(
  hours: readonly BucketRow[],
  pick: (hour: BucketRow) => number | null,
): number | null {
  const mean = new WeightedMean()
  for (const hour of hours) {
    const [, , , , , , , , samples] = hour
    mean.add(pick(hour), samples)
  }
  return mean.value
}
