import { floatAt } from '../../../kernel/checked.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import type { Sample } from './quantiles.ts'
import { clockHour, type DayClass, localDay, type Values, valueAt, weekdayOf } from './series.ts'

export interface Model {
  /** Possible values of an hour. Only hours before `origin` are read. */
  samplesOf(hour: number): Sample[]
}

interface ModelOptions {
  readonly values: Values
  /** The first hour that is not known. */
  readonly origin: number
}

/** Days before the origin from which the present pace is taken. */
const RECENT_DAYS = 56
/** Weeks before the origin from which the weather of a plant is taken. */
const WEATHER_WEEKS = 6
/** 52 weeks: the same weekday of the year before. */
const YEAR_MS = 364 * DAY_MS
/** Days on each side of a date that stand for its season. */
const SEASON_DAYS = 14
/** Known hours that both sides of a ratio need. */
const RATIO_HOURS_MIN = 10 * 24
/** A season changes a consumption at most by this factor; more is a change of the facility. */
const SEASON_FACTOR_MAX = 3
const WEEK_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1] as const
const LAST_YEAR_WEIGHT = 4

interface ConsumptionOptions extends ModelOptions {
  readonly classOf: (hour: number) => DayClass
}

/**
 * Consumption: the same hour of days of the same class of the last eight weeks, the later the heavier, multiplied by
 * what the season did in the year before; and of the days around the same date of the year before, multiplied by the
 * ratio of this year to that one. Holidays take earlier holidays, and Sundays where there are fewer than two.
 */
export function consumptionModel({ values, origin, classOf }: ConsumptionOptions): Model {
  const firstDay = localDay(origin)
  const recent = { from: origin - RECENT_DAYS * DAY_MS, to: origin }
  const recentLastYear = sumOf(values, { from: recent.from - YEAR_MS, to: recent.to - YEAR_MS })
  const level = ratioOf(sumOf(values, recent), recentLastYear)
  const holidays = hoursOfClass(values, origin, classOf, 'holiday')
  const seasons = new Map<number, number>()
  const seasonOf = (hour: number): number => {
    const day = localDay(hour)
    const known = seasons.get(day)
    if (known !== undefined) return known
    const center = hour - YEAR_MS
    const around = { from: center - SEASON_DAYS * DAY_MS, to: center + SEASON_DAYS * DAY_MS }
    const season = ratioOf(sumOf(values, around), recentLastYear) ?? 1
    seasons.set(day, season)
    return season
  }
  const pastOf = (hour: number, dayClass: DayClass): Sample[] => {
    const samples: Sample[] = []
    for (let day = 1; day <= RECENT_DAYS; day += 1) {
      const past = hour - (localDay(hour) - firstDay + day) * DAY_MS
      if (past >= origin || classOf(past) !== dayClass) continue
      const weekWeight = WEEK_WEIGHTS[Math.floor((day - 1) / 7)] ?? 1
      const weight = weekdayOf(past) === weekdayOf(hour) ? weekWeight * 2 : weekWeight
      push(samples, valueAt(values, past) * seasonOf(hour), weight)
    }
    if (level === undefined) return samples
    for (let day = -SEASON_DAYS; day <= SEASON_DAYS; day += 1) {
      const past = hour - YEAR_MS + day * DAY_MS
      if (past < origin && classOf(past) === dayClass)
        push(samples, valueAt(values, past) * level, LAST_YEAR_WEIGHT)
    }
    return samples
  }
  return {
    samplesOf(hour) {
      const dayClass = classOf(hour)
      if (dayClass !== 'holiday') return pastOf(hour, dayClass)
      const samples: Sample[] = []
      for (const past of holidays.get(clockHour(hour)) ?? []) push(samples, valueAt(values, past), 1)
      return samples.length >= 2 ? samples : [...samples, ...pastOf(hour, 'sunday')]
    },
  }
}

/** The known hours of a class by hour of the clock. */
function hoursOfClass(
  values: Values,
  origin: number,
  classOf: (hour: number) => DayClass,
  dayClass: DayClass,
): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let hour = values.from; hour < origin; hour += HOUR_MS) {
    if (classOf(hour) !== dayClass || Number.isNaN(valueAt(values, hour))) continue
    found.set(clockHour(hour), [...(found.get(clockHour(hour)) ?? []), hour])
  }
  return found
}

