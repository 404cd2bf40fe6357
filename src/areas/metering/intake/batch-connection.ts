import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { floatAt, intAt } from '../../../kernel/checked.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import { BinaryCopy, copyIn } from '../../../platform/db/binary-copy.ts'
import { isConnectionLoss, isTransactionConflict } from '../../../platform/db/errors.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import type { Arrival } from './batch.ts'
import { EXTRA_BIT, type Part, type SampleBlock } from './block.ts'
import { INGEST_RECONNECT_MS, INGEST_STATEMENT_TIMEOUT_MS } from './limits.ts'
import { BatchRetry, type BatchWriter } from './queue-options.ts'

const KEY = 'tenant_id, device_key, ts'
const quoted = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`)
export const VALUE_LIST: readonly string[] = quoted

/** The key that stands for every device of the tenant in `sample_watch`. */
export const EVERY_DEVICE = 0

/**
 * A temporary function, so that the statements are planned once per session. Each is about one tenant, so that a
 * distributed database asks one node (ADR 0103). Two subqueries, each of which uses its index: a single one with both
 * keys would be executed for every pair of watched and stored devices.
 */
const DEFINE_MARKING = `
  create or replace function pg_temp.mark_arrived(tenants int[], keys int[], froms timestamptz[])
  returns void language plpgsql as $$
  declare
    tenant int;
  begin
    for tenant in select distinct unnest(tenants) loop
      if exists (select 1 from sample_watch w where w.tenant_id = tenant) then
        insert into unevaluated_batch (tenant_id, device_keys, from_at)
        select tenant, array_agg(s.device_key), array_agg(s.from_at)
        from unnest(tenants, keys, froms) as s (tenant_id, device_key, from_at)
        where s.tenant_id = tenant
          and (exists (select 1 from sample_watch w where w.tenant_id = tenant and w.device_key = ${EVERY_DEVICE})
            or exists (select 1 from sample_watch w where w.tenant_id = tenant and w.device_key = s.device_key))
        having count(*) > 0;
      end if;
    end loop;
  end $$`

// Stored rows are read by their primary key. Without statistics, at the beginning of a month, the planner would read
// the whole month instead.
const OPEN = `
  set statement_timeout = ${INGEST_STATEMENT_TIMEOUT_MS};
  set enable_hashjoin = off;
  set enable_mergejoin = off;
  ${DEFINE_MARKING}`

/** A database session that stores batches one after the other, with its state. */
export interface BatchConnection {
  readonly client: pg.ClientBase
  readonly copy: BinaryCopy
  /**
   * Monotonic clock, milliseconds. Until this instant stored rows are read before a batch is written, because an
   * earlier batch contained samples that were already stored.
   */
  readsUntil: number
  /** The month whose partition is known to exist. */
  readyPeriod: string | undefined
}

export interface WriterDeps {
  readonly database: Database
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Stores a batch in one transaction. */
  readonly store: (connection: BatchConnection, parts: readonly Part[]) => Promise<void>
}

/** Holds one connection of the pool, and replaces it when it breaks. */
export function makeBatchWriter({ database, log, store }: WriterDeps): BatchWriter {
  let client: pg.PoolClient | undefined
  let connection: BatchConnection | undefined
  let isBroken = false
  let isClosed = false

  const onError = () => {
    isBroken = true
  }

  async function open(): Promise<BatchConnection> {
    release()
    client = await database.pool.connect()
    // The connection may arrive after the stop, which does not wait for it.
    if (isClosed) throw new Error('the writer is closed')
    client.on('error', onError)
    isBroken = false
    await client.query(OPEN)
    connection = { client, copy: new BinaryCopy(), readsUntil: 0, readyPeriod: undefined }
    return connection
  }

  /** The session has settings and a function of its own, so it never returns to the pool. */
  function release(): void {
    client?.off('error', onError)
    client?.release(true)
    client = undefined
    connection = undefined
  }

  function retry(error: unknown, isLost: boolean): never {
    log.warn({ reason: (error as Error).message }, 'a batch of samples will be retried')
    if (isLost) release()
    throw new BatchRetry('the batch is to be tried again', { cause: error })
  }

  return {
    async write(parts) {
      const opened =
        connection && !isBroken ? connection : await open().catch((error: unknown) => retry(error, true))
      try {
        await store(opened, parts)
      } catch (error) {
        if (isBroken || isConnectionLoss(error)) retry(error, true)
        if (isTransactionConflict(error)) retry(error, false)
        throw error
      }
    },
    reconnect: () => setTimeout(INGEST_RECONNECT_MS),
    async close() {
      isClosed = true
      release()
    },
  }
}

/**
 * The statement that marks the arrivals of watched devices and commits, in one message. While no device of a tenant is
 * watched, its arrivals are not read. They are numbers and instants created by the service, so they may be part of the
 * text.
 */
export function commitMarking(arrivals: readonly Arrival[]): string {
  if (arrivals.length === 0) return 'commit'
  const tenants = arrivals.map(({ tenantId }) => tenantId)
  const keys = arrivals.map(({ deviceKey }) => deviceKey)
  const froms = textsOf(arrivals.map(({ from }) => from))
  return `select pg_temp.mark_arrived('{${tenants}}', '{${keys}}', '{${froms}}'); commit`
}

/** The texts of instants, of which neighbouring ones are often the same. */
function textsOf(instants: readonly number[]): string[] {
  let known = Number.NaN
  let text = ''
  return instants.map((instant) => {
    if (instant !== known) text = iso(instant)
    known = instant
    return text
  })
}

/** Rows to be written: the block and the index of the sample of each row, by the position of the row. */
export interface RowsToCopy {
  readonly count: number
  block(position: number): SampleBlock
  index(position: number): number
}

/**
 * Returns the mask of the columns that at least one sample of a batch has; the others are neither sent nor
 * written.
 */
export const columnsUsed = (parts: readonly Part[]): number => {
  let used = 0
  for (const { block, from, to } of parts) {
    for (let index = from; index < to; index++) used |= intAt(block.masks, index)
  }
  return used
}

/** Returns the key and the value columns of a mask in the form of a statement. */
const columnList = (used: number): string =>
  [KEY, ...quoted.filter((_, column) => (used & (1 << column)) !== 0)].join(', ')

export interface CopyOptions {
  /** The mask of the columns that are sent. */
  readonly used: number
  /** Statements before and after the rows, in the same message. */
  readonly first?: string
  readonly last?: string
}

/** Copies rows into `measurement`; a row that is stored already makes all of them fail. */
export async function copyToTable(
  { client, copy }: BatchConnection,
  rows: RowsToCopy,
  { used, first = '', last = '' }: CopyOptions,
): Promise<void> {
  const columns = columnCount(used)
  copy.begin()
  for (let position = 0; position < rows.count; position++) {
    copy.row(columns)
    writeSample(copy, used, rows.block(position), rows.index(position))
  }
  const text = `${first} copy measurement (${columnList(used)}) from stdin (format binary); ${last}`
  await copyIn(client, text, copy.finish())
}

/** The three columns of the key, and the value columns of a mask. */
const columnCount = (used: number): number =>
  3 + quoted.filter((_, column) => (used & (1 << column)) !== 0).length

function writeSample(copy: BinaryCopy, used: number, block: SampleBlock, index: number): void {
  copy.int4(block.tenantId)
  copy.int4(block.keyOf(index))
  copy.timestamptz(floatAt(block.at, index))
  const mask = intAt(block.masks, index)
  let from = intAt(block.valuesFrom, index)
  for (let column = 0; column < VALUE_COLUMNS.length; column++) {
    const bit = 1 << column
    if ((mask & bit) !== 0) {
      const value = block.value(from++)
      if (column < REGISTERS.length) copy.int8(value)
      else copy.float8(value)
    } else if ((used & bit) !== 0) copy.missing()
  }
  if ((mask & EXTRA_BIT) !== 0) copy.jsonb(block.extraOf(index))
  else if ((used & EXTRA_BIT) !== 0) copy.missing()
}
