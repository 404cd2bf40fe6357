import { createHash } from 'node:crypto'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { INGEST_STATEMENT_TIMEOUT_MS } from '../../kernel/limits.ts'
import { iso, periodOf, periodRange, type Range } from '../../kernel/time.ts'
import { BinaryCopy } from '../../platform/db/binary-copy.ts'
import { ensurePartitions } from '../../platform/db/partitions.ts'
import type { Database } from '../../platform/db/pool.ts'
import type { SampleValues } from '../../platform/ingest.ts'
import { type Entry, fold, type Mark, marksOf, type Row, rowsOf } from './batch.ts'
import { readValues, type StagedRow, VALUE_COLUMNS, writeRow } from './sample-columns.ts'

const valueList = [...VALUE_COLUMNS, 'extra'].map((name) => `"${name}"`)
const KEY = 'tenant_id, device_key, ts'
const COLUMNS = `${KEY}, ${valueList.join(', ')}`

const OPEN = `
  set statement_timeout = ${INGEST_STATEMENT_TIMEOUT_MS};
  create temp table if not exists staged_sample on commit delete rows
    as select 0 as no, ${COLUMNS} from measurement with no data`
const COPY = `copy staged_sample (no, ${COLUMNS}) from stdin (format binary)`
const INSERT = `insert into measurement (${COLUMNS}) select ${COLUMNS} from staged_sample on conflict do nothing`
/** The stored rows that were there before this transaction. */
const STORED = `
  select s.no, ${valueList.map((name) => `m.${name}`).join(', ')}
  from staged_sample s join measurement m using (${KEY})`
const STORED_BEFORE = `${STORED} where m.xmin <> pg_current_xact_id()::xid`
const STORED_LOCKED = `${STORED} where s.no = any($1) order by ${KEY} for update of m`
const MERGE = `
  update measurement m set ${valueList.map((name) => `${name} = s.${name}`).join(', ')}
  from staged_sample s
  where (m.tenant_id, m.device_key, m.ts) = (s.tenant_id, s.device_key, s.ts)`
const SET_ASIDE = `
  insert into measurement_set_aside (tenant_id, device_id, device_key, ts, reason, sample, received_at, digest)
  select tenant_id, device_id, device_key, to_timestamp(at / 1000), reason, sample, to_timestamp($8::float8 / 1000), digest
  from unnest($1::int[], $2::uuid[], $3::int[], $4::float8[], $5::text[], $6::jsonb[], $7::bytea[])
    as aside (tenant_id, device_id, device_key, at, reason, sample, digest)
  order by tenant_id, device_key, digest
  on conflict do nothing`
const MARK = `
  insert into rollup_mark (tenant_id, device_key, from_hour, to_hour)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::timestamptz[])`

/** A connection that stores batches one after the other, with its staging table and its memory. */
export interface BatchConnection {
  readonly client: pg.ClientBase
  readonly copy: BinaryCopy
}

export async function openBatchConnection(client: pg.ClientBase): Promise<BatchConnection> {
  await client.query(OPEN)
  return { client, copy: new BinaryCopy() }
}

export interface BatchInput {
  readonly database: Database
  readonly connection: BatchConnection
  readonly entries: readonly Entry[]
  readonly now: number
}

/**
 * Stores a batch in one transaction and fills the status of its entries. Safe to repeat: what is stored already
 * comes out as duplicate. A failure leaves nothing behind, and the connection either usable or broken.
 *
 * What makes the roll-ups of the hours agree with the samples, whoever runs when:
 * - A sample of an hour that ended before `now` leaves a mark in the same transaction; there is no moment at which
 *   one is visible without the other. Marks are only ever added here, and taken away by a roller in the transaction
 *   that has recomputed the hours, having seen the samples after it took the mark.
 * - A sample of the hour that is still running leaves none. It is committed within a few statement timeouts of
 *   `now`, thus well within ROLLUP_SETTLE_MS of the end of its hour, and no roller declares an hour rolled before
 *   that. So a roller either sees the sample, or finds a mark for it later.
 * - Two batches with the same device and instant: the second waits in its INSERT for the first to commit, then finds
 *   the stored row. Batches insert in the same order, so they never wait in a circle.
 */
