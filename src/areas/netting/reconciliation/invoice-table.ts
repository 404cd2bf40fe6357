import { type InvoiceLine, isTotal } from '../../../core/netting/invoice/types.ts'
import { roundDiv } from '../../../kernel/decimal.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import {
  type Cell,
  type DecimalMark,
  decimalMarkOf,
  EMPTY,
  parseFigure,
  plain,
  type TableRow,
  tooManyRows,
} from '../../../platform/tables/index.ts'
import { RECONCILE_ROWS_MAX } from '../limits.ts'
import type { Label } from '../shared/index.ts'
import { readHeader } from './columns.ts'
import { type InvoiceColumn, type InvoiceHeader, readInvoiceHeader } from './invoice-columns.ts'
import { type FileFormat, type InvoiceFile, NO_HEAD } from './invoice-document.ts'
import { readHeadText } from './invoice-head.ts'
import { figuresOfLines, lineOfFigure } from './line-figures.ts'
import { kindOf, type MappedLines, stepOf } from './line-kinds.ts'
import type { MappedColumns } from './mapped-columns.ts'
import { CELL_TEXTS } from './messages.ts'
import { type BadCell, labelOf, makeSpanReader, readFigures, type SpanReader } from './parse.ts'

export interface TableOptions {
  readonly billingPeriod: BillingPeriod
  readonly label: Label | undefined
  readonly columns: MappedColumns
  readonly lines: MappedLines
}

type Section =
  | { readonly kind: 'charges'; readonly header: InvoiceHeader; readonly rows: TableRow[] }
  /** A table by the hour, day or month: its first row is the header. */
  | { readonly kind: 'figures'; readonly rows: TableRow[] }

const headerText = ({ cells }: TableRow): string =>
  cells.map((cell) => (cell.kind === 'text' ? plain(cell.text) : '')).join('|')

/** True for a header of charges: a header of figures by column precedes it, unless it has amounts of a type alone. */
export const isInvoiceHeader = (cells: readonly Cell[], mapped: MappedColumns): boolean => {
  const figures = readHeader(cells, mapped)
  const names = figures ? [...figures.columns.values()] : []
  const isFigureTable = names.some((name) => name === 'amount_type' || /_kwh$/.test(name) || isAmount(name))
  return !isFigureTable && readInvoiceHeader(cells, mapped) !== undefined
}
const isAmount = (name: string): boolean => name.endsWith('_try') && name !== 'amount_try'

/** True for any row that begins a table. */
export const isAnyHeader = (cells: readonly Cell[], mapped: MappedColumns): boolean =>
  isInvoiceHeader(cells, mapped) || isFigureHeader(cells, mapped)

const NUMBER = /^[-+]?[\d.,\s]+$/
/** The text of a charge may be that of a header, but a header has several columns and no number. */
function isFigureHeader(cells: readonly Cell[], mapped: MappedColumns): boolean {
  const header = readHeader(cells, mapped)
  if (!header || header.columns.size < 2) return false
  return !cells.some((cell) => cell.kind === 'number' || (cell.kind === 'text' && NUMBER.test(cell.text)))
}

function sectionsOf(rows: readonly TableRow[], { columns }: TableOptions): Section[] {
  const sections: (Section & { readonly text: string })[] = []
  for (const row of rows) {
    const header = isInvoiceHeader(row.cells, columns) ? readInvoiceHeader(row.cells, columns) : undefined
    const isHeader = header !== undefined || isFigureHeader(row.cells, columns)
    const text = headerText(row)
    // The header of a table is repeated on every page.
    if (isHeader && sections.at(-1)?.text === text) continue
    if (header) sections.push({ kind: 'charges', header, rows: [], text })
    else if (isHeader) sections.push({ kind: 'figures', rows: [row], text })
    else sections.at(-1)?.rows.push(row)
  }
  return sections
}

/** Reads a table of charges, with annexes by the hour or day; undefined where no row is a header of charges. */
export function readInvoiceTable(
  rows: readonly TableRow[],
  format: FileFormat,
  options: TableOptions,
): InvoiceFile | undefined {
  if (!rows.some(({ cells }) => isInvoiceHeader(cells, options.columns))) return undefined
  if (rows.length > RECONCILE_ROWS_MAX) throw tooManyRows(RECONCILE_ROWS_MAX)
  const sections = sectionsOf(rows, options)
  const decimalMark = decimalMarkOf(sections.flatMap(numbersOf))
  const badCells: BadCell[] = []
  const columns: Record<string, string> = {}
  const ignored: string[] = []
  const lines: InvoiceLine[] = []
  let label = options.label
  for (const section of sections) {
    if (section.kind === 'figures') {
      const annex = readFigures(section.rows, options)
      const headers = new Map(Object.entries(annex.columns).map(([name, column]) => [column as string, name]))
      lines.push(...annex.figures.map((figure) => lineOfFigure(figure, headers.get(figure.field))))
      badCells.push(...annex.badCells)
      Object.assign(columns, annex.columns)
      ignored.push(...annex.ignoredColumns)
      label ??= annex.label
      continue
    }
    for (const [index, column] of section.header.columns)
      columns[section.header.names[index] ?? column] = column
    ignored.push(...section.header.ignored)
    const hours = section.rows.map(({ cells }) => cellOf(cells, section.header, 'hour') ?? EMPTY)
    const spans = makeSpanReader(options.billingPeriod, options.label ?? labelOf(hours))
    const context = { header: section.header, spans, decimalMark, badCells, options }
    lines.push(...section.rows.flatMap((row) => lineOfRow(row, context) ?? []))
  }
  return {
    format,
    head: { ...NO_HEAD, ...readHeadText(rows) },
    lines,
    figures: figuresOfLines(lines),
    badCells,
    columns,
    ignoredColumns: [...new Set(ignored)],
    decimalMark,
    label: label ?? 'hour_starting',
    rowCount: new Set(lines.map(({ number }) => number)).size,
  }
}

