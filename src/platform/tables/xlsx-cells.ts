import { isCalendarDate } from '../../kernel/time.ts'
import { type Cell, damaged, EMPTY, type TableLimits, textCell } from './table.ts'

/** The shared data that the cells of a sheet refer to. */
export interface SheetContext {
  readonly limits: TableLimits
  /** The shared texts, by index. */
  readonly texts: readonly string[]
  /** Whether a style displays a number as a date or a time, by the index of the style. */
  readonly isTime: readonly boolean[]
  /** True when days count from 1904, as in old versions for the Mac. */
  readonly is1904: boolean
}

/** A cell of the XML: its type, its style and the text of its value. */
export interface RawCell {
  readonly type: string | undefined
  readonly style: string | undefined
  readonly value: string
}

/** Converts a cell. Throws TableFault for content that no spreadsheet writes. */
export function cellOf({ type, style, value }: RawCell, context: SheetContext): Cell {
  if (value === '') return EMPTY
  switch (type) {
    case undefined:
    case 'n':
      return numberCell(value, style !== undefined && context.isTime[Number(style)] === true, context)
    case 's':
      return sharedCell(value, context)
    case 'str':
    case 'inlineStr':
      return plainTextCell(value, context)
    case 'b':
      return textCell(value === '1' || value === 'true' ? 'true' : 'false', context.limits)
    case 'e':
      return textCell(value, context.limits)
    case 'd':
      return isoCell(value)
    default:
      throw damaged('the sheet has a cell of an unknown type')
  }
}

function sharedCell(value: string, context: SheetContext): Cell {
  const text = WHOLE.test(value) ? context.texts[Number(value)] : undefined
  if (text === undefined) throw damaged('the sheet names a shared text that the workbook lacks')
  return plainTextCell(text, context)
}
const WHOLE = /^\d{1,8}$/

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g

function plainTextCell(value: string, { limits }: SheetContext): Cell {
  if (!value.includes('_x')) return textCell(value, limits)
  const text = value.replace(ESCAPED, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (text.includes('\0')) throw damaged('the sheet holds NUL characters')
  if (HALF_CHARACTER.test(text)) throw damaged('the sheet holds half a character')
  return textCell(text, limits)
}
const HALF_CHARACTER = /\p{Surrogate}/u

/** Longer text is neither a number nor a date and is not parsed. */
const FIGURE_LENGTH_MAX = 100
const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?\s*$/
/** Decimals to which the binary fractions of a sheet are rounded; no energy value or price has more. */
const DECIMALS = 6
/** Tolerance within which a number with six decimals equals its binary fraction. */
const NOISE = 1e-9
const NUMBER_MAX = 1e15

function numberCell(text: string, isTime: boolean, { limits, is1904 }: SheetContext): Cell {
  if (text.length > FIGURE_LENGTH_MAX || !NUMBER.test(text))
    throw damaged('the sheet has a number that is none')
  const value = Number(text)
  if (isTime) {
    const days = is1904 ? value + DAYS_TO_1904 : value
    if (days >= 0 && days < DAYS_END) return timeCell(days)
  }
  if (Math.abs(value) >= NUMBER_MAX) return textCell(String(value), limits)
  const shown = value.toFixed(DECIMALS).replace(/\.?0+$/, '')
  return { kind: 'number', text: shown, isRounded: Math.abs(Number(shown) - value) > NOISE }
}

const DAYS_TO_1904 = 1_462
/** 1 January 1970, and the day after the last one that a sheet can show. */
const UNIX_EPOCH_DAY = 25_569
const DAYS_END = 2_958_466
const DAY_SECONDS = 86_400
/** The last second of the last day. */
const LAST_SECOND = (DAYS_END - UNIX_EPOCH_DAY) * DAY_SECONDS - 1
/** A time of day without a date is on the first day of the sheet. */
const FIRST_YEARS = 1905

/** Converts fractional days, in which an hour may be a millisecond off. */
function timeCell(days: number): Cell {
  const seconds = Math.round((days - UNIX_EPOCH_DAY) * DAY_SECONDS)
  const instant = new Date(Math.min(seconds, LAST_SECOND) * 1000)
  const text = instant.toISOString()
  const hasDate = instant.getUTCFullYear() > FIRST_YEARS
  return { kind: 'time', date: hasDate ? text.slice(0, 10) : undefined, time: text.slice(11, 16) }
}

const ISO = /^(?:(\d{4}-\d{2}-\d{2})(?:T|$))?(?:T?([01]\d|2[0-3]):([0-5]\d)(?::\d{2}(?:\.\d+)?)?Z?)?$/

/** Converts a date, a time or both as text, which the strict form of the format uses. */
function isoCell(value: string): Cell {
  const match = value.length > FIGURE_LENGTH_MAX ? null : ISO.exec(value.trim())
  const [, date, hour = '00', minute = '00'] = match ?? []
  const isNone = !match || (date === undefined && !value.includes(':'))
  if (isNone || (date !== undefined && !isCalendarDate(date)))
    throw damaged('the sheet has a date that is none')
  return { kind: 'time', date, time: `${hour}:${minute}` }
}

const OWN_LETTERS = /"[^"]*"|\\.|[_*]./g
/** Conditions, colours and languages in brackets; a duration such as [h] is kept. */
const IN_BRACKETS = /\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi
const PARTS_OF_SECONDS = /(s\]?)[.,]0+/gi

/** Excel's own limit is 255. */
const FORMAT_LENGTH_MAX = 1_000

/** Returns whether a number format displays days or hours; quoted and escaped text is ignored. */
export const isTimeFormat = (code: string): boolean =>
  code.length <= FORMAT_LENGTH_MAX &&
  code
    .replace(OWN_LETTERS, ' ')
    .replace(IN_BRACKETS, ' ')
    .split(';')
    .some((section) => /[ymdhs]/i.test(section) && !/[0#?]/.test(section.replace(PARTS_OF_SECONDS, '$1')))
