import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS, DB_STATEMENT_TIMEOUT_MS } from '../db/limits.ts'
import type { Passwords } from './cluster.ts'
import type { PostmasterPid } from './postmaster-pid.ts'

/** The name of the role that serves and of its database. */
const SERVING_NAME = 'netsaat'
/** The role that owns the database and its tables. */
const OWNER_NAME = 'netsaat_owner'

/**
 * Returns a connection string that `pg`, psql, pg_dump and `new URL` can read. A URL with a login must have
 * a host, hence `localhost`; the host parameter overrides it. The port is given because PGPORT would
 * override it otherwise.
 */
function connectionUrl({ host, port }: PostmasterPid, role: string, password: string): string {
  const login = `${role}:${encodeURIComponent(password)}`
  return host.startsWith('/')
    ? `postgresql://${login}@localhost/${SERVING_NAME}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgresql://${login}@${host}:${port}/${SERVING_NAME}`
}

export const connectionUrls = (address: PostmasterPid, { netsaat, owner }: Passwords) => ({
  url: connectionUrl(address, SERVING_NAME, netsaat),
  ownerUrl: connectionUrl(address, OWNER_NAME, owner),
})

/** Runs `work` on one superuser connection, to the database `postgres` unless another is named. */
export async function asSuperuser<T>(
  { host, port }: PostmasterPid,
  password: string,
  work: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new pg.Client({
    host,
    port,
    password,
    user: 'postgres',
    database,
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
 * Creates or updates the roles and the database. The serving role owns nothing, so that it can neither change
 * append-only tables nor return the rights to do so (ADR 0118); the owner owns the database and its tables. Neither is
 * a superuser. A database of a version with one role is handed over in one transaction. Idempotent; runs at every
 * start. `createDb` lets the serving role create databases.
 */
export async function ensureRoles(
  address: PostmasterPid,
  { superuser, netsaat, owner }: Passwords,
  createDb: boolean,
): Promise<void> {
  const isServingOwner = await asSuperuser(address, superuser, async (client) => {
    await ensureRole(client, SERVING_NAME, { password: netsaat, createDb })
    await ensureRole(client, OWNER_NAME, { password: owner, createDb: false })
    const database = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba)::text as owner from pg_database where datname = $1',
      [SERVING_NAME],
    )
    if (database.rowCount === 0) await client.query(`create database ${SERVING_NAME} owner ${OWNER_NAME}`)
    return database.rows[0]?.owner === SERVING_NAME
  })
  if (!isServingOwner) return
  const handOver = (client: pg.Client) =>
    client.query(
      `begin; reassign owned by ${SERVING_NAME} to ${OWNER_NAME};
       alter database ${SERVING_NAME} owner to ${OWNER_NAME}; commit`,
    )
  await asSuperuser(address, superuser, handOver, SERVING_NAME)
}

async function ensureRole(
  client: pg.Client,
  name: string,
  { password, createDb }: { readonly password: string; readonly createDb: boolean },
): Promise<void> {
  const attributes = `login nosuperuser nocreaterole ${createDb ? 'createdb' : 'nocreatedb'}`
  const role = await client.query<{ rolcreatedb: boolean }>(
    'select rolcreatedb from pg_roles where rolname = $1',
    [name],
  )
  if (role.rowCount === 0) {
    await client.query(`create role ${name} ${attributes} password ${client.escapeLiteral(password)}`)
  } else if (role.rows[0]?.rolcreatedb !== createDb) {
    await client.query(`alter role ${name} ${attributes}`)
  }
}
