import { languageOf } from '../pdf/language.ts'
import type { OutCell, OutColumn } from '../tables/index.ts'
import { REPORT_PRINTED_ROWS_MAX } from './limits.ts'
import { makePrinted, printedDecimal } from './printed.ts'
import type { Report, ReportLocale } from './report.ts'

/** A text in each language of reports. */
export type Labels = Readonly<Record<ReportLocale, string>>

/** A column of a report whose rows are records. */
export interface ReportColumn<Row> {
  /** The name in the API: the title with `headers=names`. */
  readonly name: string
  readonly label: Labels
  readonly kind: OutColumn['kind']
  /** An instant is epoch milliseconds; a decimal is its text, which is written digit for digit. */
  readonly value: (row: Row) => OutCell
  /** Words for codes, with `headers=labels`; codes without one stay. */
  readonly words?: Readonly<Record<string, Labels>>
  /** A number that a PDF prints with groups of three digits and the decimal mark of the language. */
  readonly isDecimal?: boolean
  /** Relative width in a PDF; absent where the PDF leaves the column out. */
  readonly width?: number
}

export interface TableReportInput<Row> {
  readonly title: Labels
  /** Without extension. */
  readonly fileName: string
  readonly columns: readonly ReportColumn<Row>[]
  /** Reads the rows page by page; called once for a file. */
  readonly pages: () => AsyncIterable<readonly Row[]>
  /** Lines below the title of a PDF: what the report is about. */
  readonly lines: readonly string[]
  /** Sentences below the table of a PDF. */
  readonly notes?: readonly string[]
}

export interface TableReportOptions {
  readonly locale: ReportLocale
  readonly headers: 'labels' | 'names'
}

/** Makes a report of records by its columns: CSV and XLSX have all of them, a PDF those with a width. */
export function tableReport<Row>(input: TableReportInput<Row>, options: TableReportOptions): Report {
  const { columns, fileName } = input
  const { locale, headers } = options
  return {
    title: input.title[locale],
    fileName,
    columns: columns.map(({ name, label, kind }) => ({
      title: headers === 'names' ? name : label[locale],
      kind,
    })),
    portions: cellsOf(input, columns, options),
    printed: () => printed(input, options),
  }
}

async function* cellsOf<Row>(
  { pages }: TableReportInput<Row>,
  columns: readonly ReportColumn<Row>[],
  { locale, headers }: TableReportOptions,
): AsyncGenerator<OutCell[][]> {
  const cell = ({ value, words }: ReportColumn<Row>, row: Row): OutCell => {
    const content = value(row)
    if (words === undefined || headers === 'names' || content === null) return content
    return words[String(content)]?.[locale] ?? content
  }
  for await (const page of pages())
    if (page.length > 0) yield page.map((row) => columns.map((column) => cell(column, row)))
}

async function printed<Row>(input: TableReportInput<Row>, options: TableReportOptions) {
  const { locale } = options
  const language = languageOf(locale)
  const columns = input.columns.filter(({ width }) => width !== undefined)
  const text = ({ kind, isDecimal = false }: ReportColumn<Row>, content: OutCell): string => {
    if (content === null) return '–'
    if (kind === 'instant') return language.time(Number(content))
    return isDecimal ? printedDecimal(String(content), locale) : String(content)
  }
  const rows: string[][] = []
  for await (const page of cellsOf(input, columns, options)) {
    for (const row of page) rows.push(columns.map((column, index) => text(column, row[index] ?? null)))
    if (rows.length > REPORT_PRINTED_ROWS_MAX) break
  }
  return makePrinted({
    lines: input.lines,
    columns: columns.map(({ label, kind, width = 1 }) => ({
      title: label[locale],
      width,
      isNumber: kind === 'number',
    })),
    rows,
    notes: input.notes ?? [],
  })
}
