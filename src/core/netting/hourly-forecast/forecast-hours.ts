import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { turkishHoliday } from './holidays.ts'
import { BAND_PERCENT, weightedQuantiles } from './quantiles.ts'
import { consumptionModel, type Model, productionModel, smoothSeason } from './samples.ts'
import {
  endOf,
  type HolidayCalendar,
  type HourlySeries,
  makeDayClasses,
  valueAt,
  valuesOf,
} from './series.ts'

export interface HourlyForecastInput {
  readonly kind: 'consumption' | 'production'
  /** What is known; the forecast uses the hours before `from` only. */
  readonly history: HourlySeries
  /** The first hour to forecast; at or after the end of the history. */
  readonly from: number
  readonly hours: number
  /** The season of a plant: parts of a year's yield for each hour of a leap year; empty: none. */
  readonly solarShape: readonly number[]
  readonly calendar?: HolidayCalendar | undefined
}

/** Quantiles of the energy of each hour. Null: the history says nothing about the hour. */
export interface HourlyForecast {
  readonly from: number
  readonly p10: readonly (Kwh | null)[]
  readonly p50: readonly (Kwh | null)[]
  readonly p90: readonly (Kwh | null)[]
  /** How the band was calibrated: held-back hours, and the factors of its halves in thousandths. */
  readonly calibration: Calibration
}

export interface Calibration {
  readonly heldBackHours: number
  readonly lowerPermille: number
  readonly upperPermille: number
}

/** Known hours before the forecast, without which there is none. */
const HISTORY_HOURS_MIN = 14 * 24
/** Origins of the calibration, and their distance. */
const CALIBRATIONS = 3
const CALIBRATION_DAYS = 30
const CALIBRATION_HOURS_MIN = 10 * 24
const FACTOR_MIN = 0.5
const FACTOR_MAX = 4

interface Band {
  readonly low: number
  readonly mid: number
  readonly high: number
}

/** The coming hours from the hours before. Deterministic: equal input gives equal values on every machine. */
export function forecastHours(input: HourlyForecastInput): HourlyForecast {
  const { history, from, hours } = input
  const values = valuesOf(history)
  const origin = Math.min(from, endOf(values))
  const modelAt = makeModels(input, values)
  const { calibration, lower, upper } = calibrate(values, origin, modelAt)
  const model = modelAt(origin)
  const isKnown = countKnown(values, origin) >= HISTORY_HOURS_MIN
  const bands = Array.from({ length: hours }, (_, index) =>
    isKnown ? widen(bandOf(model, from + index * HOUR_MS), lower, upper) : undefined,
  )
  const list = (field: keyof Band) => bands.map((band): Kwh | null => (band ? wh(BigInt(band[field])) : null))
  return { from, p10: list('low'), p50: list('mid'), p90: list('high'), calibration }
}

function makeModels(
  { kind, solarShape, calendar = turkishHoliday }: HourlyForecastInput,
  values: ReturnType<typeof valuesOf>,
): (origin: number) => Model {
  if (kind === 'production') {
    const season = smoothSeason(solarShape)
    return (origin) => productionModel({ values, origin, season })
  }
  const classOf = makeDayClasses(calendar)
  return (origin) => consumptionModel({ values, origin, classOf })
}

function countKnown(values: ReturnType<typeof valuesOf>, origin: number): number {
  let known = 0
  for (let hour = values.from; hour < origin; hour += HOUR_MS)
    if (!Number.isNaN(valueAt(values, hour))) known += 1
  return known
}

function bandOf(model: Model, hour: number): Band | undefined {
  const [low, mid, high] = weightedQuantiles(model.samplesOf(hour), BAND_PERCENT) ?? []
  return low === undefined || mid === undefined || high === undefined ? undefined : { low, mid, high }
}

const widen = (band: Band | undefined, lower: number, upper: number): Band | undefined =>
  band && {
    low: Math.max(0, Math.round(band.mid - lower * (band.mid - band.low))),
    mid: band.mid,
    high: Math.round(band.mid + upper * (band.high - band.mid)),
  }

/**
 * Forecasts months that are known, each from the hours before it, and finds the factors of the two halves of the band
 * with which a tenth of their hours would have been below it, and a tenth above it.
 */
function calibrate(
  values: ReturnType<typeof valuesOf>,
  origin: number,
  modelAt: (origin: number) => Model,
): { calibration: Calibration; lower: number; upper: number } {
  const below: number[] = []
  const above: number[] = []
  for (let index = 1; index <= CALIBRATIONS; index += 1) {
    const at = origin - index * CALIBRATION_DAYS * DAY_MS
    if (countKnown(values, at) < HISTORY_HOURS_MIN) break
    const model = modelAt(at)
    for (let hour = at; hour < at + CALIBRATION_DAYS * DAY_MS; hour += HOUR_MS) {
      const value = valueAt(values, hour)
      const band = Number.isNaN(value) ? undefined : bandOf(model, hour)
      if (!band || band.low === band.high) continue
      below.push(distance(band.mid - value, band.mid - band.low))
      above.push(distance(value - band.mid, band.high - band.mid))
    }
  }
  const [lower, upper] = [factorOf(below), factorOf(above)]
  const calibration = {
    heldBackHours: below.length,
    lowerPermille: Math.round(lower * 1000),
    upperPermille: Math.round(upper * 1000),
  }
  return { calibration, lower, upper }
}

const distance = (miss: number, half: number): number =>
  half > 0 ? miss / half : miss > 0 ? Number.POSITIVE_INFINITY : 0

/** The factor that nine tenths of the distances do not exceed. */
function factorOf(distances: number[]): number {
  if (distances.length < CALIBRATION_HOURS_MIN) return 1
  distances.sort((a, b) => a - b)
  const found = distances[Math.ceil(distances.length * 0.9) - 1] ?? 1
  return Math.min(Math.max(found, FACTOR_MIN), FACTOR_MAX)
}
