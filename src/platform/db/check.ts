import { sql } from 'kysely'
import { migrationNames } from './migrate.ts'
import type { Database } from './pool.ts'

/** Undefined when the database answers and has this program's schema; else what is wrong. */
export async function schemaProblem({ kysely }: Database): Promise<string | undefined> {
  const known = await migrationNames()
  const { rows } = await sql<{ name: string }>`select name from schema_migration`.execute(kysely)
  const applied = new Set(rows.map(({ name }) => name))
  const missing = known.filter((name) => !applied.has(name))
  if (missing.length > 0) return `${missing.length} migrations are not applied`
  return applied.size > known.length ? 'the schema is newer than this program' : undefined
}
