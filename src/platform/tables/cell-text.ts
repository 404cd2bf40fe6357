import { isCalendarDate } from '../../kernel/time.ts'
import type { Cell } from './table.ts'

const LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ş: 's',
  ç: 'c',
  ğ: 'g',
  ö: 'o',
  ü: 'u',
  â: 'a',
  î: 'i',
}

/**
 * A header as tables spell it in any case: small letters without Turkish marks (the dotted and the dotless i
 * are one), one space between words; TL and ₺ are TRY.
 */
export const plain = (text: string): string =>
  text
    .replace(/İ/g, 'i')
    .replace(/I/g, 'ı')
    .toLowerCase()
    .replace(/[ışçğöüâî]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/₺|\btl\b/g, ' try ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const TOTAL = /^\s*(genel\s+)?(toplam|total|sum)\b/i

/** Whether a row is a total below the others, by the first cell that is not empty. */
export const isTotal = (cells: readonly Cell[]): boolean => {
  const first = cells.find((cell) => cell.kind !== 'empty')
  return first?.kind === 'text' && TOTAL.test(first.text)
}

/** What a spreadsheet does not show at the beginning of a cell: white space, marks of order and direction. */
const UNSEEN = /^[\s\p{Cf}]+/u
/** As they are, and in the full width that East Asian spreadsheets take for the same. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * Whether a spreadsheet may take the text for a formula, also when something that is not seen stands before
 * it.
 */
export const isLikeFormula = (raw: string): boolean =>
  FORMULA_START.test(raw) || FORMULA_START.test(raw.replace(UNSEEN, ''))

const DMY = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T]+(.+))?$/
const YMD = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?:[ T]+(.+))?$/
const two = (text: string | undefined): string => (text ?? '').padStart(2, '0')

/** A day of the calendar, and what stands behind it. */
export interface DayText {
  /** YYYY-MM-DD. */
  readonly date: string
  /** As it stands there: a time of day, an offset, whatever; undefined where the cell has a date alone. */
  readonly rest: string | undefined
}

/**
 * A sheet's own date, dd.mm.yyyy or yyyy-mm-dd; undefined where the cell is none, or the calendar has no such
 * day.
 */
export function readDay(cell: Cell): DayText | undefined {
  if (cell.kind === 'time') return cell.date === undefined ? undefined : { date: cell.date, rest: cell.time }
  if (cell.kind !== 'text') return undefined
  const turkish = DMY.exec(cell.text)
  const match = turkish ?? YMD.exec(cell.text)
  if (!match) return undefined
  const [year, day] = turkish ? [match[3], match[1]] : [match[1], match[3]]
  const date = `${year}-${two(match[2])}-${two(day)}`
  return isCalendarDate(date) ? { date, rest: match[4] } : undefined
}

/** A whole hour of the clock: 0 to 24. */
export interface Clock {
  readonly hour: number
  /** 13:00-14:00 names its hour by both ends. */
  readonly isRange: boolean
}

const CLOCK = /^(\d{1,2})(?:[:.](\d{2})(?:[:.]00)?)?$/
const CLOCK_RANGE = /^(\d{1,2})(?:[:.]00)?\s*[-–]\s*(\d{1,2})(?:[:.](\d{2}))?$/

/**
 * 13, 13:00, 13.00, 13:00:00, 13:00-14:00 or 13:00-13:59; undefined for all else, also where a range is no
 * one hour.
 */
export function readClock(text: string): Clock | undefined {
  const range = CLOCK_RANGE.exec(text)
  if (range) {
    const hour = Number(range[1])
    const end = range[3] === '59' ? Number(range[2]) + 1 : Number(range[2])
    const isHour = (range[3] ?? '00') === '00' || range[3] === '59'
    return isHour && hour <= 23 && end % 24 === (hour + 1) % 24 && end <= 24
      ? { hour, isRange: true }
      : undefined
  }
  const match = CLOCK.exec(text)
  const hour = Number(match?.[1])
  return match && hour <= 24 && Number(match[2] ?? 0) === 0 ? { hour, isRange: false } : undefined
}
