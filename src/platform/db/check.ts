import { sql } from 'kysely'
import { packageVersion } from '../settings/version.ts'
import { hasSqlState, isStorageRefusal, SQLSTATE } from './errors.ts'
import { migrationNames } from './migrate.ts'
import type { Database } from './pool.ts'
import { APPLIED_MIGRATIONS, type Applied, compareHistory } from './schema-history.ts'

/**
 * Returns undefined when the database responds and has a schema that this program can use, otherwise a description of
 * the problem.
 */
export async function schemaProblem({ pool }: Pick<Database, 'pool'>): Promise<string | undefined> {
  const { missing, problem } = await readHistory(pool)
  if (problem !== undefined) return problem
  return missing.length > 0 ? `${missing.length} migrations are not applied` : undefined
}

/** The migrations that a newer program has applied. */
export const newerMigrations = async ({ pool }: Pick<Database, 'pool'>): Promise<readonly string[]> =>
  (await readHistory(pool)).unknown

let program: Promise<{ readonly names: readonly string[]; readonly version: string }> | undefined

/** Read once for each process, because an upgrade may replace the files of a running program. */
const thisProgram = () => {
  program ??= migrationNames().then((names) => ({ names, version: packageVersion() }))
  return program
}

async function readHistory(pool: Database['pool']) {
  const { names, version } = await thisProgram()
  const { rows } = await pool.query<Applied>(APPLIED_MIGRATIONS)
  return compareHistory(names, rows, version)
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
