import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { copyOutOfPool, type RowsReader } from './copy-out.ts'
import { parseInstantText } from './instant-text.ts'
import { kyselyPool } from './kysely-pool.ts'
import {
  DB_CONNECT_TIMEOUT_MS,
  DB_CONNECTION_LIFETIME_S,
  DB_STATEMENT_TIMEOUT_MS,
  OWNER_CONNECTIONS,
} from './limits.ts'
import { limitPlanCache } from './plan-cache.ts'
import type { DB } from './types.ts'
import { makeWriteWatch } from './write-watch.ts'

/**
 * The connections of the service: the pool for COPY and jobs, and Kysely over the same pool for everything
 * else.
 */
export interface Database {
  readonly pool: pg.Pool
  readonly kysely: Kysely<DB>
  /**
   * Reads many rows by `COPY (…) TO STDOUT (FORMAT binary)`, which takes no parameters. `begin` returns what receives
   * the rows; it is called again when the statement is repeated on another server.
   */
  copyOut<Reader extends RowsReader>(text: string, begin: () => Reader): Promise<Reader>
  /**
   * Calls the listener after each commit of `kysely` that inserted into or updated one of the tables. Returns the
   * function that ends it.
   */
  watchWrites(tables: readonly string[], listener: () => void): () => void
  /** The URL of the connections, from which a thread opens its own. */
  readonly url: string
  /**
   * The same database as the role that owns the tables, for partitions, sealed months, the deletion of tenants and the
   * tables of the job queue. The database itself where one role does everything (ADR 0118).
   */
  readonly owner: Database
  /** Opens a separate pool of connections to the same database, which nothing else can exhaust. */
  open(options: Omit<ConnectOptions, 'url' | 'ownerUrl'>): Database
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly url: string
  /** The URL of the role that owns the tables; that of `url` when absent. */
  readonly ownerUrl?: string | undefined
  readonly maxConnections?: number
  /** Milliseconds to open a connection or to wait for a free one; DB_CONNECT_TIMEOUT_MS when absent. */
  readonly connectTimeoutMs?: number
  /** Keeps idle connections open; otherwise they are closed after the driver's 10 s. */
  readonly keepsIdle?: boolean
  /**
   * For the pools for reads at the workers. Nothing is written, so where plans must not be kept statements keep their
   * names and each execution is planned (plan-cache.ts).
   */
  readonly isForReads?: boolean
  /** Called when an idle connection broke; the pool has already removed it. */
  readonly onIdleError?: (error: Error) => void
}

export function connect(options: ConnectOptions): Database {
  const { url, ownerUrl = url, maxConnections = 20, keepsIdle = false, onIdleError = () => {} } = options
  const pool = new pg.Pool({
    onConnect: limitPlanCache({ isForReads: options.isForReads ?? false }),
    connectionString: url,
    max: maxConnections,
    types: typeParsers,
    application_name: 'netsaat',
    connectionTimeoutMillis: options.connectTimeoutMs ?? DB_CONNECT_TIMEOUT_MS,
    maxLifetimeSeconds: DB_CONNECTION_LIFETIME_S,
    ...(keepsIdle && { idleTimeoutMillis: 0 }),
    statement_timeout: DB_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: DB_STATEMENT_TIMEOUT_MS,
    options: '-c timezone=UTC',
  })
  let isClosing = false
  // A server that stops ends the connections that the pool is closing anyway; the pool still reports them.
  pool.on('error', (error) => {
    if (!isClosing) onIdleError(error)
  })
  // A connection that breaks while it is checked out reports the error twice: to the pending query, and as an
  // event that would end the process without a listener. The pool itself listens on idle connections only.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const writes = makeWriteWatch()
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, writes) }) })
  // A pool connects when it is used first.
  const owner =
    ownerUrl === url
      ? undefined
      : connect({ ...options, url: ownerUrl, maxConnections: OWNER_CONNECTIONS, keepsIdle: false })
  const database: Database = {
    pool,
    kysely,
    copyOut: (text, begin) => copyOutOfPool(pool, text, begin),
    watchWrites: writes.watch,
    url,
    get owner() {
      return owner ?? database
    },
    open: (further) => connect({ ...further, url, ownerUrl }),
    async close() {
      isClosing = true
      // Kysely ends the pool only when it has executed a statement itself.
      await kysely.destroy()
      if (!pool.ending) await pool.end()
      await owner?.close()
    },
  }
  return database
}

const DATE = 1082
const DATE_ARRAY = 1182

const asText = (value: string) => value
/** The parser of text[]; the driver's types name no array types. */
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0]
const textArray = pg.types.getTypeParser(TEXT_ARRAY, 'text')

/**
 * Conversion of column values: numeric and int8 as exact text (the driver's default), `date` as text too,
 * because the default creates a Date at local midnight and so moves a billing period into the month before.
 * Instants are those of the driver.
 */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
    if (oid === pg.types.builtins.TIMESTAMPTZ) return parseInstantText
    if (oid === DATE) return asText
    if (oid === DATE_ARRAY) return textArray
    return pg.types.getTypeParser(oid, 'text')
  },
}
