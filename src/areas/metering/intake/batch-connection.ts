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
import { type BatchWriter, Disconnected } from './queue-options.ts'

export const KEY = 'tenant_id, device_key, ts'
const quoted = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`)
export const VALUE_LIST: readonly string[] = quoted

/** The key that stands for every device of the tenant in `sample_watch`. */
export const EVERY_DEVICE = 0

// Two subqueries, each of which uses its index. A single one with both keys would be executed for every pair
// of watched and staged devices.
const OF_WATCHED = `
  exists (select 1 from sample_watch w where w.tenant_id = s.tenant_id and w.device_key = ${EVERY_DEVICE})
  or exists (select 1 from sample_watch w where w.tenant_id = s.tenant_id and w.device_key = s.device_key)`

/** A temporary function, so that the query is planned once per session. */
const DEFINE_MARKING = `
  create or replace function pg_temp.mark_arrived(tenants int[], keys int[], froms timestamptz[])
  returns void language plpgsql as $$
  begin
    if exists (select 1 from sample_watch) then
      insert into unevaluated_batch (tenant_id, device_keys, from_at)
      select s.tenant_id, array_agg(s.device_key), array_agg(s.from_at)
      from unnest(tenants, keys, froms) as s (tenant_id, device_key, from_at)
      where ${OF_WATCHED} group by s.tenant_id;
    end if;
  end $$`

const OPEN = `
  set statement_timeout = ${INGEST_STATEMENT_TIMEOUT_MS};
  create temp table if not exists staged_sample on commit delete rows
    as select 0 as no, ${KEY}, ${quoted.join(', ')} from measurement with no data;
  ${DEFINE_MARKING}`

/** A database session that stores batches one after the other, with its staging table and state. */
export interface BatchConnection {
  readonly client: pg.ClientBase
  readonly copy: BinaryCopy
  /**
   * Monotonic clock, milliseconds. Batches are staged until this instant, because an earlier batch contained
   * samples that were already stored.
   */
  stagesUntil: number
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
    connection = { client, copy: new BinaryCopy(), stagesUntil: 0, readyPeriod: undefined }
    return connection
  }

  /** The session has settings and a staging table of its own, so it never returns to the pool. */
  function release(): void {
    client?.off('error', onError)
    client?.release(true)
    client = undefined
    connection = undefined
  }

  function retry(error: unknown, isLost: boolean): never {
    log.warn({ reason: (error as Error).message }, 'a batch of samples will be retried')
    if (isLost) release()
    throw new Disconnected('the batch is to be tried again', { cause: error })
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
 * The statement that marks the arrivals of watched devices and commits, in one message. While no device is
 * watched, the arrivals are not read. They are numbers and instants created by the service, so they may be
 * part of the text.
 */
export function commitMarking(arrivals: readonly Arrival[]): string {
  if (arrivals.length === 0) return 'commit'
  const tenants = arrivals.map(({ tenantId }) => tenantId)
  const keys = arrivals.map(({ deviceKey }) => deviceKey)
  const froms = arrivals.map(({ from }) => iso(from))
  return `select pg_temp.mark_arrived('{${tenants}}', '{${keys}}', '{${froms}}'); commit`
}

/** Rows to be written: the block and the index of the sample of each row, by the position of the row. */
export interface StagedRows {
  readonly count: number
  block(position: number): SampleBlock
  index(position: number): number
  /** The number by which the row is identified in the staging table. */
  no(position: number): number
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

/** Returns the key and the value columns of a mask in the form of the statements. */
export const columnList = (used: number): string =>
  [KEY, ...quoted.filter((_, column) => (used & (1 << column)) !== 0)].join(', ')

interface RowsToWrite {
  readonly rows: StagedRows
  readonly used: number
}

/** Copies rows into the empty staging table. */
export async function copyToStage(
  { client, copy }: BatchConnection,
  { rows, used }: RowsToWrite,
): Promise<void> {
  const columns = 1 + columnCount(used)
  copy.begin()
  for (let position = 0; position < rows.count; position++) {
    copy.row(columns)
    copy.int4(rows.no(position))
    writeSample(copy, used, rows.block(position), rows.index(position))
  }
  await copyIn(client, copyText(`staged_sample (no, ${columnList(used)})`), copy.finish())
}

/**
 * Copies rows directly into `measurement`, in a transaction that the statement `last` ends or continues; a
 * row that is stored already makes all of them fail.
 */
export async function copyToTable(
  { client, copy }: BatchConnection,
  { rows, used }: RowsToWrite,
  last: string,
): Promise<void> {
  const columns = columnCount(used)
  copy.begin()
  for (let position = 0; position < rows.count; position++) {
    copy.row(columns)
    writeSample(copy, used, rows.block(position), rows.index(position))
  }
  await copyIn(client, `begin; ${copyText(`measurement (${columnList(used)})`)}; ${last}`, copy.finish())
}

/** The three columns of the key, and the value columns of a mask. */
const columnCount = (used: number): number =>
  3 + quoted.filter((_, column) => (used & (1 << column)) !== 0).length

const copyText = (target: string): string => `copy ${target} from stdin (format binary)`

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
