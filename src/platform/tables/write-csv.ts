import { Readable } from 'node:stream'
import { DAY_MS, iso } from '../../kernel/time.ts'
import { type CsvLocale, csvBlock } from './csv-block.ts'
import { isBlock, type OutBlock, rowsOfBlock } from './out-block.ts'
import { digitsOf, localClock, type OutCell, type OutColumn, type OutTable, RowSource } from './out-table.ts'

export const DELIMITERS = [';', ',', '\t'] as const

export interface CsvStyle {
  readonly locale: CsvLocale
  /** The default is a semicolon for `tr`, whose decimals have commas, and a comma for `en`. */
  readonly delimiter?: (typeof DELIMITERS)[number]
}

const BYTE_ORDER_MARK = '\uFEFF'
/** Text that spreadsheets interpret as a formula, also in its full-width form and behind white space. */
const FORMULA_START = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/
const TIME_OF_MIDNIGHT = ' 00:00'

/**
 * Returns a stream of CSV in UTF-8, generated on demand, with a byte order mark by which Excel recognizes
 * the encoding.
 */
export function csvStream(table: OutTable, style: CsvStyle): Readable {
  return Readable.from(csvText(table, style), { objectMode: false })
}

async function* csvText(table: OutTable, { locale, delimiter = locale === 'tr' ? ';' : ',' }: CsvStyle) {
  const { columns } = table
  const source = new RowSource(table)
  const needsQuotes = new RegExp(`["\\r\\n${delimiter}]`)
  const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const writers = columns.map((column) => quotedWriter(column, { locale, delimiter, quoted }))
  const line = (cells: readonly OutCell[]): string => {
    let text = ''
    for (let index = 0; index < writers.length; index++) {
      const cell = cells[index]
      if (index > 0) text += delimiter
      if (cell !== null && cell !== undefined) text += writers[index]?.(cell) ?? ''
    }
    return `${text}\r\n`
  }
  const inBytes = isBare(locale, delimiter)
    ? (block: OutBlock) => csvBlock(block, { locale, delimiter, encode: (text) => quoted(safeText(text)) })
    : undefined
  try {
    yield `${BYTE_ORDER_MARK}${columns.map(({ title }) => quoted(safeText(title))).join(delimiter)}\r\n`
    while (await source.hasMore()) {
      const piece = await source.take(Number.POSITIVE_INFINITY)
      const bytes = isBlock(piece) ? inBytes?.(piece) : undefined
      if (bytes) yield bytes
      else yield (isBlock(piece) ? rowsOfBlock(piece) : piece).map(line).join('')
    }
  } finally {
    await source.close()
  }
}

interface Quoting {
  readonly locale: CsvLocale
  readonly delimiter: string
  readonly quoted: (text: string) => string
}

/** Whether numbers and instants need no quotes: their decimal mark is not the delimiter. */
const isBare = (locale: CsvLocale, delimiter: string): boolean => locale === 'en' || delimiter !== ','

/**
 * Encoding cells takes most of the time: a number needs no check for quotes, and text is mostly the same as
 * in the row above.
 */
function quotedWriter(column: OutColumn, { locale, delimiter, quoted }: Quoting) {
  const write = writerOf(column, locale)
  if (isBare(locale, delimiter) && (column.kind === 'number' || column.kind === 'instant')) {
    return (cell: string | number) =>
      typeof cell === 'number' && Number.isFinite(cell) ? write(cell) : quoted(write(cell))
  }
  return makeRepeating((cell: string | number) => quoted(write(cell)))
}

/** Wraps an encoder so that a value equal to the previous one is not encoded again. */
function makeRepeating<T>(make: (cell: T) => string): (cell: T) => string {
  let last: T | undefined
  let text = ''
  return (cell) => {
    if (cell !== last) {
      last = cell
      text = make(cell)
    }
    return text
  }
}

/**
 * Makes text safe against interpretation as a formula: an apostrophe before it, which spreadsheets do not
 * display.
 */
const safeText = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text)

function writerOf({ kind }: OutColumn, locale: CsvLocale): (cell: string | number) => string {
  if (kind === 'text') return (cell) => safeText(String(cell))
  if (kind === 'number') return (cell) => digitsIn(locale, cell) ?? safeText(String(cell))
  if (kind === 'instant') return makeInstantWriter(locale)
  return (cell) => (locale === 'tr' ? turkishDate(String(cell)) : safeText(String(cell)))
}

function digitsIn(locale: CsvLocale, cell: string | number): string | undefined {
  const digits = digitsOf(cell)
  return locale === 'tr' ? digits?.replace('.', ',') : digits
}

const turkishDate = (date: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(date)
    ? `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(0, 4)}`
    : safeText(date)

/**
 * Makes an encoder of instants. Turkish: `dd.mm.yyyy HH:MM`, with seconds and milliseconds only where they
 * are not zero; milliseconds follow a comma, because a Turkish spreadsheet interprets a point as text. The
 * text of a date is cached, because consecutive rows mostly have the same date.
 */
function makeInstantWriter(locale: CsvLocale): (cell: string | number) => string {
  let day = Number.NaN
  let date = ''
  return (cell) => {
    const local = localClock(cell)
    if (local === undefined) return safeText(String(cell))
    const today = Math.floor(local / DAY_MS)
    if (today !== day) {
      day = today
      const text = iso(today * DAY_MS).slice(0, 10)
      date = locale === 'tr' ? turkishDate(text) : text
    }
    const rest = local - today * DAY_MS
    if (locale === 'en') return `${date}T${clockText(rest, EN_CLOCK)}+03:00`
    return rest === 0 ? date + TIME_OF_MIDNIGHT : `${date} ${clockText(rest, TR_CLOCK)}`
  }
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

const EN_CLOCK = { withSeconds: true, mark: '.' }
const TR_CLOCK = { withSeconds: false, mark: ',' }

function clockText(ofDay: number, { withSeconds, mark }: typeof EN_CLOCK): string {
  const minutes = Math.floor(ofDay / 60_000)
  const ms = ofDay - minutes * 60_000
  const text = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  if (ms === 0 && !withSeconds) return text
  const seconds = Math.floor(ms / 1000)
  const fraction = ms - seconds * 1000
  return `${text}:${two(seconds)}${fraction === 0 ? '' : mark + String(fraction).padStart(3, '0')}`
}
