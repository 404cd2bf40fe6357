import { makeAjv } from '../../../platform/http/validation.ts'
import {
  type Cell,
  isLikeFormula,
  readClock,
  readDay,
  type TableRow,
  withPoint,
} from '../../../platform/tables/index.ts'
import { HEADERS, type Header, isHeader, REQUIRED_HEADERS } from './import-columns.ts'
import { TARIFF_IMPORT_ERRORS_MAX } from './limits.ts'
import { CreatePrice } from './schema.ts'

export interface RowError {
  /** The row of the sheet or the line of the file, from 1. The header is row 1. */
  readonly row: number
  readonly message: string
}
export interface ReadPrice {
  readonly row: number
  readonly price: CreatePrice
}
/**
 * The prices and errors of the rows below the header. At most TARIFF_IMPORT_ERRORS_MAX errors are listed;
 * `errorCount` counts all.
 */
export interface ReadPrices {
  readonly prices: readonly ReadPrice[]
  readonly errors: readonly RowError[]
  readonly errorCount: number
}

/** A required column is missing. The client receives 422 CSV_IMPORT_MISSING_HEADERS. */
export class MissingHeaders extends Error {
  readonly headers: readonly string[]
  constructor(headers: readonly string[]) {
    super(`the first row lacks the headers ${headers.join(', ')}`)
    this.headers = headers
  }
}

/** Reads the rows of an import; every failure of every row is an error of its own. Throws MissingHeaders. */
export function readPrices(rows: readonly TableRow[]): ReadPrices {
  const [top, ...body] = rows
  const errors = new RowErrors()
  const columns = readHeaders(top, errors)
  const prices: ReadPrice[] = []
  const seen = new Map<string, number>()
  for (const { number: row, cells } of body) {
    const price = priceOf(columns, cells, (message) => errors.add(row, message))
    if (!price) continue
    const key = naturalKey(price)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, row)
    else errors.add(row, `repeats ${NATURAL_KEY} of row ${first}`)
    prices.push({ row, price })
  }
  return { prices, errors: errors.list, errorCount: errors.count }
}

/** Collects the first errors and counts all of them. */
export class RowErrors {
  readonly list: RowError[] = []
  count = 0
  add(row: number, message: string): void {
    this.count += 1
    if (this.list.length < TARIFF_IMPORT_ERRORS_MAX) this.list.push({ row, message })
  }
}

export const NATURAL_KEY = 'abone_grubu, price_purpose, time_segment and step_no'

/** Nulls are equal to each other, as in the constraint of the table. */
export const naturalKey = (
  price: Pick<CreatePrice, 'abone_grubu' | 'price_purpose' | 'time_segment' | 'step_no'>,
): string => [price.abone_grubu, price.price_purpose, price.time_segment ?? '', price.step_no ?? ''].join('|')

type Columns = ReadonlyMap<number, Header>

function readHeaders(top: TableRow | undefined, errors: RowErrors): Columns {
  const columns = new Map<number, Header>()
  for (const [index, cell] of (top?.cells ?? []).entries()) {
    if (cell.kind === 'empty') continue
    const name = cell.kind === 'text' ? cell.text.toLowerCase() : ''
    if (!isHeader(name))
      errors.add(top?.number ?? 1, `the header of column ${index + 1} is not one of ${HEADERS.join(', ')}`)
    else if ([...columns.values()].includes(name))
      errors.add(top?.number ?? 1, `the header ${name} stands twice`)
    else columns.set(index, name)
  }
  const present = new Set(columns.values())
  const missing = REQUIRED_HEADERS.filter((header) => !present.has(header))
  if (missing.length > 0) throw new MissingHeaders(missing)
  return columns
}

const isValid = makeAjv({ coerceTypes: false }).compile(CreatePrice)

