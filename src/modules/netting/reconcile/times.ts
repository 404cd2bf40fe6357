import {
  type BillingPeriod,
  dayStart,
  HOUR_MS,
  iso,
  localDate,
  parseInstant,
  parsePeriod,
  periodStart,
  TURKEY_OFFSET_MS,
} from '../../../kernel/time.ts'
import type { Cell } from '../../../platform/tables/index.ts'

/** What a row is about: an hour, a day or a month of the local calendar, by the instant at which it begins. */
export interface Span {
  readonly unit: 'hour' | 'day' | 'month'
  readonly from: number
}

/** A day, or an hour of it; undefined where the cell is no date. */
export interface Moment {
  readonly date: string
  /** HH:MM; undefined where the cell has a date alone. */
  readonly time: string | undefined
}

const TURKISH_DATE = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T]+(\d{1,2}:\d{2})(?::\d{2})?)?$/
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/
const LOCAL_ISO = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})/
const two = (text: string | undefined): string => (text ?? '').padStart(2, '0')

/** dd.mm.yyyy or ISO, with or without a time; an instant with an offset becomes local. `hasTimes`: the column's cells have hours. */
export function parseDate(cell: Cell, { hasTimes }: { readonly hasTimes: boolean }): Moment | undefined {
  if (cell.kind === 'time') {
    return cell.date === undefined ? undefined : { date: cell.date, time: hasTimes ? cell.time : undefined }
  }
  if (cell.kind !== 'text') return undefined
  const turkish = TURKISH_DATE.exec(cell.text)
  if (turkish) {
    const [, day, month, year, time] = turkish
    const date = `${year}-${two(month)}-${two(day)}`
    return parseInstant(date) && { date, time: time?.padStart(5, '0') }
  }
  const instant = parseInstant(cell.text)
  if (!instant) return undefined
  if (ISO_DATE.test(cell.text)) return { date: cell.text, time: undefined }
  const local = instant.hasOffset ? undefined : LOCAL_ISO.exec(cell.text)
  if (local) return { date: local[1] ?? '', time: local[2] }
  return { date: localDate(instant.at), time: iso(instant.at + TURKEY_OFFSET_MS).slice(11, 16) }
}

/** The beginning of an hour: 13, 13:00, 13.00, 13:00-14:00 or a time of a sheet; undefined for all else. */
export function parseHour(cell: Cell): number | undefined {
  const text = cell.kind === 'time' ? cell.time : cell.kind === 'empty' ? '' : cell.text
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?::00)?(?:\s*[-–]\s*\d{1,2}(?:[:.]\d{2})?)?$/.exec(text)
  const hour = Number(match?.[1])
  return match && hour <= 23 && Number(match[2] ?? 0) === 0 ? hour : undefined
}

/** YYYY-MM, MM.YYYY, MM/YYYY or any date of the month. */
export function parseMonth(cell: Cell): BillingPeriod | undefined {
  if (cell.kind === 'time') return cell.date === undefined ? undefined : parsePeriod(cell.date)
  if (cell.kind !== 'text' && cell.kind !== 'number') return undefined
  const match = /^(\d{1,2})[./-](\d{4})$/.exec(cell.text)
  if (match) return parsePeriod(`${match[2]}-${two(match[1])}`)
  const date = parseDate(cell, { hasTimes: false })
  return date ? parsePeriod(date.date) : parsePeriod(cell.text)
}

export const spanOfMonth = (period: BillingPeriod): Span => ({ unit: 'month', from: periodStart(period) })
export const spanOfDay = (date: string): Span => ({ unit: 'day', from: dayStart(date) })
export const spanOfHour = (date: string, hour: number): Span => ({
  unit: 'hour',
  from: dayStart(date) + hour * HOUR_MS,
})

/** As a person writes it: 2026-11, 2026-11-05, 2026-11-05 13:00. */
export function nameOf({ unit, from }: Span): string {
  const local = iso(from + TURKEY_OFFSET_MS)
  if (unit === 'month') return local.slice(0, 7)
  return unit === 'day' ? local.slice(0, 10) : `${local.slice(0, 10)} ${local.slice(11, 16)}`
}
