import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { at } from '../../kernel/checked.ts'
import { packageFile } from '../files/package-file.ts'
import { packageVersion } from '../settings/version.ts'
import { type DistributeOptions, distribute, prepareSession } from './distribution/distribute.ts'
import { DB_CONNECT_TIMEOUT_MS } from './limits.ts'
import { APPLIED_MIGRATIONS, type Applied, compareHistory, declaredVersion } from './schema-history.ts'
import { grantServingRights, requireOwner, roleOf } from './serving-rights.ts'
import { splitStatements } from './sql-statements.ts'

/** The advisory lock of a running migration: an arbitrary number that nothing else uses. */
const MIGRATION_LOCK = 7_236_482_001
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/
const FOLDER = fileURLToPath(packageFile('migrations/'))
const MIN_SERVER_VERSION = 150_000

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  readonly minProgramVersion: string | null
}

/** Returns the names of this program's migrations, in order. */
export const migrationNames = async (folder: string = FOLDER): Promise<string[]> =>
  (await readdir(folder)).filter((name) => FILE.test(name)).sort()

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, sql, checksum, minProgramVersion: declaredVersion(sql) }
    }),
  )
}

interface Recorded extends Applied {
  readonly checksum: string
}

async function appliedMigrations(client: pg.Client): Promise<readonly Recorded[]> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Recorded>(APPLIED_MIGRATIONS)
  return rows
}

/** The first of the migrations that were squashed into the baseline before the first release. */
const BEFORE_BASELINE = '0001_tenancy_and_identity.sql'

/** Throws when the history of the database is none that this program can use. */
function requireUsableHistory(known: readonly Migration[], applied: readonly Recorded[], version: string) {
  if (applied.some(({ name }) => name === BEFORE_BASELINE))
    throw new Error(
      'the database was made by a version before the first release and cannot be upgraded: start with an empty one ' +
        '(delete the folder postgres in DATA_DIR, or create a new database for DATABASE_URL)',
    )
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of applied)
    if ((checksums.get(name) ?? checksum) !== checksum) throw wasChanged(name)
  const names = known.map(({ name }) => name)
  const { unknown, problem } = compareHistory(names, applied, version)
  if (problem !== undefined) throw new Error(problem)
  return { isNewer: unknown.length > 0 }
}

/** An applied migration never changes: the database would lack the change without anybody noticing. */
const wasChanged = (name: string): Error =>
  new Error(
    `migration ${name} was changed after it was applied to this database: use the program that applied it, ` +
      'or, for a database of a development version without data to keep, start with an empty one ' +
      '(delete the folder postgres in DATA_DIR, or create a new database for DATABASE_URL)',
  )

async function apply(
  client: pg.Client,
  { name, sql, checksum, minProgramVersion }: Migration,
): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of splitStatements(sql)) await client.query(statement)
    await client.query(
      'insert into schema_migration (name, checksum, min_program_version) values ($1, $2, $3)',
      [name, checksum, minProgramVersion],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

export interface MigrateOptions extends DistributeOptions {
  /** The URL of the role that serves; that of the owner when absent. */
  readonly servingUrl?: string
  /** The version of the program; that of the package when absent. */
  readonly version?: string
}

/**
 * Migrates the schema, forward only, with one transaction per file. An advisory lock lets one of several
 * processes that start together migrate, while the others wait. In a database with the extension Citus, tables
 * that are not distributed yet are distributed afterwards. `url` is that of the owner of the tables; the role of
 * `servingUrl`, when it is another one, receives its rights. A database of a newer program stays as it is;
 * throws when this program cannot use it. Returns the names of the migrations that were applied.
 */
export async function migrate(
  url: string,
  folder: string = FOLDER,
  { servingUrl = url, version = packageVersion(), ...distribution }: MigrateOptions = {},
): Promise<string[]> {
  const servingRole = servingUrl === url ? undefined : await roleOf(servingUrl)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    if (at(rows, 0).version < MIN_SERVER_VERSION) throw new Error('PostgreSQL 15 or newer is needed')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    if (servingRole !== undefined) await requireOwner(client, servingRole)
    const known = await readMigrations(folder)
    const applied = await appliedMigrations(client)
    const { isNewer } = requireUsableHistory(known, applied, version)
    // The newer program has distributed its tables and given the rights.
    if (isNewer) return []
    const names = new Set(applied.map(({ name }) => name))
    const pending = known.filter(({ name }) => !names.has(name))
    if (pending.length > 0)
      await client.query('alter table schema_migration add column if not exists min_program_version text')
    const isDistributed = await prepareSession(client)
    for (const migration of pending) await apply(client, migration)
    if (isDistributed) await distribute(client, distribution)
    if (servingRole !== undefined) await grantServingRights(client, servingRole)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