export async function storeBatch({ database, connection, entries, now }: BatchInput): Promise<void> {
  const rows = rowsOf(entries)
  await ensurePartitions(database, 'measurement', periodsOf(rows))
  const { client } = connection
  try {
    await client.query('begin')
    const changed = rows.length > 0 ? await storeRows(connection, rows) : []
    await setAside(client, entries, now)
    await mark(client, marksOf(changed, now))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function periodsOf(rows: readonly Row[]): Set<string> {
  const periods = new Set<string>()
  let known: Range = { from: 0, to: 0 }
  for (const { at } of rows) {
    if (at >= known.from && at < known.to) continue
    const period = periodOf(at)
    periods.add(period)
    known = periodRange(period)
  }
  return periods
}

/** Returns the rows that changed the store: all of them in the common case that none was known. */
async function storeRows(connection: BatchConnection, rows: readonly Row[]): Promise<readonly Row[]> {
  await stage(
    connection,
    rows.map((row, no) => [row, no]),
  )
  const { rowCount } = await connection.client.query(INSERT)
  if (rowCount === rows.length) return rows
  return mergeKnown(connection, rows)
}

async function stage(
  { client, copy }: BatchConnection,
  rows: readonly (readonly [StagedRow, number])[],
): Promise<void> {
  copy.begin()
  for (const [row, no] of rows) writeRow(copy, row, no)
  const bytes = copy.finish()
  const stream = client.query(copyFrom(COPY))
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    stream.on('finish', resolve)
    stream.end(bytes)
  })
}

/** Most often a whole batch sent again: compared without a lock, so that a repetition writes nothing at all. */
async function mergeKnown(connection: BatchConnection, rows: readonly Row[]): Promise<Row[]> {
  const known = await readStored(connection.client, { text: STORED_BEFORE })
  const growing: number[] = []
  for (const [no, stored] of known) {
    if (fold(stored, rows[no]?.entries ?? []).isChanged) growing.push(no)
  }
  const grown = growing.length > 0 ? await growStored(connection, rows, growing) : new Set<number>()
  return rows.filter((_, no) => !known.has(no) || grown.has(no))
}

/** Looks again under a lock, since another batch may have added to the same rows meanwhile. */
async function growStored(
  connection: BatchConnection,
  rows: readonly Row[],
  growing: readonly number[],
): Promise<Set<number>> {
  const stored = await readStored(connection.client, { text: STORED_LOCKED, values: [growing] })
  const grown: [StagedRow, number][] = []
  for (const [no, values] of stored) {
    const row = rows[no]
    if (!row) continue
    const merged = fold(values, row.entries)
    if (merged.isChanged) grown.push([{ ...row, values: merged.values }, no])
  }
  await connection.client.query('delete from staged_sample')
  await stage(connection, grown)
  await connection.client.query(MERGE)
  return new Set(grown.map(([, no]) => no))
}

async function readStored(
  client: pg.ClientBase,
  query: { text: string; values?: unknown[] },
): Promise<Map<number, SampleValues>> {
  const { rows } = await client.query<unknown[]>({ ...query, rowMode: 'array' })
  return new Map(rows.map(([no, ...cells]) => [Number(no), readValues(cells)]))
}

/** The same sample sent again for the same reason is the same row. */
function digestOf({ at, values, status }: Entry): Buffer {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([at, status, sorted]))
    .digest()
}

async function setAside(client: pg.ClientBase, entries: readonly Entry[], now: number): Promise<void> {
  const aside = entries.filter(({ status }) => status !== 'accepted' && status !== 'duplicate')
  if (aside.length === 0) return
  await client.query(SET_ASIDE, [
    aside.map(({ tenantId }) => tenantId),
    aside.map(({ deviceId }) => deviceId),
    aside.map(({ deviceKey }) => deviceKey),
    aside.map(({ at }) => at),
    aside.map(({ status }) => status),
    aside.map(({ values }) => JSON.stringify(values)),
    aside.map(digestOf),
    now,
  ])
}

async function mark(client: pg.ClientBase, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return
  await client.query(MARK, [
    marks.map(({ tenantId }) => tenantId),
    marks.map(({ deviceKey }) => deviceKey),
    marks.map(({ from }) => iso(from)),
    marks.map(({ to }) => iso(to)),
  ])
}
