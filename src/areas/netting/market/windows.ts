import {
  addMonths,
  type BillingPeriod,
  DAY_MS,
  dayStart,
  floorHour,
  localDate,
  periodOf,
  periodRange,
  type Range,
} from '../../../kernel/time.ts'
import { MARKET_FILL_MONTHS, MARKET_SMF_DELAY_MS } from './limits.ts'
import type { DayRange } from './platform-client.ts'
import { MARKETS, type Market } from './series.ts'

/** The days of a month of a market that are published so far, which a pull fetches in one call. */
export interface MarketMonth {
  readonly market: Market
  readonly period: BillingPeriod
  readonly range: Range
}

/**
 * The end of the published final prices of a market: midnight for day-ahead prices, some hours ago for the
 * others.
 */
const publishedUntil = (market: Market, now: number): number =>
  market === 'ptf' ? dayStart(localDate(now)) + DAY_MS : floorHour(now - MARKET_SMF_DELAY_MS)

/** Half-open hours as the days of a call. */
export const dayRangeOf = (hours: Range): DayRange => ({
  first: localDate(hours.from),
  last: localDate(hours.to - 1),
  hours,
})

/** Returns the range without its last day; undefined when no day remains. */
export function withoutLastDay({ first, last, hours }: DayRange): DayRange | undefined {
  const to = dayStart(last)
  return first === last ? undefined : dayRangeOf({ from: hours.from, to })
}

/**
 * Returns the months to keep complete: twelve and the current one, of both markets, newest first. Months
 * without published prices are left out.
 */
export const monthsToKeep = (now: number): MarketMonth[] =>
  monthsBetween(addMonths(periodOf(now), -MARKET_FILL_MONTHS), periodOf(now), now)

/** Returns the months from the first to the last, both included, under the same conditions. */
export function monthsBetween(first: BillingPeriod, last: BillingPeriod, now: number): MarketMonth[] {
  const months: MarketMonth[] = []
  for (let period = last; period >= first; period = addMonths(period, -1)) {
    for (const market of MARKETS) {
      const { from, to } = periodRange(period)
      const range = { from, to: Math.min(to, publishedUntil(market, now)) }
      if (range.from < range.to) months.push({ market, period, range })
    }
  }
  return months
}

/**
 * True for the current and the previous month: settlement continues in the following month, so both are
 * checked each night for corrections.
 */
export const mayStillChange = (period: BillingPeriod, now: number): boolean =>
  period >= addMonths(periodOf(now), -1)

/** Returns the day after the day of an instant. */
export const dayAfter = (now: number): Range => {
  const from = dayStart(localDate(now)) + DAY_MS
  return { from, to: from + DAY_MS }
}

/** Returns the published days of system marginal prices from yesterday on, with one range per day. */
export function smfDays(now: number): Range[] {
  const to = publishedUntil('smf', now)
  const today = dayStart(localDate(now))
  return [
    { from: today - DAY_MS, to: Math.min(today, to) },
    { from: today, to },
  ].filter((range) => range.from < range.to)
}
