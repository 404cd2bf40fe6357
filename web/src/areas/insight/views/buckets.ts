/** Buckets of time as columns of a chart. */

import { DAY_MS, HOUR_MS } from '../../../../../src/kernel/time.ts'
import { addMonths, beginningOf, monthOf } from '../../../kernel/dates.ts'

export type Interval = 'hourly' | 'daily' | 'monthly'

/** The end of a bucket, milliseconds. Turkey has no change of the clock. */
export function bucketEnd(from: number, interval: Interval): number {
  if (interval === 'monthly') return beginningOf(addMonths(monthOf(from), 1)).getTime()
  return from + (interval === 'daily' ? DAY_MS : HOUR_MS)
}

/** How the times of a chart are written: hours of at most two days by the clock. */
export function timeStyle(interval: Interval, lengthMs: number) {
  if (interval === 'monthly') return 'month'
  return interval === 'hourly' && lengthMs <= 2 * DAY_MS ? 'time' : 'shortDate'
}

/** How the time of a row is written. */
export const rowStyle = (interval: Interval) =>
  interval === 'monthly' ? 'month' : interval === 'daily' ? 'date' : 'dateTime'
