import { add, type Kwh, roundDiv, total, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { addMonths, type BillingPeriod, type LocalDate } from '../../../kernel/time.ts'
import { monthOf } from './year-usage.ts'

/** Minimum number of common days for a comparison of this year with the last. */
export const COMPARED_DAYS_MIN = 14
/** Minimum number of known days for the mean of a month. */
const MONTH_DAYS_MIN = 10

/** Last year's days as a measure of this year's. */
export interface Shape {
  readonly basis: 'last_year_usage' | 'last_year_production'
  readonly byMonth: ReadonlyMap<BillingPeriod, MonthMean>
  readonly days: number
  readonly usedKwh: Kwh
  readonly lastYearKwh: Kwh
  /** This year is last year times over / under. */
  readonly over: bigint
  readonly under: bigint
}

export interface LastYear {
  readonly usage?: ReadonlyMap<LocalDate, Kwh> | undefined
  readonly production?: ReadonlyMap<LocalDate, Kwh> | undefined
}

/** The first of last year's use and last year's production that knows at least half of the days ahead. */
export function chooseShape(
  { usage, production }: LastYear,
  known: ReadonlyMap<LocalDate, Kwh>,
  ahead: readonly LocalDate[],
): Shape | undefined {
  const shapes = [
    usage && scaledShape('last_year_usage', usage, known),
    production && scaledShape('last_year_production', production, known),
  ]
  return shapes.find((shape) => {
    if (!shape) return false
    const covered = ahead.filter((date) => monthMean(shape, date) !== null).length
    return ahead.length > 0 && covered * 2 >= ahead.length
  })
}

/**
 * With too few common days last year's usage is used unscaled, while production, which several accounts
 * share, is not used.
 */
function scaledShape(
  basis: Shape['basis'],
  byDay: ReadonlyMap<LocalDate, Kwh>,
  known: ReadonlyMap<LocalDate, Kwh>,
): Shape | undefined {
  let days = 0
  let usedKwh = ZERO_KWH
  let lastYearKwh = ZERO_KWH
  for (const [date, kwh] of known) {
    const before = byDay.get(sameDayLastYear(date))
    if (before === undefined) continue
    days += 1
    usedKwh = add(usedKwh, kwh)
    lastYearKwh = add(lastYearKwh, before)
  }
  const facts = { basis, byMonth: monthMeans(byDay), days, usedKwh, lastYearKwh }
  if (days >= COMPARED_DAYS_MIN) {
    return lastYearKwh > 0n ? { ...facts, over: usedKwh, under: lastYearKwh } : undefined
  }
  return basis === 'last_year_usage' ? { ...facts, over: 1n, under: 1n } : undefined
}

/** 29 February compares with the 28th. */
function sameDayLastYear(date: LocalDate): LocalDate {
  const day = date.slice(5) === '02-29' ? '02-28' : date.slice(5)
  return `${Number(date.slice(0, 4)) - 1}-${day}`
}

interface MonthMean {
  readonly sumKwh: Kwh
  readonly days: number
}

function monthMeans(byDay: ReadonlyMap<LocalDate, Kwh>): Map<BillingPeriod, MonthMean> {
  const means = new Map<BillingPeriod, MonthMean>()
  for (const [date, kwh] of byDay) {
    const month = monthOf(date)
    const { sumKwh, days } = means.get(month) ?? { sumKwh: ZERO_KWH, days: 0 }
    means.set(month, { sumKwh: add(sumKwh, kwh), days: days + 1 })
  }
  return means
}

/** The mean of last year for the month of a date; null with too few known days. */
function monthMean({ byMonth }: Shape, date: LocalDate): MonthMean | null {
  const mean = byMonth.get(addMonths(monthOf(date), -12))
  return mean && mean.days >= MONTH_DAYS_MIN ? mean : null
}

export interface Rate {
  /** Mean of last year's known days of the month; null where there are too few. */
  readonly lastYearPerDayKwh: Kwh | null
  readonly perDayKwh: Kwh
}
export type Rates = (date: LocalDate) => Rate

/**
 * A month that last year does not know has the present pace; without one the mean of what last year knows.
 */
export function ratesBy(shape: Shape | undefined, recentPerDayKwh: Kwh | null): Rates {
  const scaled = ({ sumKwh, days }: MonthMean): Kwh =>
    shape ? wh(roundDiv(sumKwh * shape.over, BigInt(days) * shape.under)) : ZERO_KWH
  const means = [...(shape?.byMonth.values() ?? [])]
  const whole = { sumKwh: total(means.map((m) => m.sumKwh)), days: means.reduce((sum, m) => sum + m.days, 0) }
  const fallback = recentPerDayKwh ?? (whole.days > 0 ? scaled(whole) : ZERO_KWH)
  const rates = new Map<BillingPeriod, Rate>()
  return (date) => {
    const month = monthOf(date)
    const mean = shape ? monthMean(shape, date) : null
    const rate = rates.get(month) ?? {
      lastYearPerDayKwh: mean && wh(roundDiv(mean.sumKwh, BigInt(mean.days))),
      perDayKwh: mean ? scaled(mean) : fallback,
    }
    rates.set(month, rate)
    return rate
  }
}
