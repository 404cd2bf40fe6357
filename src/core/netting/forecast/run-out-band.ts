import { add, type Kwh, larger, roundDiv, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import type { LocalDate } from '../../../kernel/time.ts'
import type { Forecast } from './forecast.ts'
import { datesBetween, monthOf } from './year-usage.ts'

/** The expected use of a day, with a low and a high bound. */
export interface DayUse {
  readonly lowKwh: Kwh
  readonly midKwh: Kwh
  readonly highKwh: Kwh
}

export interface RunOutBand {
  /** The day on which a high use exhausts the limit; null: it lasts the year. */
  readonly earlyDate: LocalDate | null
  readonly expectedDate: LocalDate | null
  readonly lateDate: LocalDate | null
}

interface RunOutInput {
  /** The forecast of the year by months. */
  readonly forecast: Pick<Forecast, 'fromDate' | 'months'>
  readonly year: number
  readonly remainingKwh: Kwh
  /** What is used of the first day already. */
  readonly bookedKwh: Kwh
  /** The days that the forecast by hours covers. */
  readonly days: ReadonlyMap<LocalDate, DayUse>
}

/**
 * The days on which a limit runs out with a high, the expected and a low use. Days that the forecast by hours covers
 * have its use. Other days have that of their month, multiplied for the bounds by the ratio of the bound to the
 * expected use over all covered days. Undefined where no day ahead is covered.
 */
export function runOutBand({
  forecast,
  year,
  remainingKwh,
  bookedKwh,
  days,
}: RunOutInput): RunOutBand | undefined {
  const ahead = datesBetween(forecast.fromDate, `${year + 1}-01-01`)
  const covered = ahead.flatMap((date) => days.get(date) ?? [])
  if (covered.length === 0) return undefined
  const rates = new Map(forecast.months.map(({ month, perDayKwh }) => [month, perDayKwh]))
  const midKwh = covered.reduce((sum, day) => add(sum, day.midKwh), ZERO_KWH)
  const dateOf = (field: keyof DayUse): LocalDate | null => {
    const boundKwh = covered.reduce((sum, day) => add(sum, day[field]), ZERO_KWH)
    const scaled = (kwh: Kwh): Kwh => (midKwh > 0n ? wh(roundDiv(kwh * boundKwh, midKwh)) : kwh)
    let sum = ZERO_KWH
    for (const [index, date] of ahead.entries()) {
      const day = days.get(date)
      const use = day ? day[field] : scaled(rates.get(monthOf(date)) ?? ZERO_KWH)
      sum = add(sum, index === 0 ? larger(subtract(use, bookedKwh), ZERO_KWH) : use)
      if (sum >= remainingKwh) return date
    }
    return null
  }
  return { earlyDate: dateOf('highKwh'), expectedDate: dateOf('midKwh'), lateDate: dateOf('lowKwh') }
}
