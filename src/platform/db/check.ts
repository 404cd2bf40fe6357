import { sql } from 'kysely'
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
