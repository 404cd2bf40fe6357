import { sql } from 'kysely'
import { at } from '../../kernel/checked.ts'
import type { TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

/** One column of many rows; all columns of an insert have the same length. */
export interface BulkColumn {
  readonly name: string
  readonly type: 'uuid' | 'text' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamptz'
  /** A Date for timestamptz, decimal text for numeric. */
  readonly values: readonly (string | number | boolean | Date | null)[]
}

interface BulkTarget {
  readonly table: keyof DB
  /** Columns with one value for all rows. */
  readonly same: Readonly<Record<string, unknown>>
}

/**
 * Rows per statement: enough to make the cost per statement negligible, few enough to keep its parameters
 * small.
 */
const ROWS_PER_STATEMENT = 5_000

/**
 * Inserts many rows column by column, in as few statements as needed, through unnest: one parameter per column,
 * independent of the number of rows.
 */
export async function insertRows(
  { db }: Pick<TenantTx, 'db'>,
  { table, same, columns }: BulkTarget & { readonly columns: readonly BulkColumn[] },
): Promise<void> {
  const names = [...Object.keys(same), ...columns.map((column) => column.name)]
  const count = at(columns, 0).values.length
  for (let start = 0; start < count; start += ROWS_PER_STATEMENT) {
    const lists = columns.map(
      ({ type, values }) =>
        sql`${arrayLiteral(type, values.slice(start, start + ROWS_PER_STATEMENT))}::${sql.raw(type)}[]`,
    )
    await sql`
      insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join([...Object.values(same)])}, row.* from unnest(${sql.join(lists)}) as row`.execute(db)
  }
}

/** Encodes an array parameter. The driver quotes every element, which costs more than the insert. */
function arrayLiteral(type: BulkColumn['type'], values: BulkColumn['values']): string {
  const elements = values.map((value) => {
    if (value === null) return 'NULL'
    if (value instanceof Date) return value.toISOString()
    return type === 'text' ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value)
  })
  return `{${elements.join(',')}}`
}
