import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { at } from '../../kernel/checked.ts'
import { packageFile } from '../files/package-file.ts'
import { type DistributeOptions, distribute, prepareSession } from './distribution/distribute.ts'
import { DB_CONNECT_TIMEOUT_MS } from './limits.ts'
import { grantServingRights, requireOwner, roleOf } from './serving-rights.ts'

/** The advisory lock of a running migration: an arbitrary number that nothing else uses. */
const MIGRATION_LOCK = 7_236_482_001
const FILE = /^\d{4}_[a-z0-9_]+\.sql$/
const FOLDER = fileURLToPath(packageFile('migrations/'))
const MIN_SERVER_VERSION = 150_000

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** Returns the names of this program's migrations, in order. */
export const migrationNames = async (folder: string = FOLDER): Promise<string[]> =>
  (await readdir(folder)).filter((name) => FILE.test(name)).sort()

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** The first of the migrations that were squashed into the baseline before the first release. */
const BEFORE_BASELINE = '0001_tenancy_and_identity.sql'

function requireKnownHistory(known: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  if (applied.has(BEFORE_BASELINE))
    throw new Error(
      'the database was made by a version before the first release and cannot be upgraded: start with an empty one ' +
        '(delete the folder postgres in DATA_DIR, or create a new database for DATABASE_URL)',
    )
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of applied) {
    const migration = byName.get(name)
    if (!migration) throw new Error(`the database is newer than this program: it knows migration ${name}`)
    if (migration.checksum !== checksum) throw wasChanged(name)
  }
}

/** An applied migration never changes: the database would lack the change without anybody noticing. */
const wasChanged = (name: string): Error =>
  new Error(
    `migration ${name} was changed after it was applied to this database: use the program that applied it, ` +
      'or, for a database of a development version without data to keep, start with an empty one ' +
      '(delete the folder postgres in DATA_DIR, or create a new database for DATABASE_URL)',
  )

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum])
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
}

/**
 * Migrates the schema, forward only, with one transaction per file. An advisory lock lets one of several
 * processes that start together migrate, while the others wait. In a database with the extension Citus, tables
 * that are not distributed yet are distributed afterwards. `url` is that of the owner of the tables; the role of
 * `servingUrl`, when it is another one, receives its rights. Returns the names of the migrations that were applied.
 */
export async function migrate(
  url: string,
  folder: string = FOLDER,
  { servingUrl = url, ...distribution }: MigrateOptions = {},
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
    requireKnownHistory(known, applied)
    const pending = known.filter(({ name }) => !applied.has(name))
    const isDistributed = await prepareSession(client)
    for (const migration of pending) await apply(client, migration)
    if (isDistributed) await distribute(client, distribution)
    if (servingRole !== undefined) await grantServingRights(client, servingRole)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
