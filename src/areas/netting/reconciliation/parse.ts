import { roundDiv } from '../../../kernel/decimal.ts'
import { type BillingPeriod, periodRange } from '../../../kernel/time.ts'
import {
  type Cell,
  type DecimalMark,
  decimalMarkOf,
  isTotal,
  parseFigure,
  TableFault,
  type TableRow,
} from '../../../platform/tables/index.ts'
import { RECONCILE_ROWS_MAX } from '../limits.ts'
import { type Column, type Field, fieldOfAmountType, type Header, isMoney, readHeader } from './columns.ts'
import {
  parseDate,
  parseHour,
  parseHourText,
  parseMonth,
  type Span,
  spanOfDay,
  spanOfHour,
  spanOfMonth,
} from './times.ts'

/** One figure of theirs: kWh in Wh, money in millionths of a lira. */
export interface Figure {
  readonly row: number
  readonly span: Span
  /** As it stands in the file. */
  readonly facility: string | undefined
  readonly field: Field
  readonly theirs: bigint
}

export interface BadCell {
  readonly row: number
  /** The header of the file; undefined where the row as a whole is meant. */
  readonly column: string | undefined
  readonly message: string
}

export interface Figures {
  readonly figures: readonly Figure[]
  readonly badCells: readonly BadCell[]
  /** Our name of each column that was understood, by the file's header. */
  readonly columns: Readonly<Record<string, Column>>
  readonly ignoredColumns: readonly string[]
  readonly decimalMark: DecimalMark
  readonly rowCount: number
}

/** The file's columns are not those of a report; answered as FILE_COLUMNS_UNKNOWN. */
export class ColumnsFault extends Error {}

const HEADER_ROWS = 20
const WH = 1000n

/** Reads what the rows of a file say about a month; a row or cell that says nothing is listed, the others go on. */
export function readFigures(rows: readonly TableRow[], billingPeriod: BillingPeriod): Figures {
  const { header, names, body } = splitHeader(rows)
  const cellsOf = (wanted: (column: Column) => boolean): Cell[] =>
    body.flatMap(({ cells }) => cells.filter((_cell, place) => wanted(header.columns.get(place) ?? 'hour')))
  const reading: Reading = {
    header,
    names,
    billingPeriod,
    decimalMark: decimalMarkOf(cellsOf(isFigure)),
    hasTimes: cellsOf((column) => column === 'date').some(
      (cell) => cell.kind === 'time' && cell.time !== '00:00',
    ),
    badCells: [],
  }
  const figures = body.flatMap((row) => figuresOf(row, reading))
  return {
    figures,
    badCells: reading.badCells,
    columns: Object.fromEntries(
      [...header.columns].map(([place, column]) => [names[place] ?? column, column]),
    ),
    ignoredColumns: header.ignored,
    decimalMark: reading.decimalMark,
    rowCount: body.length,
  }
}

interface Reading {
  readonly header: Header
  readonly names: readonly string[]
  readonly billingPeriod: BillingPeriod
  readonly decimalMark: DecimalMark
  readonly hasTimes: boolean
  readonly badCells: BadCell[]
}

const isFigure = (column: Column): boolean => column.endsWith('_kwh') || column.endsWith('_try')

function splitHeader(rows: readonly TableRow[]) {
  const place = rows.slice(0, HEADER_ROWS).findIndex(({ cells }) => readHeader(cells))
  const top = rows[place]
  const header = top && readHeader(top.cells)
  if (!header) {
    throw new ColumnsFault(
      'no row has headers of figures, such as date, hour, matched_kwh, bedelli_kwh, skb_kwh, bedelsiz_kwh or bedelli_try',
    )
  }
  if (header.repeated.length > 0) throw new ColumnsFault(`two columns mean ${header.repeated[0]}`)
  const body = rows
    .slice(place + 1)
    .filter(({ cells }) => cells.some((cell) => cell.kind !== 'empty') && !isTotal(cells))
  if (body.length > RECONCILE_ROWS_MAX) {
    throw new TableFault('tooManyRows', `the file has more than ${RECONCILE_ROWS_MAX} rows`)
  }
  return { header, names: top.cells.map((cell) => (cell.kind === 'text' ? cell.text : '')), body }
}

function figuresOf({ number: row, cells }: TableRow, reading: Reading): Figure[] {
  const { header, names, badCells } = reading
  const bad = (message: string, place?: number): undefined => {
    badCells.push({ row, column: place === undefined ? undefined : names[place], message })
  }
  const find = (column: Column): { cell: Cell; place: number } | undefined => {
    for (const [place, each] of header.columns) {
      const cell = cells[place]
      if (each === column && cell && cell.kind !== 'empty') return { cell, place }
    }
    return undefined
  }
  const span = spanOf(find, reading, bad)
  if (!span) return []
  const facilityCell = find('facility')?.cell
  const facility =
    facilityCell && facilityCell.kind !== 'time' && facilityCell.kind !== 'empty'
      ? facilityCell.text
      : undefined
  const figures: Figure[] = []
  for (const [place, column] of header.columns) {
    const cell = cells[place]
    if (!isFigure(column) || !cell || cell.kind === 'empty') continue
    const field = column === 'amount_try' ? typedAmount(find('amount_type')?.cell) : (column as Field)
    if (!field) {
      bad('amount_type says which amount this is: matched, bedelli, skb, sktt or mesken', place)
      continue
    }
    const value = parseFigure(cell, reading.decimalMark)
    if (value === undefined)
      bad(`is no number with a decimal ${reading.decimalMark === ',' ? 'comma' : 'point'}`, place)
    else figures.push({ row, span, facility, field, theirs: isMoney(field) ? value : roundDiv(value, WH) })
  }
  return figures
}

const typedAmount = (cell: Cell | undefined) =>
  cell?.kind === 'text' ? fieldOfAmountType(cell.text) : undefined

type Find = (column: Column) => { readonly cell: Cell; readonly place: number } | undefined
type Bad = (message: string, place?: number) => undefined

/** The hour, day or month of a row; without date and period the month that is asked for. */
function spanOf(find: Find, { billingPeriod, hasTimes }: Reading, bad: Bad): Span | undefined {
  const [period, date, hour] = [find('period'), find('date'), find('hour')]
  if (period && parseMonth(period.cell) !== billingPeriod) {
    return bad(`is not the month ${billingPeriod.slice(0, 7)}`, period.place)
  }
  if (!date) return hour ? bad('an hour needs a date', hour.place) : spanOfMonth(billingPeriod)
  const moment = parseDate(date.cell, { hasTimes })
  if (!moment) return bad('is no date such as 05.11.2026 or 2026-11-05', date.place)
  const { from, to } = periodRange(billingPeriod)
  const day = spanOfDay(moment.date)
  if (day.from < from || day.from >= to)
    return bad(`lies outside of ${billingPeriod.slice(0, 7)}`, date.place)
  if (!hour && moment.time === undefined) return day
  const time = hour ? parseHour(hour.cell) : parseHourText(moment.time ?? '')
  if (time === undefined)
    return bad('is no whole hour from 0 to 23, such as 13 or 13:00', (hour ?? date).place)
  return spanOfHour(moment.date, time)
}
