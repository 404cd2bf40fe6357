import { createHash, type Hash } from 'node:crypto'
import {
  forecastHours,
  type HourlyForecast,
  type HourlyForecastInput,
} from '../../../core/netting/hourly-forecast/forecast-hours.ts'
import {
  addScore,
  emptySums,
  type ForecastScore,
  scoreOf,
} from '../../../core/netting/hourly-forecast/score.ts'
import type { HourlySeries } from '../../../core/netting/hourly-forecast/series.ts'
import { formatKwh, type Kwh, wh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

export type SeriesKind = HourlyForecastInput['kind']

/** The known hours of a facility; it ends at the forecast or at the last complete hour. */
export interface SeriesWork {
  readonly facilityId: string
  readonly kind: SeriesKind
  readonly history: HourlySeries
}

/** Everything that the computation of a forecast needs, as data that can be sent to a thread. */
export interface ForecastWork {
  readonly from: number
  readonly hours: number
  readonly facilityIds: readonly string[]
  readonly series: readonly SeriesWork[]
  readonly solarShape: readonly number[]
}

/** Quantiles in Wh; null: unknown. */
export interface Quantiles {
  readonly p10: readonly (number | null)[]
  readonly p50: readonly (number | null)[]
  readonly p90: readonly (number | null)[]
}

export interface ScoreText {
  readonly hours: number
  readonly mae_kwh: string | null
  readonly naive_week_mae_kwh: string | null
  readonly naive_year_mae_kwh: string | null
  readonly pinball_kwh: string | null
  readonly coverage_pct: number | null
}

export interface CalibrationText {
  readonly hours: number
  readonly lower_factor: number
  readonly upper_factor: number
}

export interface ComputedSeries {
  readonly facilityId: string
  readonly kind: SeriesKind
  readonly historyFrom: number
  readonly historyHours: number
  readonly quantiles: Quantiles
  readonly calibration: CalibrationText
  readonly score: ScoreText
}

export interface ForecastOutcome {
  readonly series: readonly ComputedSeries[]
  readonly inputHash: string
}

/** Changed with the method: a result depends on it as on the input. */
const METHOD = 'hourly-forecast 1'
/** The last days of the history are held back for the score. */
const SCORED_DAYS = 30

/** Computes a forecast; `onFacility` is called after each facility. */
export function computeWork(work: ForecastWork, onFacility?: () => void): ForecastOutcome {
  const hash = createHash('sha256').update(`${METHOD}\n${work.from} ${work.hours}\n`)
  hash.update(JSON.stringify(work.solarShape))
  const series = work.facilityIds.flatMap((facilityId) => {
    const own = work.series.filter((one) => one.facilityId === facilityId)
    const computed = own.map((one) => computeSeries(work, one, hash))
    onFacility?.()
    return computed
  })
  return { series, inputHash: hash.digest('hex') }
}

function computeSeries(
  { from, hours, solarShape }: ForecastWork,
  { facilityId, kind, history }: SeriesWork,
  hash: Hash,
): ComputedSeries {
  hash.update(`${facilityId} ${kind} ${history.from}\n${history.valuesKwh.join(' ')}\n`)
  const forecast = forecastHours({ kind, history, from, hours, solarShape })
  const end = history.from + history.valuesKwh.length * HOUR_MS
  const sums = emptySums()
  const scored = { from: end - SCORED_DAYS * DAY_MS, hours: SCORED_DAYS * 24 }
  addScore(sums, { kind, history, solarShape, ...scored })
  const first = history.valuesKwh.findIndex((value) => value !== null)
  return {
    ...{ facilityId, kind },
    historyFrom: history.from + Math.max(0, first) * HOUR_MS,
    historyHours: history.valuesKwh.filter((value) => value !== null).length,
    quantiles: quantilesOf(forecast),
    calibration: {
      hours: forecast.calibration.heldBackHours,
      lower_factor: forecast.calibration.lowerPermille / 1000,
      upper_factor: forecast.calibration.upperPermille / 1000,
    },
    score: scoreText(scoreOf(sums)),
  }
}

function quantilesOf({ p10, p50, p90 }: HourlyForecast): Quantiles {
  const numbers = (values: readonly (Kwh | null)[]) =>
    values.map((value) => (value === null ? null : Number(value)))
  return { p10: numbers(p10), p50: numbers(p50), p90: numbers(p90) }
}

const kwhText = (value: bigint | null): string | null => (value === null ? null : formatKwh(wh(value)))

const scoreText = (score: ForecastScore): ScoreText => ({
  hours: score.hours,
  mae_kwh: kwhText(score.maeWh),
  naive_week_mae_kwh: kwhText(score.weekMaeWh),
  naive_year_mae_kwh: kwhText(score.yearMaeWh),
  pinball_kwh: kwhText(score.pinballWh),
  coverage_pct: score.coveragePermille === null ? null : score.coveragePermille / 10,
})
