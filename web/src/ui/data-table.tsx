import type { ReactNode } from 'react'
import { ExportMenu, type TableReport } from './export-menu.tsx'
import { ScrollFrame } from './scroll-frame.tsx'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Shown instead of rows when there is none. */
  readonly empty: string
  /** The table as a file; null for a table that is none of the API. */
  readonly report: TableReport | null
}

/** A table of one page of records. The first column names the row; on a phone a row is a list of titles and values. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, empty, report } = props
  return (
    <div className="table-block">
      {report && <ExportMenu caption={caption} report={report} />}
      <ScrollFrame label={caption}>
        <table className="table stacked">
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ id, title, isNumber }) => (
                <th key={id} scope="col" className={isNumber ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.length === 0 && (
              <tr>
                <td colSpan={columns.length} className="muted">
                  {empty}
                </td>
              </tr>
            )}
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ id, title, cell, isNumber }, index) =>
                  index === 0 ? (
                    <th key={id} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={id} className={isNumber ? 'number' : undefined} data-title={title}>
                      <div>{cell(row)}</div>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </div>
  )
}