const NUMBERS: readonly InvoiceColumn[] = ['quantity', 'unit_price', 'amount', 'base', 'vat', 'gross']

const numbersOf = (section: Section): Cell[] =>
  section.kind === 'figures'
    ? []
    : section.rows.flatMap(({ cells }) =>
        NUMBERS.flatMap((column) => cellOf(cells, section.header, column) ?? []),
      )

function cellOf(cells: readonly Cell[], { columns }: InvoiceHeader, wanted: InvoiceColumn): Cell | undefined {
  for (const [index, column] of columns) {
    const cell = cells[index]
    if (column === wanted && cell && cell.kind !== 'empty') return cell
  }
  return undefined
}

interface RowContext {
  readonly header: InvoiceHeader
  readonly spans: SpanReader
  readonly decimalMark: DecimalMark
  readonly badCells: BadCell[]
  readonly options: TableOptions
}

const textOf = (cell: Cell | undefined): string | null =>
  cell?.kind === 'text' || cell?.kind === 'number' ? cell.text : null

/** A line of an invoice; undefined for a row without a figure, such as a title, and for one that cannot be read. */
function lineOfRow({ number, cells }: TableRow, context: RowContext): InvoiceLine | undefined {
  const { header, spans, decimalMark, badCells, options } = context
  const cell = (column: InvoiceColumn) => cellOf(cells, header, column)
  if (!NUMBERS.some((column) => cell(column))) return undefined
  const bad = (column: InvoiceColumn, content: BadCell['content']) => {
    const index = [...header.columns].find(([, name]) => name === column)?.[0]
    badCells.push({ row: number, column: index === undefined ? undefined : header.names[index], content })
  }
  let isReadable = true
  const figure = (column: InvoiceColumn, source = cell(column)): bigint | null => {
    if (!source) return null
    const value = parseFigure(source, decimalMark)
    if (value !== undefined) return value
    isReadable = false
    bad(column, CELL_TEXTS.CELL_NOT_NUMBER({ mark: decimalMark === ',' ? 'comma' : 'point' }))
    return null
  }
  const span = spans.read({ period: cell('period'), date: cell('date'), hour: cell('hour') })
  if ('fault' in span) {
    bad(span.column, span.fault)
    return undefined
  }
  const description = textOf(cell('item'))
  const amounts = {
    amount: figure('amount'),
    base: figure('base'),
    vat: figure('vat'),
    gross: figure('gross'),
  }
  const unitPrice = figure('unit_price')
  const kind = kindOf(description ?? '', options.lines, amounts.amount !== null || unitPrice !== null)
  const quantity = figure('quantity')
  const line: InvoiceLine = {
    number,
    description,
    kind,
    span: span.span,
    facility: textOf(cell('facility')),
    step: stepOf(textOf(cell('step')) === null ? (description ?? '') : `kademe ${textOf(cell('step'))}`),
    quantity: quantity === null ? null : roundDiv(quantity * unitFactor(textOf(cell('unit'))), 1000n),
    unitPrice:
      unitPrice === null ? null : { value: unitPrice, decimals: decimalsOf(cell('unit_price'), decimalMark) },
    ...amounts,
    rate: rateOf(cell('rate'), decimalMark),
    vatRate: rateOf(cell('vat_rate'), decimalMark),
    isTax: false,
  }
  if (!isReadable) return undefined
  // A sum is often in the last column alone.
  return isTotal(kind) && line.amount === null
    ? { ...line, amount: line.gross ?? line.vat, gross: null, vat: null }
    : line
}

/** Quantities of a line are in kWh, unless its unit says otherwise. */
const unitFactor = (unit: string | null): bigint => (unit !== null && plain(unit) === 'mwh' ? 1000n : 1n)

const decimalsOf = (cell: Cell | undefined, mark: DecimalMark): number => {
  if (cell?.kind === 'number') return 6
  return textOf(cell)?.split(mark)[1]?.replace(/\D/g, '').length ?? 0
}

/** A rate in hundredths of a percent: %20, 20, 20,00 %. */
function rateOf(cell: Cell | undefined, mark: DecimalMark): bigint | null {
  if (!cell || cell.kind === 'empty') return null
  const text = textOf(cell)?.replace(/%/g, '').trim() ?? ''
  const value = parseFigure(cell.kind === 'number' ? cell : { kind: 'text', text, raw: text }, mark)
  return value === undefined ? null : roundDiv(value, 10_000n)
}
