import { unprocessable } from '../../kernel/errors.ts'
import { FIRST_BILLING_PERIOD } from '../../kernel/limits.ts'
import {
  type BillingPeriod,
  DAY_MS,
  floorHour,
  nextPeriod,
  periodEnd,
  periodOf,
  periodStart,
  type Range,
} from '../../kernel/time.ts'
import { CALCULATION_WINDOW_MAX_MS } from './limits.ts'
import { RULE_TEXTS } from './messages.ts'

/** The hours of one billing period that a run covers. */
export interface PeriodWindow {
  readonly billingPeriod: BillingPeriod
  readonly window: Range
}

/**
 * Refuses with 422 a range that is empty, longer than seven days, or begins before the first billing period
 * (every month of facts is a table, and a mistyped year must not make one); both ends as the client sent
 * them.
 */
export function checkWindow({ from, to }: Range): void {
  if (from >= to) throw unprocessable('BUSINESS_RULE_VIOLATION', RULE_TEXTS.RANGE_IS_EMPTY())
  if (from < periodStart(FIRST_BILLING_PERIOD)) {
    const text = RULE_TEXTS.RANGE_TOO_EARLY({ first: FIRST_BILLING_PERIOD })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text)
  }
  if (to - from > CALCULATION_WINDOW_MAX_MS) {
    const days = CALCULATION_WINDOW_MAX_MS / DAY_MS
    throw unprocessable('BUSINESS_RULE_VIOLATION', RULE_TEXTS.RANGE_TOO_LONG({ days }))
  }
}

/**
 * The windows of a request: both ends truncated to the hour, the end not beyond the current hour, one window
 * for each Turkey-local billing period, in time order. Empty when no whole hour remains.
 */
export function planWindows(range: Range, now: number): PeriodWindow[] {
  const from = floorHour(range.from)
  const to = Math.min(floorHour(range.to), floorHour(now))
  return splitByPeriod({ from, to })
}

/** Cuts a range at the Turkey-local starts of months. */
export function splitByPeriod({ from, to }: Range): PeriodWindow[] {
  const windows: PeriodWindow[] = []
  for (let period = periodOf(from); periodStart(period) < to; period = nextPeriod(period)) {
    const window = { from: Math.max(from, periodStart(period)), to: Math.min(to, periodEnd(period)) }
    if (window.from < window.to) windows.push({ billingPeriod: period, window })
  }
  return windows
}

export const overlaps = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to

const union = (a: Range, b: Range): Range => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) })

/**
 * The union of a window with the current runs it overlaps, so that each of them is superseded whole. Current
 * runs of a group do not overlap one another (calculation_run_current_overlap), so no run follows from another.
 */
export const widenOverRuns = (window: Range, runs: readonly Range[]): Range =>
  runs.filter((run) => overlaps(window, run)).reduce(union, window)

/**
 * The window extended to the end of the last current run of its period: a changed closing balance changes
 * every later split of the month. Hours between the runs that were never calculated are included.
 */
export function widenToLastRun(window: Range, runs: readonly Range[]): Range {
  return { from: window.from, to: Math.max(window.to, ...runs.map((run) => run.to)) }
}

/** The window of a residential run: the period from its start to its end, or to the current hour. */
export const residentialWindow = (billingPeriod: BillingPeriod, now: number): Range => ({
  from: periodStart(billingPeriod),
  to: Math.min(periodEnd(billingPeriod), floorHour(now)),
})
