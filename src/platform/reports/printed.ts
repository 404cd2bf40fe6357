import { unprocessable } from '../../kernel/errors.ts'
import type { RowColumn } from '../pdf/rows.ts'
import { REPORT_PRINTED_ROWS_MAX } from './limits.ts'
import { REPORT_TEXTS } from './messages.ts'
import type { PrintedTable, ReportLocale } from './report.ts'

export interface PrintedColumn extends Omit<RowColumn, 'share'> {
  /** Relative to the other columns. */
  readonly width: number
}

/** Makes the content of a PDF. Throws 422 REPORT_TOO_LONG for a table with too many rows. */
export function makePrinted({
  columns,
  ...table
}: Omit<PrintedTable, 'columns'> & { readonly columns: readonly PrintedColumn[] }): PrintedTable {
  if (table.rows.length > REPORT_PRINTED_ROWS_MAX) {
    throw unprocessable('REPORT_TOO_LONG', REPORT_TEXTS.REPORT_TOO_LONG({ rows: REPORT_PRINTED_ROWS_MAX }))
  }
  const sum = columns.reduce((total, { width }) => total + width, 0)
  return { ...table, columns: columns.map(({ width, ...column }) => ({ ...column, share: width / sum })) }
}

/** Formats a decimal text with groups of three digits and the decimal mark of the language; a dash for null. */
export function printedDecimal(text: string | null, locale: ReportLocale): string {
  if (text === null) return '–'
  const [whole = '', decimals] = text.split('.')
  const [separator, mark] = locale === 'tr' ? ['.', ','] : [',', '.']
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, separator)
  return decimals === undefined ? grouped : `${grouped}${mark}${decimals}`
}
