import { type Kysely, sql } from 'kysely'
import type { DB } from '../types.ts'

/** Whether a table is distributed over the nodes of Citus; false without the extension. */
export async function isDistributed(db: Kysely<DB>, table: string): Promise<boolean> {
  const { rows: catalog } = await sql`
    select 1 where to_regclass('pg_catalog.pg_dist_partition') is not null`.execute(db)
  if (catalog.length === 0) return false
  const { rows } = await sql`
    select 1 from pg_dist_partition where logicalrelid = ${table}::regclass and partmethod = 'h'`.execute(db)
  return rows.length > 0
}
