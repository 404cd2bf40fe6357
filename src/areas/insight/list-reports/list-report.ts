import type { Labels } from '../../../platform/reports/table-report.ts'

/** A list of the API that can be downloaded as a file. */
export interface ListReport {
  /** The name in the path of the report. */
  readonly name: string
  readonly title: Labels
  /** Path of the operation that is read, with its path parameters: `/api/mahsuplasma/groups/{id}/members`. */
  readonly path: string
  /** The fields that lead to the rows where the response is a record and no list; empty for the record itself. */
  readonly rows?: string
  /** All columns. A name with points is a field of a nested object: `figures.matched_kwh`. */
  readonly columns: readonly string[]
  /** The columns of a PDF, which has room for a few. */
  readonly printed: ReadonlySet<string>
}

/**
 * Declares a report. The source is a path; `#` and the field that has the rows follow where the response is a record.
 * Of the names of columns those before the bar are also in the PDF.
 */
export function listReport(
  name: string,
  source: string,
  [tr, en]: readonly [tr: string, en: string],
  columns: string,
): ListReport {
  const [path = '', rows] = source.split('#')
  const [printed = [], others = []] = columns.split('|').map((part) => part.split(' ').filter(Boolean))
  return {
    name,
    title: { tr, en },
    path,
    columns: [...printed, ...others],
    printed: new Set(printed),
    ...(rows !== undefined && { rows }),
  }
}
