import { isPdf, readPdfText } from '../../../platform/pdf/read-text.ts'
import type { PdfLine } from '../../../platform/pdf/text-lines.ts'
import { readTable, type TableLimits, type TableRow } from '../../../platform/tables/index.ts'
import { COLUMN_TEXTS, ColumnsFault } from '../shared/index.ts'
import { headOf, readInvoiceElement } from './e-fatura.ts'
import { elementSources, layoutOfElements } from './e-fatura-elements.ts'
import { elementsAt, isXml, parseInvoiceXml } from './e-fatura-xml.ts'
import { cellText, type FieldSource, fieldSourcesOf, layoutOfTable } from './field-sources.ts'
import { type InvoiceFile, type InvoiceHead, NO_HEAD } from './invoice-document.ts'
import { readHeadText } from './invoice-head.ts'
import { readInvoiceTable, type TableOptions } from './invoice-table.ts'
import { lineOfFigure } from './line-figures.ts'
import type { MappedColumns } from './mapped-columns.ts'
import { readFigures } from './parse.ts'
import { rowsOfPdf } from './pdf-rows.ts'

/** A file whose content is parsed, but not yet read as an invoice: how it is read depends on its supplier. */
export interface OpenedInvoice {
  readonly kind: 'table' | 'e_fatura' | 'pdf'
  readonly head: InvoiceHead
  /** Fingerprint of its headers or elements. */
  readonly layout: string
  /** What its columns or elements are taken for. */
  sources(mapped: MappedColumns): FieldSource[]
  /** The first rows as texts; of an e-Fatura none. */
  sampleRows(count: number): { readonly row: number; readonly cells: readonly string[] }[]
  /** Throws TableFault and ColumnsFault. */
  read(options: TableOptions): InvoiceFile
}

/** Opens an invoice, detected by its content and not by its name: e-Fatura, PDF, XLSX or CSV. Throws TableFault. */
export async function openInvoiceFile(bytes: Buffer, limits: TableLimits): Promise<OpenedInvoice> {
  if (isPdf(bytes)) return openPdf(await readPdfText(bytes))
  if (isXml(bytes)) return openEFatura(bytes)
  return openTable(await readTable(bytes, limits))
}

async function openEFatura(bytes: Buffer): Promise<OpenedInvoice> {
  const invoice = await parseInvoiceXml(bytes)
  const lines = elementsAt(invoice, 'InvoiceLine')
  return {
    kind: 'e_fatura',
    head: headOf(invoice),
    layout: layoutOfElements(lines),
    sources: (mapped) => elementSources(lines, mapped),
    sampleRows: () => [],
    read: (options) => readInvoiceElement(invoice, options),
  }
}

const openPdf = (lines: readonly PdfLine[]): OpenedInvoice => {
  const unmapped = rowsOfPdf(lines, new Map())
  return {
    kind: 'pdf',
    head: { ...NO_HEAD, ...readHeadText(unmapped) },
    layout: layoutOfTable('pdf', unmapped),
    sources: (mapped) => fieldSourcesOf(rowsOfPdf(lines, mapped), mapped),
    sampleRows: (count) => sampleOf(unmapped, count),
    read(options) {
      const rows = rowsOfPdf(lines, options.columns)
      return readInvoiceTable(rows, 'pdf', options) ?? readFigureTable(withoutTitles(rows), 'pdf', options)
    },
  }
}

const openTable = (rows: readonly TableRow[]): OpenedInvoice => ({
  kind: 'table',
  head: { ...NO_HEAD, ...readHeadText(rows) },
  layout: layoutOfTable('table', rows),
  sources: (mapped) => fieldSourcesOf(rows, mapped),
  sampleRows: (count) => sampleOf(rows, count),
  read: (options) =>
    readInvoiceTable(rows, 'invoice_table', options) ?? readFigureTable(rows, 'table', options),
})

const sampleOf = (rows: readonly TableRow[], count: number) =>
  rows.slice(0, count).map(({ number, cells }) => ({ row: number, cells: cells.map(cellText) }))

/** A table whose columns are figures, without charges. */
function readFigureTable(
  rows: readonly TableRow[],
  format: 'table' | 'pdf',
  options: TableOptions,
): InvoiceFile {
  const { figures, columns, ...table } = readFigures(rows, options)
  const headers = new Map(Object.entries(columns).map(([header, column]) => [column as string, header]))
  return {
    ...table,
    format,
    head: { ...NO_HEAD, ...readHeadText(rows) },
    figures,
    columns,
    lines: figures.map((figure) => lineOfFigure(figure, headers.get(figure.field))),
  }
}

/** The rows of a PDF that belong to a table: its titles are not limited to those of a spreadsheet. */
function withoutTitles(rows: readonly TableRow[]): TableRow[] {
  const tables = rows.filter(({ cells }) => cells.filter(({ kind }) => kind !== 'empty').length > 1)
  if (tables.length === 0) throw new ColumnsFault(COLUMN_TEXTS.HEADERS_OF_FIGURES_MISSING())
  return tables
}
