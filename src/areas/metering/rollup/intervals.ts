import {
  addMonths,
  DAY_MS,
  floorHour,
  HOUR_MS,
  periodOf,
  periodStart,
  type Range,
  TURKEY_OFFSET_MS,
} from '../../../kernel/time.ts'

export const INTERVALS = ['hourly', 'daily', 'monthly'] as const
export type Interval = (typeof INTERVALS)[number]

const floorDay = (at: number): number =>
  Math.floor((at + TURKEY_OFFSET_MS) / DAY_MS) * DAY_MS - TURKEY_OFFSET_MS

/** The start of the Turkey-local bucket that contains an instant. */
export function bucketStart(interval: Interval, at: number): number {
  if (interval === 'hourly') return floorHour(at)
  return interval === 'daily' ? floorDay(at) : periodStart(periodOf(at))
}

/** The end of the bucket that begins at `start`. */
export function bucketEnd(interval: Interval, start: number): number {
  if (interval === 'hourly') return start + HOUR_MS
  return interval === 'daily' ? start + DAY_MS : periodStart(addMonths(periodOf(start), 1))
}

/** The number of buckets in a range of whole buckets. */
export function bucketCount(interval: Interval, { from, to }: Range): number {
  let count = 0
  for (let at = from; at < to; at = bucketEnd(interval, at)) count += 1
  return count
}

/** Extends a range to whole buckets: its start moves back, its end forward. */
export function wholeBuckets(interval: Interval, { from, to }: Range): Range {
  const last = bucketStart(interval, to)
  return { from: bucketStart(interval, from), to: last === to ? to : bucketEnd(interval, last) }
}
