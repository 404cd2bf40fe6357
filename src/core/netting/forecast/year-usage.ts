import { add, type Kwh, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import {
  type BillingPeriod,
  DAY_MS,
  dayStart,
  HOUR_MS,
  type LocalDate,
  localDate,
  type Range,
} from '../../../kernel/time.ts'
import { sortedBy } from '../text-order.ts'

/** The usage of an account in its year. */
export interface YearUsage {
  /** As of now, including all movements; zero or less: used up. */
  readonly remainingKwh: Kwh
  /** By local date, from current results; days without use may be absent. */
  readonly usedByDay: ReadonlyMap<LocalDate, Kwh>
  /** The hours that current results cover. */
  readonly calculated: readonly Range[]
}

/** Whole calculated days with their use, in order; none from the day on which the limit was used up. */
export function knownDays(usage: YearUsage, year: number): Map<LocalDate, Kwh> {
  const hours = coveredHours(usage.calculated)
  const end = exhaustionDate(usage, year)
  const whole = [...hours].filter(([date, count]) => count >= 24 && (end === null || date < end))
  const sorted = sortedBy(whole, ([date]) => date)
  return new Map(sorted.map(([date]) => [date, usage.usedByDay.get(date) ?? ZERO_KWH]))
}

/** Hours by local date; the ranges do not overlap. */
function coveredHours(ranges: readonly Range[]): Map<LocalDate, number> {
  const hours = new Map<LocalDate, number>()
  for (const { from, to } of ranges) {
    for (let at = from; at < to; ) {
      const date = localDate(at)
      const end = Math.min(to, dayStart(date) + DAY_MS)
      hours.set(date, (hours.get(date) ?? 0) + (end - at) / HOUR_MS)
      at = end
    }
  }
  return hours
}

/**
 * The day on which usage reached the limit, regardless of later changes of the limit; null while a balance
 * remains.
 */
export function exhaustionDate({ remainingKwh, usedByDay }: YearUsage, year: number): LocalDate | null {
  if (remainingKwh > 0n) return null
  const limitKwh = add(remainingKwh, total(usedByDay.values()))
  let sum = ZERO_KWH
  for (const [date, kwh] of sortedBy([...usedByDay], ([day]) => day)) {
    if (sum >= limitKwh) return date
    sum = add(sum, kwh)
    if (sum >= limitKwh) return date
  }
  return `${year}-01-01`
}

/** Days between the first and the last calculated hour that are not wholly calculated. */
export function countMissing(calculated: readonly Range[]): number {
  if (calculated.length === 0) return 0
  const first = localDate(Math.min(...calculated.map((range) => range.from)))
  const last = localDate(Math.max(...calculated.map((range) => range.to)))
  const hours = coveredHours(calculated)
  // The first day may begin with a membership, the last one is still running.
  return datesBetween(first, last).filter((date, index) => index > 0 && (hours.get(date) ?? 0) < 24).length
}

/** The dates from the first up to, but excluding, the second. */
export function datesBetween(from: LocalDate, to: LocalDate): LocalDate[] {
  const dates: LocalDate[] = []
  for (let at = dayStart(from); at < dayStart(to); at += DAY_MS) dates.push(localDate(at))
  return dates
}

/** The month of a date, computed from its text. */
export const monthOf = (date: LocalDate): BillingPeriod => `${date.slice(0, 7)}-01`
