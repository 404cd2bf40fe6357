import type { Readable } from 'node:stream'
import { languageOf } from '../pdf/language.ts'
import { BOLD, FONT, INK, MARGIN, MUTED, numberPages, openDocument, widthOf } from '../pdf/page.ts'
import { drawRows, type RowColumn } from '../pdf/rows.ts'
import { csvStream, type OutTable, xlsxStream } from '../tables/index.ts'

/**
 * A table as a file: CSV and XLSX contain all rows, which are read while the file is written; a PDF contains
 * what fits on pages that people read, which is usually sums.
 */
export interface Report extends OutTable {
  readonly title: string
  /** Without extension. */
  readonly fileName: string
  /** Reads the content of the PDF. */
  printed(): Promise<PrintedTable>
}

export interface PrintedTable {
  /** What the report is about: group, period, quality. */
  readonly lines: readonly string[]
  readonly columns: readonly RowColumn[]
  readonly rows: readonly (readonly string[])[]
  /** Sentences below the table. */
  readonly notes: readonly string[]
}

export const REPORT_FORMATS = ['csv', 'xlsx', 'pdf'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
export const REPORT_LOCALES = ['tr', 'en'] as const
export type ReportLocale = (typeof REPORT_LOCALES)[number]

export const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

export interface ReportOptions {
  readonly format: ReportFormat
  readonly locale: ReportLocale
  /** Time of creation, epoch milliseconds. */
  readonly at: number
}

/** More columns need the width of a landscape page. */
const PORTRAIT_COLUMNS_MAX = 7

/** Opens the file of a report as a stream, which is created while it is read. */
export async function openReport(report: Report, { format, locale, at }: ReportOptions): Promise<Readable> {
  if (format === 'csv') return csvStream(report, { locale })
  if (format === 'xlsx') return xlsxStream(report, { sheetName: report.title, at })
  return drawReport(report.title, await report.printed(), { locale, at })
}

async function drawReport(
  title: string,
  { lines, columns, rows, notes }: PrintedTable,
  { locale, at }: Omit<ReportOptions, 'format'>,
): Promise<Readable> {
  const language = languageOf(locale)
  const document = openDocument({
    title,
    at,
    language: locale,
    isLandscape: columns.length > PORTRAIT_COLUMNS_MAX,
  })
  const width = widthOf(document)
  document.font(BOLD).fontSize(16).fillColor(INK).text(title, MARGIN, MARGIN, { width })
  document.font(FONT).fontSize(9).fillColor(MUTED)
  for (const line of lines) document.text(line, MARGIN, document.y + 3, { width })
  document.y += 8
  await drawRows(document, columns, rows)
  document.font(FONT).fontSize(8).fillColor(MUTED)
  for (const note of notes) document.text(note, MARGIN, document.y + 4, { width })
  numberPages(document, language, `Netsaat · ${language.time(at)} · ${language.clock}`)
  document.end()
  return document as unknown as Readable
}
