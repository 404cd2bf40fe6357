import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { isConnectionLoss, isTransactionConflict, sqlStateOf } from './errors.ts'
import type { Database } from './pool.ts'
import { namedStatement } from './prepared.ts'
import type { DB } from './types.ts'

/** What reads use: a pool for plain statements, Kysely, and COPY. */
export type ReadDatabase = Pick<Database, 'pool' | 'kysely' | 'copyOut'>

/**
 * Returns whether the primary may answer what a replica did not: the connection is gone, the statement conflicted with
 * the replay (40001), or the replica has not replayed a migration yet (class 42: an unknown table or column).
 */
const isOfReplica = (error: unknown): boolean =>
  isConnectionLoss(error) || isTransactionConflict(error) || (sqlStateOf(error) ?? '').startsWith('42')

interface ReplicaReadsOptions {
  readonly replica: Pick<Database, 'pool' | 'copyOut'>
  readonly primary: Pick<Database, 'pool' | 'copyOut'>
  /** Called when the primary executes a statement that the replica has failed. */
  readonly onFallback: (error: Error) => void
}

const BEGIN = /^\s*(begin|start)\b/i

/**
 * The statements of one reader on a replica. A single statement that the replica fails is executed by the primary;
 * transactions, which cannot be repeated, use the primary from their beginning.
 */
export function makeReplicaReads({ replica, primary, onFallback }: ReplicaReadsOptions): ReadDatabase {
  async function run<T>(on: (database: Pick<Database, 'pool' | 'copyOut'>) => Promise<T>): Promise<T> {
    try {
      return await on(replica)
    } catch (error) {
      if (!isOfReplica(error)) throw error
      onFallback(error as Error)
      return on(primary)
    }
  }

  const query = (...statement: unknown[]): Promise<unknown> =>
    run(({ pool }) => (pool.query as (...given: unknown[]) => Promise<unknown>)(...statement))

  /** A connection of Kysely: of the primary from the beginning of a transaction on. */
  function connect() {
    let transaction: pg.PoolClient | undefined
    return {
      async query(text: string, parameters: readonly unknown[] = []): Promise<unknown> {
        if (!transaction && BEGIN.test(text)) transaction = await primary.pool.connect()
        const statement = namedStatement(text, parameters)
        return transaction ? transaction.query(statement) : query(statement)
      },
      release: () => transaction?.release(),
    }
  }

  const dialectPool = { connect: async () => connect(), end: async () => {} }
  return {
    pool: {
      query: bindTo(primary.pool, query),
      connect: () => primary.pool.connect(),
    } as unknown as pg.Pool,
    copyOut: (text, begin) => run((database) => database.copyOut(text, begin)),
    kysely: new Kysely<DB>({ dialect: new PostgresDialect({ pool: dialectPool as unknown as pg.Pool }) }),
  }
}

/** A statement object with a callback or of a stream (`submit`) needs a pool of its own: it is sent to the primary. */
const bindTo =
  (primary: pg.Pool, query: (...statement: unknown[]) => Promise<unknown>) =>
  (...statement: unknown[]): unknown => {
    const isPlain = statement.every(
      (part) => typeof part !== 'function' && typeof (part as { submit?: unknown })?.submit !== 'function',
    )
    return isPlain ? query(...statement) : (primary.query as (...given: unknown[]) => unknown)(...statement)
  }
