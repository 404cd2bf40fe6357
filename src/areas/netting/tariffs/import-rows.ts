import type { RowFault } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { lazyValidator, makeAjv } from '../../../platform/http/validation.ts'
import {
  type Cell,
  isLikeFormula,
  readClock,
  readDay,
  type TableRow,
  withPoint,
} from '../../../platform/tables/index.ts'
import { cellProblem } from '../shared/index.ts'
import { HEADERS, type Header, isHeader, REQUIRED_HEADERS } from './import-columns.ts'
import { TARIFF_IMPORT_ERRORS_MAX } from './limits.ts'
import { TARIFF_CELLS, TARIFF_ROWS } from './messages.ts'
import { CreatePrice } from './schema.ts'

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
  readonly errors: readonly RowFault[]
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
    const price = priceOf(columns, cells, (content) => errors.add(row, content))
    if (!price) continue
    const key = naturalKey(price)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, row)
    else errors.add(row, TARIFF_ROWS.TARIFF_ROW_REPEATED({ key: NATURAL_KEY, first_row: first }))
    prices.push({ row, price })
  }
  return { prices, errors: errors.list, errorCount: errors.count }
}

/** Collects the first errors and counts all of them. */
export class RowErrors {
  readonly list: RowFault[] = []
  count = 0
  add(row: number, content: Message): void {
    this.count += 1
    if (this.list.length < TARIFF_IMPORT_ERRORS_MAX) this.list.push({ row, content })
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
    const refuse = (content: Message) => errors.add(top?.number ?? 1, content)
    if (!isHeader(name)) refuse(TARIFF_ROWS.TARIFF_HEADER_UNKNOWN({ column_no: index + 1, headers: HEADERS }))
    else if ([...columns.values()].includes(name))
      refuse(TARIFF_ROWS.TARIFF_HEADER_REPEATED({ column: name }))
    else columns.set(index, name)
  }
  const present = new Set(columns.values())
  const missing = REQUIRED_HEADERS.filter((header) => !present.has(header))
  if (missing.length > 0) throw new MissingHeaders(missing)
  return columns
}

const isValid = lazyValidator(() => makeAjv({ coerceTypes: false }).compile(CreatePrice))

function priceOf(
  columns: Columns,
  cells: readonly Cell[],
  fail: (content: Message) => void,
): CreatePrice | undefined {
  const found: Partial<Record<Header, unknown>> = {}
  const refused = new Set<Header | undefined>()
  const refuse = (header: Header | undefined, content: Message): void => {
    refused.add(header)
    fail(content)
  }
  for (const [index, cell] of cells.entries()) {
    if (cell.kind === 'empty') continue
    const header = columns.get(index)
    if (header === undefined) refuse(header, TARIFF_ROWS.TARIFF_CELL_WITHOUT_HEADER({ column_no: index + 1 }))
    else if (cell.kind === 'text' && isLikeFormula(cell.raw))
      refuse(header, TARIFF_ROWS.TARIFF_CELL_FORMULA({ column: header }))
    else {
      const value = readCell(header, cell)
      if (value === undefined)
        refuse(header, refusedCell(header, EXPECTED[header] ?? TARIFF_CELLS.TARIFF_CELL_TEXT()))
      else found[header] = value
    }
  }
  if (isValid(found)) {
    if (refused.size > 0) return undefined
    const price = found as CreatePrice
    if (price.valid_to == null || price.valid_to >= price.valid_from) return price
    return void fail(TARIFF_ROWS.TARIFF_DATES_REVERSED())
  }
  for (const violation of isValid.errors ?? []) {
    const missing =
      violation.keyword === 'required' ? (violation.params['missingProperty'] as Header) : undefined
    if (missing !== undefined && refused.has(missing)) continue
    const column = missing ?? (violation.instancePath.slice(1) as Header)
    if (missing !== undefined) fail(TARIFF_ROWS.TARIFF_CELL_MISSING({ column }))
    else fail(refusedCell(column, EXPECTED[column] ?? cellProblem(violation)))
  }
  return undefined
}

const refusedCell = (column: string, problem: Message): Message =>
  TARIFF_ROWS.TARIFF_CELL_REFUSED({ column, problem })

const EXPECTED: Partial<Record<Header, Message>> = {
  valid_from: TARIFF_CELLS.TARIFF_CELL_DATE(),
  valid_to: TARIFF_CELLS.TARIFF_CELL_DATE(),
  billing_period: TARIFF_CELLS.TARIFF_CELL_MONTH(),
  price: TARIFF_CELLS.TARIFF_CELL_PRICE(),
  step_no: TARIFF_CELLS.TARIFF_CELL_STEP(),
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
