import { isPdf, readPdfText } from '../../../platform/pdf/read-text.ts'
import { readTable, type TableLimits, type TableRow } from '../../../platform/tables/index.ts'
import { COLUMN_TEXTS, ColumnsFault } from '../shared/index.ts'
import { readEFatura } from './e-fatura.ts'
import { isXml } from './e-fatura-xml.ts'
import { type InvoiceFile, NO_HEAD } from './invoice-document.ts'
import { readInvoiceTable, type TableOptions } from './invoice-table.ts'
import { lineOfFigure } from './line-figures.ts'
import { readFigures } from './parse.ts'
import { rowsOfPdf } from './pdf-rows.ts'

/**
 * Reads an invoice, detected by its content and not by its name: e-Fatura, PDF, XLSX or CSV. Throws TableFault and
 * ColumnsFault.
 */
export async function readInvoiceFile(
  bytes: Buffer,
  limits: TableLimits,
  options: TableOptions,
): Promise<InvoiceFile> {
  if (isPdf(bytes)) {
    const rows = rowsOfPdf(await readPdfText(bytes), options.columns)
    return readInvoiceTable(rows, 'pdf', options) ?? readFigureTable(withoutTitles(rows), 'pdf', options)
  }
  if (isXml(bytes)) return readEFatura(bytes, options)
  const rows = await readTable(bytes, limits)
  return readInvoiceTable(rows, 'invoice_table', options) ?? readFigureTable(rows, 'table', options)
}

/** A table whose columns are figures, without charges. */
function readFigureTable(
  rows: readonly TableRow[],
  format: 'table' | 'pdf',
  { billingPeriod, label }: TableOptions,
): InvoiceFile {
  const { figures, columns, ...table } = readFigures(rows, billingPeriod, label)
  const headers = new Map(Object.entries(columns).map(([header, column]) => [column as string, header]))
  return {
    ...table,
    format,
    head: NO_HEAD,
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
