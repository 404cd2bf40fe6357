import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { CopyData, copyIn } from './binary-copy.ts'
import { namedStatement } from './prepared.ts'

/** The pool as Kysely uses it: a statement whose only parameter is `CopyData` is a COPY … FROM STDIN. */
export function kyselyPool(pool: pg.Pool): PostgresPool {
  // Kysely knows a connection by its client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? withCopy(client)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

/** Cursors, the other form of a query, are not used. */
const withCopy = (client: pg.PoolClient): PostgresPoolClient =>
  ({
    async query(text: string, parameters: readonly unknown[] = []) {
      const [data] = parameters
      if (!(data instanceof CopyData)) return client.query(namedStatement(text, parameters))
      await copyIn(client, text, data.bytes)
      return { command: 'COPY', rowCount: 0, rows: [] }
    },
    release: () => client.release(),
  }) as unknown as PostgresPoolClient
