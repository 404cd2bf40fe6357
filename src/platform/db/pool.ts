import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DB_CONNECT_TIMEOUT_MS, DB_STATEMENT_TIMEOUT_MS } from './limits.ts'
import { typeParsers } from './parsers.ts'
import type { DB } from './types.ts'

/**
 * The database as the service holds it: the pool for COPY and jobs, Kysely over the same pool for the rest.
 */
export interface Database {
  readonly pool: pg.Pool
  readonly kysely: Kysely<DB>
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly url: string
  readonly maxConnections?: number
  /** Called when an idle connection broke; the pool has already dropped it. */
  readonly onIdleError?: (error: Error) => void
}

export function connect({ url, maxConnections = 20, onIdleError = () => {} }: ConnectOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types: typeParsers,
    application_name: 'netsaat',
    connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS,
    statement_timeout: DB_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: DB_STATEMENT_TIMEOUT_MS,
    options: '-c timezone=UTC',
  })
  pool.on('error', onIdleError)
  // A connection that breaks while it is lent out reports it twice: to the query that waits, and as an
  // event that would end the process if nobody listened. The pool itself listens only to idle ones.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { pool, kysely, close: () => kysely.destroy() }
}
