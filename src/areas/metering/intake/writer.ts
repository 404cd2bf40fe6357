import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { isConnectionLoss, isTransactionConflict } from '../../../platform/db/errors.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { Part } from './block.ts'
import { type BatchWriter, Disconnected } from './buffer.ts'
import { type BatchConnection, openBatchConnection } from './copy-store.ts'
import { INGEST_RECONNECT_MS } from './limits.ts'
import { storeBatch } from './write-store.ts'

export interface WriterDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Keeps one connection of the pool with its staging table, and a fresh one when that breaks. */
export function makeBatchWriter({ database, clock, log }: WriterDeps): BatchWriter<Part> {
  let client: pg.PoolClient | undefined
  let connection: BatchConnection | undefined
  let isBroken = false

  const onError = () => {
    isBroken = true
  }

  async function open(): Promise<BatchConnection> {
    if (connection && !isBroken) return connection
    release()
    client = await database.pool.connect()
    client.on('error', onError)
    isBroken = false
    connection = await openBatchConnection(client)
    return connection
  }

  /** The session carries settings and a staging table of its own, so it never goes back into the pool. */
  function release(): void {
    client?.off('error', onError)
    client?.release(true)
    client = undefined
    connection = undefined
  }

  async function retry(error: unknown, isLost: boolean): Promise<never> {
    log.warn({ reason: (error as Error).message }, 'a batch of samples is tried again')
    if (isLost) release()
    throw new Disconnected('the batch is to be tried again', { cause: error })
  }

  return {
    async write(parts) {
      const opened = await open().catch((error: unknown) => retry(error, true))
      try {
        await storeBatch({ database, connection: opened, parts, now: clock.now() })
      } catch (error) {
        if (isBroken || isConnectionLoss(error)) await retry(error, true)
        if (isTransactionConflict(error)) await retry(error, false)
        throw error
      }
    },
    reconnect: () => setTimeout(INGEST_RECONNECT_MS),
    async close() {
      release()
    },
  }
}
