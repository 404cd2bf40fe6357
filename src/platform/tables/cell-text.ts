import { DAY_MS, isCalendarDate } from '../../kernel/time.ts'
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
 * Normalizes a header for comparison: lower case without Turkish diacritics (dotted and dotless i are one
 * letter), one space between words; TL and ₺ become TRY.
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

/** Returns whether a row is a total, by its first cell that is not empty. */
export const isTotal = (cells: readonly Cell[]): boolean => {
  const first = cells.find((cell) => cell.kind !== 'empty')
  return first?.kind === 'text' && TOTAL.test(first.text)
}

/** Invisible characters at the beginning of a cell: white space and marks of order and direction. */
const UNSEEN = /^[\s\p{Cf}]+/u
/** Characters that begin a formula, also in the full-width form that East Asian spreadsheets accept. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/** Returns whether a spreadsheet may interpret the text as a formula, also behind invisible characters. */
export const isLikeFormula = (raw: string): boolean =>
  FORMULA_START.test(raw) || FORMULA_START.test(raw.replace(UNSEEN, ''))

const DMY = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T]+(.+))?$/
const YMD = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?:[ T]+(.+))?$/
const two = (text: string | undefined): string => (text ?? '').padStart(2, '0')

/** A date, and the text that follows it. */
export interface DayText {
  /** YYYY-MM-DD. */
  readonly date: string
  /**
   * The unchanged text after the date, such as a time of day or an offset; undefined where the cell has
   * only a date.
   */
  readonly rest: string | undefined
}

/**
 * Reads a date cell, or the text dd.mm.yyyy or yyyy-mm-dd. Returns undefined for any other cell and for a
 * date that does not exist.
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
  /** True for a range such as 13:00-14:00, which names the hour by both ends. */
  readonly isRange: boolean
}

const CLOCK = /^(\d{1,2})(?:[:.](\d{2})(?:[:.]00)?)?$/
const CLOCK_RANGE = /^(\d{1,2})(?:[:.]00)?\s*[-–]\s*(\d{1,2})(?:[:.](\d{2}))?$/

/**
 * Reads 13, 13:00, 13.00, 13:00:00, 13:00-14:00 or 13:00-13:59. Returns undefined for any other text and
 * for a range that is not exactly one hour.
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

/** A time of day, or a span of a day, in milliseconds since midnight. */
export interface TimeOfDay {
  readonly fromMs: number
  /** The end of a span such as 13:00-13:15. */
  readonly toMs: number | undefined
}

const TIME = /^(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2})(?:[.,]0+)?)?)?$/
const SPAN = /^([\d:.]+)\s*[-–]\s*([\d:.]+)$/

/**
 * Reads 13, 13:15, 13.15, 13:15:30, 24:00 or 13:00-13:15. Returns undefined for any other text, and for a span
 * that does not end after its start.
 */
export function readTimeOfDay(text: string): TimeOfDay | undefined {
  const span = SPAN.exec(text)
  if (!span) {
    const fromMs = msOf(text)
    return fromMs === undefined ? undefined : { fromMs, toMs: undefined }
  }
  const [fromMs, end] = [msOf(span[1] ?? ''), msOf(span[2] ?? '')]
  if (fromMs === undefined || end === undefined) return undefined
  const toMs = end === 0 ? DAY_MS : end
  return toMs > fromMs ? { fromMs, toMs } : undefined
}

function msOf(text: string): number | undefined {
  const match = TIME.exec(text)
  if (!match) return undefined
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)]
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return minutes < 60 && seconds < 60 && ms <= DAY_MS ? ms : undefined
}
