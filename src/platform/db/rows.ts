import type { QueryArrayConfig, QueryArrayResult } from 'pg'

/** The pool, or a connection in a transaction. */
export interface Queryable {
  query(config: QueryArrayConfig): Promise<QueryArrayResult<unknown[]>>
}

/**
 * Rows as plain lists of cells, for hot reads. `name` makes it a prepared statement that every connection
 * keeps, so a partitioned table is planned once and not at every call; the text must be the same wherever the
 * name is.
 */
export async function readRows(
  db: Queryable,
  statement: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<unknown[][]> {
  const { rows } = await db.query({ ...statement, values: [...statement.values], rowMode: 'array' })
  return rows
}
