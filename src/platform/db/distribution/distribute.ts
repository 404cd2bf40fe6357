import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS } from '../limits.ts'
import { readCatalog } from './catalog.ts'
import { citusVersion, clusterProblems, hasCitus } from './cluster.ts'
import { SHARDS_DEFAULT } from './limits.ts'
import { planOf } from './plan.ts'

/** Held while a database is distributed, an arbitrary number that nothing else uses. */
const DISTRIBUTION_LOCK = 7_236_482_004

/**
 * For the session of a migration and of a distribution: several DDL statements in one transaction, triggers on the
 * shards (ADR 0109), and foreign keys of a new table that is not distributed yet.
 */
const SESSION = `
  set citus.multi_shard_modify_mode = 'sequential';
  set citus.enable_unsafe_triggers = on;
  set citus.enable_local_reference_table_foreign_keys = off;
  set citus.shard_replication_factor = 1`

type DatabaseSetting = readonly [name: string, value: string]
/** Of the database on every node. The actor of a transaction is a setting, which the triggers on the shards read. */
export const DATABASE_SETTINGS: readonly DatabaseSetting[] = [['citus.propagate_set_commands', 'local']]
/** Settings that earlier versions made, which are taken back (ADR 0162). */
const FORMER_SETTINGS: readonly DatabaseSetting[] = [['plan_cache_mode', 'force_custom_plan']]

/** The database cannot be distributed; one line for each thing that the operator has to do. */
export class NotDistributable extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(`the database cannot be distributed: ${lines.join('; ')}`)
    this.lines = lines
  }
}

export interface DistributeOptions {
  /** The number of shards of the first distribution; later tables have as many. */
  readonly shards?: number
  /** Only returns the statements. */
  readonly isCheck?: boolean
}

/** Prepares the session of a migration for a database with the extension; false without it. */
export async function prepareSession(client: pg.ClientBase): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  await client.query(SESSION)
  return true
}

/**
 * Distributes the tables of a migrated database that are not distributed yet, by tenant_id, in one transaction. Returns
 * the statements; an empty list when everything was in place. It needs the owner of the database, not a superuser.
 */
export async function distribute(
  client: pg.ClientBase,
  { shards = SHARDS_DEFAULT, isCheck = false }: DistributeOptions = {},
): Promise<string[]> {
  const version = await citusVersion(client)
  if (version === undefined)
    throw new NotDistributable([
      'it has no extension citus (a superuser creates it on every node: create extension citus)',
    ])
  const problems = await clusterProblems(client, version)
  if (problems.length > 0) throw new NotDistributable(problems)
  await client.query(SESSION)
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [DISTRIBUTION_LOCK])
    const catalog = await readCatalog(client, true)
    const steps = planOf(catalog, shards)
    for (const setting of DATABASE_SETTINGS)
      if (!catalog.settings.includes(setting.join('=')))
        steps.push(await alterDatabase(client, `set ${setting.join(' = ')}`))
    for (const setting of FORMER_SETTINGS)
      if (catalog.settings.includes(setting.join('=')))
        steps.push(await alterDatabase(client, `reset ${setting[0]}`))
    if (!isCheck) for (const step of steps) await run(client, step)
    await client.query(isCheck ? 'rollback' : 'commit')
    return steps
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The statement that changes a setting of the database. */
async function alterDatabase(client: pg.ClientBase, change: string): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter database %I ${change}', current_database()) as statement`,
  )
  return rows[0]?.statement ?? ''
}

async function run(client: pg.ClientBase, step: string): Promise<void> {
  try {
    await client.query(step)
  } catch (error) {
    throw new Error(`${step}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

export async function distributeUrl(url: string, options: DistributeOptions = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    return await distribute(client, options)
  } finally {
    await client.end()
  }
}
