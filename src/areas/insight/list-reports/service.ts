import type { FastifyRequest } from 'fastify'
import { unprocessable } from '../../../kernel/errors.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import { REPORT_PRINTED_ROWS_MAX } from '../../../platform/reports/limits.ts'
import { REPORT_TEXTS } from '../../../platform/reports/messages.ts'
import type { Report, ReportFormat, ReportLocale } from '../../../platform/reports/report.ts'
import { tableReport } from '../../../platform/reports/table-report.ts'
import { columnsOf } from './columns.ts'
import { LIST_REPORT_IDS_MAX } from './limits.ts'
import type { ListReport } from './list-report.ts'
import { LIST_REPORT_TEXTS } from './messages.ts'
import { RecordNames, referenceOf } from './names.ts'
import { type ListRead, openList, type Row } from './pages.ts'

export interface ListReportOptions {
  readonly format: ReportFormat
  readonly locale: ReportLocale
  readonly headers: 'labels' | 'names'
  /** The parameters of the list, with those of its path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly now: number
}

/** Parameters by which a list is divided; a report has all rows. */
const PAGE_PARAMETERS = ['skip', 'offset', 'limit']

export interface OpenedReport {
  readonly report: Report
  /** Parameters that the list does not know. */
  readonly ignored: readonly string[]
}

/**
 * Opens the report of a list. Throws ListRefused with the response of the list if that is an error, and 422 for a list
 * that is too long for the format.
 */
export async function openListReport(
  { app, request }: { readonly app: App; readonly request: FastifyRequest },
  list: ListReport,
  options: ListReportOptions,
): Promise<OpenedReport> {
  const { format, locale, headers, now } = options
  const { read, ignored } = readOf(app, list, options)
  const { total, pages } = await openList({ app, request }, read)
  if (format === 'pdf' && total > REPORT_PRINTED_ROWS_MAX)
    throw unprocessable('REPORT_TOO_LONG', REPORT_TEXTS.REPORT_TOO_LONG({ rows: REPORT_PRINTED_ROWS_MAX }))
  const names = new RecordNames(
    (other) => openList({ app, request }, other),
    (path) => pagingOf(app, path),
  )
  const columns = columnsOf(list, schemaOf(app, list.path).response, { locale, headers })
  const report = tableReport<Row>(
    {
      title: list.title,
      fileName: `netsaat-${list.name.replaceAll('_', '-')}-${languageOf('en').date(now)}`,
      columns,
      pages: headers === 'names' ? pages : () => withNames(pages(), { list, names }),
      lines: filterLines(options),
    },
    { locale, headers },
  )
  return { report, ignored }
}

const schemaOf = (app: App, path: string) => {
  const schema = app.readSchemas.get(path)
  if (!schema) throw new Error(`there is no GET ${path}`)
  return schema
}

function pagingOf(app: App, path: string): ListRead['paging'] {
  const { query } = schemaOf(app, path)
  if (!query.has('limit')) return 'none'
  return query.has('skip') ? 'skip' : 'offset'
}

/** The requests to the list: the parameters of its path are filled in, its filters and its order are passed on. */
function readOf(app: App, list: ListReport, { locale, parameters }: ListReportOptions) {
  const { query: known } = schemaOf(app, list.path)
  const inPath = [...list.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const given = Object.entries(parameters).filter(([name]) => !inPath.includes(name))
  const isList = list.rows === undefined
  const isFilter = (name: string) => known.has(name) && !(isList && PAGE_PARAMETERS.includes(name))
  const read: ListRead = {
    paths: inPath.reduce((paths, name) => pathsOf(paths, name, parameters[name] ?? ''), [list.path]),
    query: Object.fromEntries(given.filter(([name]) => isFilter(name))),
    paging: isList ? pagingOf(app, list.path) : 'none',
    rows: list.rows?.split('.').filter((field) => field !== ''),
    language: locale,
  }
  return { read, ignored: given.map(([name]) => name).filter((name) => !isFilter(name)) }
}

/** The paths for the ids in a parameter. */
function pathsOf(paths: readonly string[], name: string, text: string): string[] {
  const ids = text.split(',').filter((id) => id !== '')
  if (ids.length === 0 || ids.length * paths.length > LIST_REPORT_IDS_MAX)
    throw invalidInput(['query', name], LIST_REPORT_TEXTS.REPORT_IDS({ max: LIST_REPORT_IDS_MAX }))
  return paths.flatMap((path) =>
    [...new Set(ids)].map((id) => path.replace(`{${name}}`, encodeURIComponent(id))),
  )
}

/** The filters of a printed report, by the names of the API. */
const filterLines = ({ parameters }: ListReportOptions): string[] => {
  const shown = Object.entries(parameters).filter(([name]) => !name.startsWith('sort_'))
  return shown.length === 0 ? [] : [shown.map(([name, value]) => `${name}: ${value}`).join(' · ')]
}

interface Naming {
  readonly list: ListReport
  readonly names: RecordNames
}

/** Replaces ids by the names of their records, where the caller may read them. */
async function* withNames(
  pages: AsyncIterable<readonly Row[]>,
  { list, names }: Naming,
): AsyncGenerator<readonly Row[]> {
  const columns = list.columns.filter((column) => referenceOf(column) !== undefined)
  for await (const rows of pages) {
    const changed = rows.map((row): Record<string, unknown> => ({ ...row }))
    for (const column of columns) {
      if (!rows.some((row) => row[column] !== null && row[column] !== undefined)) continue
      const known = await names.of(column)
      const nameOf = (id: unknown) => known?.get(String(id)) ?? id
      for (const row of changed) {
        const id = row[column]
        row[column] = Array.isArray(id) ? id.map(nameOf) : nameOf(id)
      }
    }
    yield changed
  }
}
