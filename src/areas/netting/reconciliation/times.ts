import {
  type BillingPeriod,
  dayStart,
  iso,
  localDate,
  parseInstant,
  parsePeriod,
  periodStart,
  TURKEY_OFFSET_MS,
} from '../../../kernel/time.ts'
import { type Cell, type Clock, readClock, readDay } from '../../../platform/tables/index.ts'

/** The span of a row: an hour, a day or a month of the local calendar, identified by its start. */
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

const TIME = /^(\d{1,2}:\d{2})(?::\d{2})?$/
const two = (text: string | undefined): string => (text ?? '').padStart(2, '0')

/**
 * dd.mm.yyyy or ISO, with or without a time; an instant with an offset becomes local. `hasTimes`: the
 * column's cells have hours.
 */
export function parseDate(cell: Cell, { hasTimes }: { readonly hasTimes: boolean }): Moment | undefined {
  const instant = cell.kind === 'text' ? parseInstant(cell.text) : undefined
  if (instant?.hasOffset) {
    return { date: localDate(instant.at), time: iso(instant.at + TURKEY_OFFSET_MS).slice(11, 16) }
  }
  const day = readDay(cell)
  if (!day || (cell.kind === 'time' && !hasTimes)) return day && { date: day.date, time: undefined }
  if (day.rest === undefined) return { date: day.date, time: undefined }
  const time = TIME.exec(day.rest)?.[1]
  return time === undefined ? undefined : { date: day.date, time: time.padStart(5, '0') }
}

/** Reads 13, 13:00, 13.00, 13:00-14:00 or a spreadsheet time; undefined for all other cells. */
export const clockOf = (cell: Cell): Clock | undefined =>
  readClock(cell.kind === 'time' ? cell.time : cell.kind === 'empty' ? '' : cell.text)

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

/** Formats a span: 2026-11, 2026-11-05, or 2026-11-05 13:00. */
export function nameOf({ unit, from }: Span): string {
  const local = iso(from + TURKEY_OFFSET_MS)
  if (unit === 'month') return local.slice(0, 7)
  return unit === 'day' ? local.slice(0, 10) : `${local.slice(0, 10)} ${local.slice(11, 16)}`
}