function priceOf(
  columns: Columns,
  cells: readonly Cell[],
  fail: (message: string) => void,
): CreatePrice | undefined {
  const found: Partial<Record<Header, unknown>> = {}
  const refused = new Set<Header | undefined>()
  const refuse = (header: Header | undefined, message: string): void => {
    refused.add(header)
    fail(message)
  }
  for (const [index, cell] of cells.entries()) {
    if (cell.kind === 'empty') continue
    const header = columns.get(index)
    if (header === undefined) refuse(header, `column ${index + 1} has a value but no header`)
    else if (cell.kind === 'text' && isLikeFormula(cell.raw))
      refuse(
        header,
        `${header} begins with a character that a spreadsheet takes for a formula (= + - @, tab, line break)`,
      )
    else {
      const value = readCell(header, cell)
      if (value === undefined) refuse(header, `${header} ${EXPECTED[header] ?? 'must be text'}`)
      else found[header] = value
    }
  }
  if (isValid(found)) {
    if (refused.size > 0) return undefined
    const price = found as CreatePrice
    if (price.valid_to == null || price.valid_to >= price.valid_from) return price
    return void fail('valid_to must not lie before valid_from')
  }
  for (const { keyword, instancePath, message, params } of isValid.errors ?? []) {
    const missing = keyword === 'required' ? (params['missingProperty'] as Header) : undefined
    if (missing !== undefined && refused.has(missing)) continue
    if (missing !== undefined) fail(`${missing} is missing`)
    else fail(`${instancePath.slice(1)} ${explain(keyword, message, params)}`)
  }
  return undefined
}

const explain = (keyword: string, message: string | undefined, params: Record<string, unknown>): string =>
  keyword === 'enum'
    ? `must be one of ${(params['allowedValues'] as string[]).join(', ')}`
    : (message ?? 'is not valid')

const EXPECTED: Partial<Record<Header, string>> = {
  valid_from: 'must be a date, such as 2026-07-01 or 01.07.2026',
  valid_to: 'must be a date, such as 2026-07-01 or 01.07.2026',
  billing_period: 'must be a month, such as 2026-07-01, 2026-07 or 01.07.2026',
  price: 'must be a number above 0 with at most 6 decimals, such as 2.985253 or 2,985253',
  step_no: 'must be a whole number from 1 to 100',
}

/** The value to validate with the schema; undefined where the cell is not of the column's type. */
function readCell(header: Header, cell: Exclude<Cell, { kind: 'empty' }>): unknown {
  switch (header) {
    case 'valid_from':
    case 'valid_to':
      return dateOf(cell)
    case 'billing_period':
      return dateOf(cell) ?? monthOf(cell)
    case 'price':
      return priceTextOf(cell)
    case 'step_no':
      return cell.kind !== 'time' && /^\d{1,3}$/.test(cell.text) ? Number(cell.text) : undefined
    default:
      return cell.kind === 'time' ? undefined : cell.text
  }
}

/**
 * Returns the date as YYYY-MM-DD from a spreadsheet date, ISO, or the Turkish form dd.mm.yyyy. A time must be
 * midnight.
 */
function dateOf(cell: Cell): string | undefined {
  const day = readDay(cell)
  const isMidnight = day?.rest === undefined || readClock(day.rest)?.hour === 0
  return cell.kind === 'time' || isMidnight ? day?.date : undefined
}

function monthOf(cell: Cell): string | undefined {
  if (cell.kind !== 'text') return undefined
  if (/^\d{4}-\d{2}$/.test(cell.text)) return cell.text
  const [, month, year] = /^(\d{1,2})[./](\d{4})$/.exec(cell.text) ?? []
  return month && year && `${year}-${month.padStart(2, '0')}`
}

/**
 * Returns decimal text with a decimal point. With both marks the last one is the decimal mark; a single mark
 * always is, because no price has thousands separators.
 */
function priceTextOf(cell: Exclude<Cell, { kind: 'empty' }>): string | undefined {
  if (cell.kind === 'time') return undefined
  if (cell.kind === 'number') return cell.isRounded ? undefined : cell.text
  const { text } = cell
  const price = withPoint(text, text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.')
  return price !== undefined && /^\d+(?:\.\d+)?$/.test(price) ? price : undefined
}
