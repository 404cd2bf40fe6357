import { roundDiv } from '../../../kernel/decimal.ts'
import type { Message } from '../../../kernel/messages.ts'
import { type BillingPeriod, periodRange } from '../../../kernel/time.ts'
import {
  type Cell,
  type DecimalMark,
  decimalMarkOf,
  isTotal,
  parseFigure,
  type TableRow,
  tooManyRows,
} from '../../../platform/tables/index.ts'
import { RECONCILE_ROWS_MAX } from '../limits.ts'
import { COLUMN_TEXTS, ColumnsFault, HourReader, type Label } from '../shared/index.ts'
import { type Column, type Field, fieldOfAmountType, type Header, isMoney, readHeader } from './columns.ts'
import type { MappedColumns } from './mapped-columns.ts'
import { CELL_TEXTS } from './messages.ts'
import { clockOf, parseDate, parseMonth, type Span, spanOfDay, spanOfMonth } from './times.ts'

/** One figure of the file: kWh in Wh, money in millionths of a lira. */
export interface Figure {
  readonly row: number
  readonly span: Span
  /** The text of the file, not resolved. */
  readonly facility: string | undefined
  readonly field: Field
  readonly value: bigint
}

export interface BadCell {
  readonly row: number
  /** The header of the column; undefined when the message concerns the whole row. */
  readonly column: string | undefined
  readonly content: Message
}

export interface Figures {
  readonly figures: readonly Figure[]
  readonly badCells: readonly BadCell[]
  /** The field name of each recognized column, by the header of the file. */
  readonly columns: Readonly<Record<string, Column>>
  readonly ignoredColumns: readonly string[]
  readonly decimalMark: DecimalMark
  /** How the hours were read: as requested, or as the column shows. */
  readonly label: Label
  readonly rowCount: number
}

export interface FiguresOptions {
  readonly billingPeriod: BillingPeriod
  readonly label: Label | undefined
  readonly columns: MappedColumns
}

/** Rows in which the header is searched. */
export const HEADER_ROWS = 20
const WH = 1000n

/** Reads the figures of the rows for a month. An unreadable row or cell is listed, the others are read. */
export function readFigures(
  rows: readonly TableRow[],
  { billingPeriod, label: requestedLabel, columns }: FiguresOptions,
): Figures {
  const { header, names, body } = splitHeader(rows, columns)
  const cellsOf = (wanted: (column: Column) => boolean): Cell[] =>
    body.flatMap(({ cells }) => cells.filter((_cell, index) => wanted(header.columns.get(index) ?? 'hour')))
  const label = requestedLabel ?? labelOf(cellsOf((column) => column === 'hour'))
  const state: ParseState = {
    header,
    names,
    billingPeriod,
    decimalMark: decimalMarkOf(cellsOf(isFigure)),
    hasTimes: cellsOf((column) => column === 'date').some(
      (cell) => cell.kind === 'time' && cell.time !== '00:00',
    ),
    hours: new HourReader(label),
    badCells: [],
  }
  const figures = body.flatMap((row) => figuresOf(row, state))
  return {
    figures,
    badCells: state.badCells,
    columns: Object.fromEntries(
      [...header.columns].map(([index, column]) => [names[index] ?? column, column]),
    ),
    ignoredColumns: header.ignored,
    decimalMark: state.decimalMark,
    label,
    rowCount: body.length,
  }
}

interface ParseState {
  readonly header: Header
  readonly names: readonly string[]
  readonly billingPeriod: BillingPeriod
  readonly decimalMark: DecimalMark
  readonly hasTimes: boolean
  readonly hours: HourReader
  readonly badCells: BadCell[]
}

const isFigure = (column: Column): boolean => column.endsWith('_kwh') || column.endsWith('_try')

function splitHeader(rows: readonly TableRow[], mapped: MappedColumns) {
  const index = rows.slice(0, HEADER_ROWS).findIndex(({ cells }) => readHeader(cells, mapped))
  const top = rows[index]
  const header = top && readHeader(top.cells, mapped)
  if (!header) {
    throw new ColumnsFault(COLUMN_TEXTS.HEADERS_OF_FIGURES_MISSING())
  }
  if (header.repeated.length > 0)
    throw new ColumnsFault(COLUMN_TEXTS.COLUMNS_REPEATED({ column: header.repeated[0] ?? '' }))
  const body = rows
    .slice(index + 1)
    .filter(({ cells }) => cells.some((cell) => cell.kind !== 'empty') && !isTotal(cells))
  if (body.length > RECONCILE_ROWS_MAX) {
    throw tooManyRows(RECONCILE_ROWS_MAX)
  }
  return { header, names: top.cells.map((cell) => (cell.kind === 'text' ? cell.text : '')), body }
}

