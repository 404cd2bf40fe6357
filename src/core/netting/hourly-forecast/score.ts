import { roundDiv } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { forecastHours, type HourlyForecastInput } from './forecast-hours.ts'
import { type HourlySeries, valueAt, valuesOf } from './series.ts'

/** How a forecast met what was measured then. Errors are means of an hour in Wh; null: nothing to compare. */
export interface ForecastScore {
  /** Hours with a measured value and a forecast. */
  readonly hours: number
  /** Mean absolute error of the median. */
  readonly maeWh: bigint | null
  /** The same of the last week before the forecast, repeated. */
  readonly weekMaeWh: bigint | null
  /** The same of the hours 52 weeks before. */
  readonly yearMaeWh: bigint | null
  /** Mean of the pinball losses of the three quantiles. */
  readonly pinballWh: bigint | null
  /** Hours within the band, in thousandths of the hours with energy; 800 is right. */
  readonly coveragePermille: number | null
}

const WEEK_HOURS = 7 * 24
const YEAR_MS = 52 * 7 * DAY_MS

/** Sums of several scores; errors in Wh. */
export interface ScoreSums {
  hours: number
  error: number
  weekHours: number
  weekError: number
  yearHours: number
  yearError: number
  pinball: number
  inBand: number
  bandHours: number
}

export const emptySums = (): ScoreSums => ({
  hours: 0,
  error: 0,
  weekHours: 0,
  weekError: 0,
  yearHours: 0,
  yearError: 0,
  pinball: 0,
  inBand: 0,
  bandHours: 0,
})

/** Forecasts hours that are known from the hours before them, and adds the errors. */
export function addScore(sums: ScoreSums, input: HourlyForecastInput): void {
  const { history, from, hours } = input
  const known = valuesOf(history)
  const before: HourlySeries = {
    from: history.from,
    valuesKwh: history.valuesKwh.slice(0, Math.max(0, (from - history.from) / HOUR_MS)),
  }
  const { p10, p50, p90 } = forecastHours({ ...input, history: before })
  for (let index = 0; index < hours; index += 1) {
    const hour = from + index * HOUR_MS
    const value = valueAt(known, hour)
    const [low, mid, high] = [p10[index], p50[index], p90[index]]
    if (Number.isNaN(value) || low == null || mid == null || high == null) continue
    const quantiles: readonly (readonly [number, number])[] = [
      [Number(low), 10],
      [Number(mid), 50],
      [Number(high), 90],
    ]
    sums.hours += 1
    sums.error += Math.abs(value - Number(mid))
    for (const [quantile, percent] of quantiles) sums.pinball += pinball(value - quantile, percent)
    if (value > 0 || high > 0n) {
      sums.bandHours += 1
      if (value >= Number(low) && value <= Number(high)) sums.inBand += 1
    }
    const week = valueAt(known, from + ((index % WEEK_HOURS) - WEEK_HOURS) * HOUR_MS)
    if (!Number.isNaN(week)) {
      sums.weekHours += 1
      sums.weekError += Math.abs(value - week)
    }
    const year = valueAt(known, hour - YEAR_MS)
    if (!Number.isNaN(year)) {
      sums.yearHours += 1
      sums.yearError += Math.abs(value - year)
    }
  }
}

/** In hundredths of a Wh, so that sums are exact. */
const pinball = (miss: number, percent: number): number =>
  miss >= 0 ? percent * miss : (percent - 100) * miss

export function scoreOf(sums: ScoreSums): ForecastScore {
  const { hours, weekHours, yearHours, bandHours } = sums
  return {
    hours,
    maeWh: mean(sums.error, hours),
    // A naive forecast counts where it has a value for as many hours.
    weekMaeWh: weekHours === hours ? mean(sums.weekError, hours) : null,
    yearMaeWh: yearHours === hours ? mean(sums.yearError, hours) : null,
    pinballWh: mean(sums.pinball, hours * 300),
    coveragePermille: bandHours === 0 ? null : Math.round((sums.inBand * 1000) / bandHours),
  }
}

const mean = (sum: number, count: number): bigint | null =>
  count === 0 ? null : roundDiv(BigInt(sum), BigInt(count))
