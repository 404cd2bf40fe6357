import { useId } from 'react'
import { useText } from '../../kernel/text.tsx'
import { ScrollFrame } from '../../ui/scroll-frame.tsx'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

interface RowError {
  readonly row: number
  readonly message: string
  readonly parameters: Readonly<Record<string, unknown>>
}
type Rows = readonly (readonly string[])[]

interface FaultyRowsProps {
  /** Undefined for a workbook, which is corrected where it was made. */
  readonly rows: Rows | undefined
  readonly errors: readonly RowError[]
  readonly onChange: (rows: Rows) => void
}

/** The rows with errors: each cell can be changed, and each error is at its cell. */
export function FaultyRows({ rows, errors, onChange }: FaultyRowsProps) {
  const t = useText()
  const numbers = [...new Set(errors.map(({ row }) => row))].toSorted((a, b) => a - b)
  const headers = (rows?.[0] ?? []).map((header) => header.trim())
  const change = (row: number, column: number, value: string) =>
    onChange(
      (rows ?? []).map((cells, index) =>
        index === row - 1 ? headers.map((_header, at) => (at === column ? value : (cells[at] ?? ''))) : cells,
      ),
    )
  return (
    <ScrollFrame label={t(TARIFF_PAGE_TEXTS.TARIFFS_ERRORS())}>
      <table className="table">
        <caption>{t(TARIFF_PAGE_TEXTS.TARIFFS_ERRORS())}</caption>
        <thead>
          <tr>
            <th scope="col">{t(TARIFF_PAGE_TEXTS.TARIFFS_ROW())}</th>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
            <th scope="col">{t(TARIFF_PAGE_TEXTS.TARIFFS_ERROR())}</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((row) => (
            <FaultyRow
              key={row}
              row={row}
              headers={headers}
              cells={rows?.[row - 1] ?? []}
              errors={errors.filter((error) => error.row === row)}
              onChange={(column, value) => change(row, column, value)}
            />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

interface FaultyRowProps {
  readonly row: number
  readonly headers: readonly string[]
  readonly cells: readonly string[]
  readonly errors: readonly RowError[]
  readonly onChange: (column: number, value: string) => void
}

/** The column that an error names; the month of a row is in `billing_period`. */
const columnOf = ({ parameters }: RowError): unknown =>
  parameters['column'] ?? ('price_period' in parameters ? 'billing_period' : undefined)

function FaultyRow({ row, headers, cells, errors, onChange }: FaultyRowProps) {
  const t = useText()
  const id = useId()
  const ofRow = errors.filter((error) => !headers.includes(String(columnOf(error))))
  return (
    <tr>
      <th scope="row">{row}</th>
      {headers.map((header, column) => {
        const fault = errors.find((error) => columnOf(error) === header)
        const faultId = `${id}-${column}`
        return (
          <td key={header}>
            <input
              className="input cell-input"
              data-invalid={fault ? true : undefined}
              aria-label={t(TARIFF_PAGE_TEXTS.TARIFFS_CELL({ column: header, row }))}
              aria-invalid={fault !== undefined}
              aria-describedby={fault ? faultId : undefined}
              value={cells[column] ?? ''}
              onChange={(event) => onChange(column, event.target.value)}
            />
            {fault && (
              <span className="cell-fault" id={faultId}>
                {fault.message}
              </span>
            )}
          </td>
        )
      })}
      <td>{ofRow.map(({ message }) => message).join('; ')}</td>
    </tr>
  )
}
