/** One column of many rows; all columns of an insert have the same length. */
export interface BulkColumn {
  readonly name: string
  readonly type: 'uuid' | 'text' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamptz'
  /** A Date for timestamptz, decimal text for numeric. */
  readonly values: readonly (string | number | boolean | Date | null)[]
}

/** Columns whose values are one array literal of PostgreSQL each. It can be made in another thread than the insert. */
export interface EncodedColumn extends Pick<BulkColumn, 'name' | 'type'> {
  readonly literal: string
}

/**
 * Rows per statement: enough to make the cost per statement negligible, few enough to keep its parameters
 * small.
 */
export const ROWS_PER_STATEMENT = 5_000

export const encodeColumns = (columns: readonly BulkColumn[]): EncodedColumn[] =>
  columns.map(({ name, type, values }) => ({ name, type, literal: arrayLiteral(type, values) }))

/** Encodes an array parameter. The driver quotes every element, which costs more than the insert. */
function arrayLiteral(type: BulkColumn['type'], values: BulkColumn['values']): string {
  const elements = values.map((value) => {
    if (value === null) return 'NULL'
    if (value instanceof Date) return value.toISOString()
    return type === 'text' ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value)
  })
  return `{${elements.join(',')}}`
}
