import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { CopyData, copyIn } from './binary-copy.ts'
import { CopyReceiver, copyOut } from './copy-out.ts'
import { namedStatement } from './prepared.ts'
import type { ConnectionWatch, WriteWatch } from './write-watch.ts'

/**
 * The pool as Kysely uses it: a statement whose only parameter is `CopyData` is a COPY … FROM STDIN, one with a
 * `CopyReceiver` a COPY … TO STDOUT. `writes` receives the text of every other statement.
 */
export function kyselyPool(pool: pg.Pool, writes: WriteWatch): PostgresPool {
  // Kysely knows a connection by its client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? adapt(client, writes.follow())
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

/** Cursors, the other form of a query, are not used. */
const adapt = (client: pg.PoolClient, writes: ConnectionWatch): PostgresPoolClient =>
  ({
    async query(text: string, parameters: readonly unknown[] = []) {
      const [data] = parameters
      if (data instanceof CopyData) {
        await copyIn(client, text, data.bytes)
        return { command: 'COPY', rowCount: 0, rows: [] }
      }
      if (data instanceof CopyReceiver) {
        await copyOut(client, text, data.readRow)
        return { command: 'COPY', rowCount: 0, rows: [] }
      }
      const result = await client.query(namedStatement(text, parameters))
      writes.executed(text)
      return result
    },
    release: () => client.release(),
  }) as unknown as PostgresPoolClient
