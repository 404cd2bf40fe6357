import type { QueryArrayConfig, QueryArrayResult } from 'pg'

/** The pool, or a connection in a transaction. */
export interface Queryable {
  query(config: QueryArrayConfig): Promise<QueryArrayResult<unknown[]>>
}

/**
 * Reads rows as plain lists of cells, for hot paths. `name` makes the statement a prepared one of each
 * connection, so that a partitioned table is planned once and not per call; all uses of a name must have
 * the same text. Without a name it is planned for the given values, which decide which months are searched.
 */
export async function readRows(
  db: Queryable,
  statement: { readonly name?: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<unknown[][]> {
  const { rows } = await db.query({ ...statement, values: [...statement.values], rowMode: 'array' })
  return rows
}
