/** The range of time that the chart shows, and its changes. All ranges begin and end at an hour. */
import { DAY_MS, floorHour, HOUR_MS } from '../../../../../src/kernel/time.ts'
import { addMonths, beginningOf, monthOf } from '../../../kernel/dates.ts'
import type { Range } from './columns.ts'

/** A leap year. */
const RANGE_MAX_MS = 366 * DAY_MS

export type Span = 'year' | 'month' | 'week' | 'day'

const startOf = (month: string): number => beginningOf(month).getTime()

/** The range of the month. */
export const monthRange = (month: string): Range => ({
  from: startOf(month),
  to: startOf(addMonths(month, 1)),
})

/** At least one hour and at most a year. */
export function bounded({ from, to }: Range): Range {
  const start = floorHour(from)
  const end = Math.max(start + HOUR_MS, Math.ceil(to / HOUR_MS) * HOUR_MS)
  return { from: start, to: Math.min(end, start + RANGE_MAX_MS) }
}

/** A range of the span that contains the instant. Weeks begin with the day of the instant. */
export function spanRange(span: Span, at: number): Range {
  const month = monthOf(at)
  if (span === 'year') {
    const year = month.slice(0, 4)
    return { from: startOf(`${year}-01`), to: startOf(addMonths(`${year}-01`, 12)) }
  }
  if (span === 'month') return monthRange(month)
  const day = startOf(month) + Math.floor((at - startOf(month)) / DAY_MS) * DAY_MS
  return { from: day, to: day + (span === 'week' ? 7 : 1) * DAY_MS }
}

/** The range moved by its own length. */
export const moved = ({ from, to }: Range, direction: 1 | -1): Range => ({
  from: from + direction * (to - from),
  to: to + direction * (to - from),
})

/** A range of half or double the length around the hour of the instant, if it is inside, or around the middle. */
export function zoomed(range: Range, factor: 0.5 | 2, at?: number): Range {
  const isInside = at !== undefined && range.from <= at && at < range.to
  const middle = floorHour(isInside ? at : (range.from + range.to) / 2)
  const hours = Math.max(1, Math.ceil(((range.to - range.from) / HOUR_MS) * factor))
  const from = middle - Math.floor(hours / 2) * HOUR_MS
  return bounded({ from, to: from + hours * HOUR_MS })
}

/** The months that the range touches. */
export function monthsOf({ from, to }: Range): string[] {
  const months: string[] = []
  for (let month = monthOf(from); startOf(month) < to; month = addMonths(month, 1)) months.push(month)
  return months
}
