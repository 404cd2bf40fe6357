import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS, DB_STATEMENT_TIMEOUT_MS } from '../db/limits.ts'
import type { PostmasterPid } from './postmaster-pid.ts'

/** The name of the service's role and of its database. */
const SERVING_NAME = 'netsaat'

/**
 * Returns a connection string that `pg`, psql, pg_dump and `new URL` can read. A URL with a login must have
 * a host, hence `localhost`; the host parameter overrides it. The port is given because PGPORT would
 * override it otherwise.
 */
export function connectionUrl({ host, port }: PostmasterPid, password: string): string {
  const login = `${SERVING_NAME}:${encodeURIComponent(password)}`
  return host.startsWith('/')
    ? `postgresql://${login}@localhost/${SERVING_NAME}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgresql://${login}@${host}:${port}/${SERVING_NAME}`
}

/** Runs `work` on one superuser connection to the database `postgres`. */
export async function asSuperuser<T>(
  { host, port }: PostmasterPid,
  password: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host,
    port,
    password,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS,
    statement_timeout: DB_STATEMENT_TIMEOUT_MS,
  })
  // Without a listener, an idle connection that breaks would end the process; the next query reports the
  // error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Creates or updates the service's role. It owns its database and may create schemas and trusted extensions
 * in it, but is no superuser, so that revoked rights (append-only tables) are effective. Idempotent; runs
 * at every start.
 */
export async function ensureServingRole(
  client: pg.Client,
  password: string,
  createDb: boolean,
): Promise<void> {
  const attributes = `login nosuperuser nocreaterole ${createDb ? 'createdb' : 'nocreatedb'}`
  const role = await client.query<{ rolcreatedb: boolean }>(
    'select rolcreatedb from pg_roles where rolname = $1',
    [SERVING_NAME],
  )
  if (role.rowCount === 0) {
    await client.query(`create role ${SERVING_NAME} ${attributes} password ${client.escapeLiteral(password)}`)
  } else if (role.rows[0]?.rolcreatedb !== createDb) {
    await client.query(`alter role ${SERVING_NAME} ${attributes}`)
  }
  const database = await client.query('select 1 from pg_database where datname = $1', [SERVING_NAME])
  if (database.rowCount === 0) await client.query(`create database ${SERVING_NAME} owner ${SERVING_NAME}`)
}