function figuresOf({ number: row, cells }: TableRow, state: ParseState): Figure[] {
  const { header, names, badCells } = state
  const bad = (content: Message, index?: number): undefined => {
    badCells.push({ row, column: index === undefined ? undefined : names[index], content })
  }
  const find = (column: Column): { cell: Cell; index: number } | undefined => {
    for (const [index, each] of header.columns) {
      const cell = cells[index]
      if (each === column && cell && cell.kind !== 'empty') return { cell, index: index }
    }
    return undefined
  }
  const span = spanOf(find, state, bad)
  if (!span) return []
  const facilityCell = find('facility')?.cell
  const facility =
    facilityCell && facilityCell.kind !== 'time' && facilityCell.kind !== 'empty'
      ? facilityCell.text
      : undefined
  const figures: Figure[] = []
  for (const [index, column] of header.columns) {
    const cell = cells[index]
    if (!isFigure(column) || !cell || cell.kind === 'empty') continue
    const field = column === 'amount_try' ? typedAmount(find('amount_type')?.cell) : (column as Field)
    if (!field) {
      bad(CELL_TEXTS.CELL_AMOUNT_TYPE_UNKNOWN(), index)
      continue
    }
    const value = parseFigure(cell, state.decimalMark)
    if (value === undefined)
      bad(CELL_TEXTS.CELL_NOT_NUMBER({ mark: state.decimalMark === ',' ? 'comma' : 'point' }), index)
    else figures.push({ row, span, facility, field, value: isMoney(field) ? value : roundDiv(value, WH) })
  }
  return figures
}

const typedAmount = (cell: Cell | undefined) =>
  cell?.kind === 'text' ? fieldOfAmountType(cell.text) : undefined

type FindCell = (column: Column) => { readonly cell: Cell; readonly index: number } | undefined
type ReportBadCell = (content: Message, index?: number) => undefined

/** The cells that name the time of a row. */
export interface SpanCells {
  readonly period: Cell | undefined
  readonly date: Cell | undefined
  readonly hour: Cell | undefined
}

export type ReadSpan =
  | { readonly span: Span }
  | { readonly fault: Message; readonly column: 'period' | 'date' | 'hour' }

/** Reads the times of rows in their order. */
export interface SpanReader {
  read(cells: SpanCells): ReadSpan
}

export const makeSpanReader = (billingPeriod: BillingPeriod, label: Label, hasTimes = true): SpanReader => {
  const hours = new HourReader(label)
  return { read: (cells) => readSpan(cells, { billingPeriod, hasTimes, hours }) }
}

/** The hour, day or month of a row; without date and period it is the requested month. */
function readSpan(
  { period, date, hour }: SpanCells,
  { billingPeriod, hasTimes, hours }: Pick<ParseState, 'billingPeriod' | 'hasTimes' | 'hours'>,
): ReadSpan {
  const bad = (column: 'period' | 'date' | 'hour', fault: Message) => ({ column, fault })
  if (period && parseMonth(period) !== billingPeriod) {
    return bad('period', CELL_TEXTS.CELL_OF_OTHER_MONTH({ month: billingPeriod }))
  }
  if (!date)
    return hour ? bad('hour', CELL_TEXTS.CELL_HOUR_WITHOUT_DATE()) : { span: spanOfMonth(billingPeriod) }
  const moment = parseDate(date, { hasTimes })
  if (!moment) return bad('date', CELL_TEXTS.CELL_NO_DATE())
  const day: Cell = { kind: 'text', text: moment.date, raw: moment.date }
  const labelled = hour
    ? hours.read(day, hour)
    : moment.time === undefined
      ? undefined
      : hours.read(date, undefined)
  if (labelled?.fault !== undefined) return bad(hour ? 'hour' : 'date', labelled.fault)
  const span: Span = labelled ? { unit: 'hour', from: labelled.hour } : spanOfDay(moment.date)
  const { from, to } = periodRange(billingPeriod)
  if (span.from < from || span.from >= to) {
    return bad('date', CELL_TEXTS.CELL_OUTSIDE_OF_MONTH({ month: billingPeriod }))
  }
  return { span }
}

function spanOf(find: FindCell, state: ParseState, bad: ReportBadCell): Span | undefined {
  const [period, date, hour] = [find('period'), find('date'), find('hour')]
  const read = readSpan({ period: period?.cell, date: date?.cell, hour: hour?.cell }, state)
  if ('span' in read) return read.span
  return bad(read.fault, { period, date, hour }[read.column]?.index)
}

/**
 * Without a label in the request, hours are labelled by their start, unless the column has 24 and no 0: the
 * hours of a day are then numbered from 1 to 24.
 */
export function labelOf(cells: readonly Cell[]): Label {
  const hours = new Set(cells.flatMap((cell) => clockOf(cell)?.hour ?? []))
  return hours.has(24) && !hours.has(0) ? 'hour_ending' : 'hour_starting'
}
