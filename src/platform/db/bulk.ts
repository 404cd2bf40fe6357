import { sql } from 'kysely'
import { at } from '../../kernel/checked.ts'
import { type BulkColumn, type EncodedColumn, encodeColumns, ROWS_PER_STATEMENT } from './bulk-text.ts'
import type { TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

interface BulkTarget {
  readonly table: keyof DB
  /** Columns with one value for all rows. */
  readonly same: Readonly<Record<string, unknown>>
}

/** Inserts many rows column by column, in as few statements as needed. */
export async function insertRows(
  tx: Pick<TenantTx, 'db'>,
  { columns, ...target }: BulkTarget & { readonly columns: readonly BulkColumn[] },
): Promise<void> {
  const count = at(columns, 0).values.length
  for (let start = 0; start < count; start += ROWS_PER_STATEMENT) {
    const slices = columns.map((column) => ({
      ...column,
      values: column.values.slice(start, start + ROWS_PER_STATEMENT),
    }))
    await insertColumns(tx, { ...target, columns: encodeColumns(slices) })
  }
}

/**
 * Inserts rows whose columns are encoded already, with one statement, through unnest: one parameter per column,
 * independent of the number of rows.
 */
export async function insertColumns(
  { db }: Pick<TenantTx, 'db'>,
  { table, same, columns }: BulkTarget & { readonly columns: readonly EncodedColumn[] },
): Promise<void> {
  const names = [...Object.keys(same), ...columns.map((column) => column.name)]
  const lists = columns.map(({ type, literal }) => sql`${literal}::${sql.raw(type)}[]`)
  await sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join([...Object.values(same)])}, row.* from unnest(${sql.join(lists)}) as row`.execute(db)
}
