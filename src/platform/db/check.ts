import { sql } from 'kysely'
import { hasSqlState, isStorageRefusal, SQLSTATE } from './errors.ts'
import { migrationNames } from './migrate.ts'
import type { Database } from './pool.ts'

/**
 * Returns undefined when the database responds and has the schema of this program, otherwise a description
 * of the problem.
 */
export async function schemaProblem({ kysely }: Database): Promise<string | undefined> {
  const known = await migrationNames()
  const { rows } = await sql<{ name: string }>`select name from schema_migration`.execute(kysely)
  const applied = new Set(rows.map(({ name }) => name))
  const missing = known.filter((name) => !applied.has(name))
  if (missing.length > 0) return `${missing.length} migrations are not applied`
  return applied.size > known.length ? 'the schema is newer than this program' : undefined
}

/**
 * Returns undefined when the server can write to its data folder, otherwise a description of the problem. An exported
 * snapshot is a small file of the server that ends with its transaction and leaves nothing in the tables.
 */
export async function storageProblem({ kysely }: Database): Promise<string | undefined> {
  try {
    await kysely.transaction().execute((tx) => sql`select pg_export_snapshot()`.execute(tx))
    return undefined
  } catch (error) {
    if (isStorageRefusal(error)) return 'the database cannot write to its folder'
    if (hasSqlState(error, SQLSTATE.diskFull)) return 'the disk of the database is full'
    throw error
  }
}
