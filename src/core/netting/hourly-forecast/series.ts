import { floatAt } from '../../../kernel/checked.ts'
import type { Kwh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, localDate, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import type { Holiday } from './holidays.ts'

/** Energy by hour; null: unknown. */
export interface HourlySeries {
  /** The start of the first hour. */
  readonly from: number
  readonly valuesKwh: readonly (Kwh | null)[]
}

/**
 * A series as numbers of Wh, which are exact up to 2^53. NaN: unknown. Each day of the local clock has 24 hours,
 * because Turkey has no daylight saving time.
 */
export interface Values {
  readonly from: number
  readonly wh: Float64Array
}

export const valuesOf = ({ from, valuesKwh }: HourlySeries): Values => ({
  from,
  wh: Float64Array.from(valuesKwh, (value) => (value === null ? Number.NaN : Number(value))),
})

export const endOf = ({ from, wh }: Values): number => from + wh.length * HOUR_MS

/** NaN outside of the series. */
export function valueAt({ from, wh }: Values, hour: number): number {
  const index = (hour - from) / HOUR_MS
  return index >= 0 && index < wh.length ? floatAt(wh, index) : Number.NaN
}

export type HolidayCalendar = (date: string) => Holiday | undefined

/** Days with the same course of consumption. */
export type DayClass = 'workday' | 'saturday' | 'sunday' | 'holiday'

const MONDAY_1970 = 4
const HALF_DAY_HOUR = 13

export const localDay = (hour: number): number => Math.floor((hour + TURKEY_OFFSET_MS) / DAY_MS)
export const clockHour = (hour: number): number =>
  Math.floor((hour + TURKEY_OFFSET_MS) / HOUR_MS) - localDay(hour) * 24
/** 0: Monday. */
export const weekdayOf = (hour: number): number => (localDay(hour) + 7 - MONDAY_1970) % 7

/** The class of an hour: a half day is a holiday from 13:00 on. Classes of days are kept, because they repeat. */
export function makeDayClasses(calendar: HolidayCalendar): (hour: number) => DayClass {
  const known = new Map<number, readonly [DayClass, DayClass]>()
  const classesOf = (hour: number): readonly [DayClass, DayClass] => {
    const weekday = weekdayOf(hour)
    const plain = weekday < 5 ? 'workday' : weekday === 5 ? 'saturday' : 'sunday'
    const holiday = calendar(localDate(hour))
    return [holiday === 'full' ? 'holiday' : plain, holiday ? 'holiday' : plain]
  }
  return (hour) => {
    const day = localDay(hour)
    const classes = known.get(day) ?? classesOf(hour)
    known.set(day, classes)
    return clockHour(hour) < HALF_DAY_HOUR ? classes[0] : classes[1]
  }
}