function push(samples: Sample[], value: number, weight: number): void {
  if (!Number.isNaN(value)) samples.push({ value: Math.round(value), weight })
}

interface Sum {
  readonly hours: number
  readonly wh: number
}

function sumOf(values: Values, { from, to }: { readonly from: number; readonly to: number }): Sum {
  let hours = 0
  let wh = 0
  for (let hour = from; hour < to; hour += HOUR_MS) {
    const value = valueAt(values, hour)
    if (Number.isNaN(value)) continue
    hours += 1
    wh += value
  }
  return { hours, wh }
}

/** Mean of one by mean of the other; undefined where too little of either is known, or nothing was used. */
function ratioOf(a: Sum, b: Sum): number | undefined {
  if (a.hours < RATIO_HOURS_MIN || b.hours < RATIO_HOURS_MIN || a.wh <= 0 || b.wh <= 0) return undefined
  const ratio = (a.wh * b.hours) / (a.hours * b.wh)
  return Math.min(Math.max(ratio, 1 / SEASON_FACTOR_MAX), SEASON_FACTOR_MAX)
}

interface ProductionOptions extends ModelOptions {
  /** The expected production of a date and hour in any unit, by day of a leap year (0 to 365) times 24. */
  readonly season: Float64Array
}

/** Expected production below this part of that of the date's best hour is taken as it was, not as a ratio. */
const EDGE_PART = 50

/**
 * Production of a solar plant: the same hour of the last six weeks, each multiplied by what the season expects of the
 * date through what it expected then; the later the heavier. The spread of the samples is the weather.
 */
export function productionModel({ values, origin, season }: ProductionOptions): Model {
  const firstDay = localDay(origin)
  return {
    samplesOf(hour) {
      const samples: Sample[] = []
      const expected = seasonAt(season, hour)
      const edge = bestOf(season, hour) / EDGE_PART
      for (let day = 1; day <= WEATHER_WEEKS * 7; day += 1) {
        const past = hour - (localDay(hour) - firstDay + day) * DAY_MS
        if (past >= origin) continue
        const then = seasonAt(season, past)
        const ratio = then > edge && expected > edge ? expected / then : expected > 0 || then === 0 ? 1 : 0
        push(samples, valueAt(values, past) * ratio, WEATHER_WEEKS - Math.floor((day - 1) / 7))
      }
      return samples
    },
  }
}

const seasonAt = (season: Float64Array, hour: number): number =>
  season.length === 0 ? 1 : floatAt(season, leapDay(hour) * 24 + clockHour(hour))

function bestOf(season: Float64Array, hour: number): number {
  if (season.length === 0) return 0
  const day = leapDay(hour) * 24
  return season.subarray(day, day + 24).reduce((best, value) => Math.max(best, value), 0)
}

const LEAP_YEAR_START = Date.UTC(2024, 0, 1)

/** The day within a leap year. */
function leapDay(hour: number): number {
  const date = new Date(localDay(hour) * DAY_MS)
  return (Date.UTC(2024, date.getUTCMonth(), date.getUTCDate()) - LEAP_YEAR_START) / DAY_MS
}

/** Of the days around a date, three quarters produced less: the height of the sun counts, and clouds do not. */
const CLEAR_DAY = 0.75

/** What a rather clear day around each date produces, so that the weather of the year of the shape does not count. */
export function smoothSeason(shape: readonly number[]): Float64Array {
  const days = shape.length / 24
  const smooth = new Float64Array(shape.length)
  for (let index = 0; index < shape.length; index += 1) {
    const around: number[] = []
    for (let day = -SEASON_DAYS; day <= SEASON_DAYS; day += 1)
      around.push(shape[(index + day * 24 + shape.length) % shape.length] ?? 0)
    around.sort((a, b) => a - b)
    smooth[index] = around[Math.floor(around.length * CLEAR_DAY)] ?? 0
  }
  return days === 0 ? new Float64Array() : smooth
}
