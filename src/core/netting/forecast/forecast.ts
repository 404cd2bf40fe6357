import {
  add,
  type Kwh,
  larger,
  roundDiv,
  smaller,
  subtract,
  total,
  wh,
  ZERO_KWH,
} from '../../../kernel/decimal.ts'
import { type BillingPeriod, dayStart, type LocalDate, localDate } from '../../../kernel/time.ts'
import { COMPARED_DAYS_MIN, chooseShape, type Rate, type Rates, ratesBy, type Shape } from './shape.ts'
import {
  countMissing,
  datesBetween,
  exhaustionDate,
  knownDays,
  monthOf,
  type YearUsage,
} from './year-usage.ts'

/** Days of which the present pace is the mean. */
const RECENT_DAYS = 28
/**
 * From this number of days on, a comparison with last year is good, and a plain mean is poor for the days
 * ahead.
 */
const SEASON_DAYS = 60

export interface ForecastInput {
  readonly year: number
  readonly now: number
  readonly current: YearUsage
  readonly lastYear?: YearUsage | undefined
  /**
   * Production of the group's plants last year by local date. While a limit lasts, the whole production of a
   * group draws on it, as matched energy or as paid surplus: so it has the shape of its use.
   */
  readonly lastYearProduction?: ReadonlyMap<LocalDate, Kwh> | undefined
}

export type Basis = 'last_year_usage' | 'last_year_production' | 'recent_average' | 'none'

export interface MonthAhead extends Rate {
  readonly month: BillingPeriod
  /** Days of it that lie ahead. */
  readonly days: number
}

export interface Forecast {
  readonly basis: Basis
  readonly usedKwh: Kwh
  /**
   * The first day that is not wholly calculated, where the forecast begins; may be after the end of the year.
   */
  readonly fromDate: LocalDate
  /**
   * Days between the first and the last calculated hour that are not wholly calculated: not in the figures.
   */
  readonly missingDays: number
  /** Mean of the last 28 whole days (or fewer); null without any. */
  readonly recentPerDayKwh: Kwh | null
  readonly recentDays: number
  /** Whole days that last year has too; this year's use on them, and last year's use or production. */
  readonly comparedDays: number
  readonly comparedKwh: Kwh
  readonly comparedLastYearKwh: Kwh
  readonly months: readonly MonthAhead[]
  /** Use from `fromDate` to the end of the year, were there no limit. */
  readonly expectedKwh: Kwh
  readonly isExhausted: boolean
  /** The day on which the limit is, or was, used up; null where it lasts the year. */
  readonly runOutDate: LocalDate | null
  readonly remainingAtYearEndKwh: Kwh
  /** Expected use that will find no limit. */
  readonly shortfallKwh: Kwh
  readonly confidence: 'high' | 'medium' | 'low'
}

/**
 * Forecasts when an account's limit runs out. Each day ahead equals the mean day of its month last year,
 * scaled by this year's usage over last year's on the days that both have. Without a usable last year it
 * equals the mean of the last 28 days.
 */
export function forecastLimit(input: ForecastInput): Forecast {
  const { current, year } = input
  const usedKwh = total(current.usedByDay.values())
  const known = knownDays(current, year)
  const recent = [...known].slice(-RECENT_DAYS).map(([, kwh]) => kwh)
  const recentPerDayKwh = meanOf(recent)
  const fromDate = firstDayAhead(input)
  const ahead = datesBetween(fromDate, `${year + 1}-01-01`)
  const lastYear = {
    usage: input.lastYear && knownDays(input.lastYear, year - 1),
    production: input.lastYearProduction,
  }
  const shape = chooseShape(lastYear, known, ahead)
  const rateOf = ratesBy(shape, recentPerDayKwh)
  const expected = ahead.map((date, index) => {
    const rateKwh = rateOf(date).perDayKwh
    const booked = index === 0 ? (current.usedByDay.get(date) ?? ZERO_KWH) : ZERO_KWH
    return [date, larger(subtract(rateKwh, booked), ZERO_KWH)] as const
  })
  const expectedKwh = total(expected.map(([, kwh]) => kwh))
  const basis = shape?.basis ?? (recentPerDayKwh === null ? 'none' : 'recent_average')
  const missingDays = countMissing(current.calculated)
  const months = monthsAhead(ahead, rateOf)
  const remaining = larger(current.remainingKwh, ZERO_KWH)
  const exhausted = exhaustionDate(current, year)
  return {
    basis,
    usedKwh,
    fromDate,
    missingDays,
    recentPerDayKwh,
    recentDays: recent.length,
    comparedDays: shape?.days ?? 0,
    comparedKwh: shape?.usedKwh ?? ZERO_KWH,
    comparedLastYearKwh: shape?.lastYearKwh ?? ZERO_KWH,
    months,
    expectedKwh,
    isExhausted: exhausted !== null,
    runOutDate: exhausted ?? runOutDate(expected, remaining),
    remainingAtYearEndKwh: subtract(current.remainingKwh, smaller(expectedKwh, remaining)),
    shortfallKwh: larger(subtract(expectedKwh, remaining), ZERO_KWH),
    confidence: confidenceOf({ basis, missingDays, months, shape, recentDays: recent.length }),
  }
}

function firstDayAhead({ year, now, current }: ForecastInput): LocalDate {
  const [start, end] = [dayStart(`${year}-01-01`), dayStart(`${year + 1}-01-01`)]
  const ends = current.calculated.map((range) => range.to)
  return localDate(Math.min(Math.max(start, ...(ends.length > 0 ? ends : [now])), end))
}

const meanOf = (values: readonly Kwh[]): Kwh | null =>
  values.length === 0 ? null : wh(roundDiv(total(values), BigInt(values.length)))

function monthsAhead(ahead: readonly LocalDate[], rateOf: Rates): MonthAhead[] {
  const days = new Map<BillingPeriod, number>()
  for (const date of ahead) {
    const month = monthOf(date)
    days.set(month, (days.get(month) ?? 0) + 1)
  }
  return [...days].map(([month, count]) => ({ month, days: count, ...rateOf(month) }))
}

function runOutDate(expected: readonly (readonly [LocalDate, Kwh])[], remainingKwh: Kwh): LocalDate | null {
  let sum = ZERO_KWH
  for (const [date, kwh] of expected) {
    sum = add(sum, kwh)
    if (sum >= remainingKwh) return date
  }
  return null
}

interface ConfidenceInput {
  readonly basis: Basis
  readonly missingDays: number
  readonly months: readonly MonthAhead[]
  readonly shape: Shape | undefined
  readonly recentDays: number
}

function confidenceOf({
  basis,
  missingDays,
  months,
  shape,
  recentDays,
}: ConfidenceInput): Forecast['confidence'] {
  const daysAhead = months.reduce((sum, month) => sum + month.days, 0)
  if (daysAhead === 0) return missingDays === 0 ? 'high' : 'medium'
  if (basis === 'none') return 'low'
  if (basis === 'recent_average') {
    return recentDays >= COMPARED_DAYS_MIN && daysAhead <= SEASON_DAYS ? 'medium' : 'low'
  }
  const isWhole = missingDays === 0 && months.every((month) => month.lastYearPerDayKwh !== null)
  if (shape && shape.days < COMPARED_DAYS_MIN) return 'low'
  return isWhole && shape && shape.days >= SEASON_DAYS ? 'high' : 'medium'
}
