import type { ClientBase, Pool } from 'pg'

/** Whether the database has the extension Citus, which makes it a distributed one. */
export async function isDistributed(db: Pick<Pool | ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await db.query<{ is_distributed: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_node') is not null as is_distributed`,
  )
  return rows[0]?.is_distributed ?? false
}
