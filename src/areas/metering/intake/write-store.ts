import pg from 'pg'
import { type BillingPeriod, iso, periodOf, periodRange, type Range } from '../../../kernel/time.ts'
import { violatedConstraint } from '../../../platform/db/constraints.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { SampleValues } from '../../../platform/ingest.ts'
import { readValues } from '../sample-columns.ts'
import { findSealedByConnection, isSealDue, SEAL_CONSTRAINT } from '../storage/index.ts'
import { arrivalsOf, Batch, fold, type Mark, marksOf, type Place } from './batch.ts'
import { ACCEPTED, EXTRA_BIT, type Part, SampleBlock, SEALED } from './block.ts'
import {
  type BatchConnection,
  columnList,
  columnsUsed,
  KEY,
  keep,
  type StagedRows,
  stage,
  VALUE_LIST,
} from './copy-store.ts'
import { INGEST_STAGES_MS } from './limits.ts'
import { keepAside } from './quarantine-store.ts'
import { commitMarking } from './watch-marks.ts'

/** Positions in a batch, ascending. */
type ReadonlyRows = readonly number[]

const EVERY_COLUMN = EXTRA_BIT * 2 - 1
/** The stored rows of staged samples. */
const STORED = `
  select s.no, ${VALUE_LIST.map((name) => `m.${name}`).join(', ')}
  from staged_sample s join measurement m using (${KEY})`
const STORED_BEFORE = `${STORED} where m.xmin <> pg_current_xact_id()::xid`
const STORED_LOCKED = `${STORED} where s.no = any($1) order by ${KEY} for update of m`
const MERGE = `
  update measurement m set ${VALUE_LIST.map((name) => `${name} = s.${name}`).join(', ')}
  from staged_sample s
  where (m.tenant_id, m.device_key, m.ts) = (s.tenant_id, s.device_key, s.ts)`
const MARK = `
  insert into rollup_mark (tenant_id, device_key, from_hour, to_hour)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::timestamptz[])`

export interface BatchInput {
  readonly database: Database
  readonly connection: BatchConnection
  readonly parts: readonly Part[]
  readonly now: number
}

/**
 * Stores a batch in one transaction and fills the status of its samples. Safe to repeat: what is stored already
 * comes out as duplicate. A failure leaves nothing behind, and the connection either usable or broken.
 *
 * What makes the roll-ups of the hours agree with the samples, whoever runs when:
 * - A sample of an hour that ended before `now` leaves a mark in the same transaction; there is no moment at which
 *   one is visible without the other. Marks are only ever added here, and taken away by a roller in the transaction
 *   that has recomputed the hours, having seen the samples after it took the mark.
 * - A sample of the hour that is still running leaves none. It is committed within a few statement timeouts of
 *   `now`, thus well within ROLLUP_SETTLE_MS of the end of its hour, and no roller declares an hour rolled before
 *   that. So a roller either sees the sample, or finds a mark for it later.
 * - Two batches with the same device and instant: the second waits in its INSERT or COPY for the first to commit, then
 *   finds the stored row. Batches insert in the same order, so they never wait in a circle.
 *
 * Samples of sealed months are kept aside, unless they are stored already. A month that is sealed while the batch is
 * on its way refuses its rows; the batch is then stored once more, with an eye on every month.
 */
export async function storeBatch(input: BatchInput): Promise<void> {
  const mayBeSealed = (period: BillingPeriod) => isSealDue(period, input.now)
  try {
    await storeOnce(input, mayBeSealed)
  } catch (error) {
    if (violatedConstraint(error) !== SEAL_CONSTRAINT) throw error
    await storeOnce(input, () => true)
  }
}

async function storeOnce(
  { database, connection, parts, now }: BatchInput,
  mayBeSealed: (period: BillingPeriod) => boolean,
): Promise<void> {
  const batch = new Batch(parts)
  const periods = periodsOf(batch)
  await ensurePartitions(database, 'measurement', periods)
  const sealable = [...periods].filter(mayBeSealed)
  const isPlain = periods.size === 1 && sealable.length === 0
  if (isPlain && performance.now() >= connection.stagesUntil && (await isKept(connection, batch, now))) return
  await inTransaction(connection.client, async (client) => {
    const sealed = await sealedRows(client, batch, sealable)
    const changed = batch.rows > 0 ? await storeRows(connection, batch, sealed) : []
    await finish(client, batch, { changed, now })
  })
}

/**
 * Stores a batch of which nothing is stored yet, as nearly all of them are: straight into the table, at less than half
 * of what staging costs. False: a row was there already, and nothing is stored. All rows are of one month, since the
 * rows of several are not inserted in the order of the batch.
 */
async function isKept(connection: BatchConnection, batch: Batch, now: number): Promise<boolean> {
  const { client } = connection
  const changed = everyRow(batch)
  // Nothing goes with the rows of what is measured now: begin, rows and commit are one message.
  const isAlone = batch.asides().length === 0 && marksOf(batch, changed, now).length === 0
  const last = isAlone ? commitMarking(arrivalsOf(batch, changed)) : ''
  try {
    const rows = { rows: stagedRows(batch), used: columnsUsed(batch.parts) }
    await keep(connection, rows, last)
    if (!isAlone) await finish(client, batch, { changed, now })
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error
    // Whoever sends again what was stored sends much of it: not every batch is to fail first.
    connection.stagesUntil = performance.now() + INGEST_STAGES_MS
    return false
  }
}

const UNIQUE_VIOLATION = '23505'

async function inTransaction(
  client: pg.ClientBase,
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  try {
    await client.query('begin')
    await work(client)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

interface Stored {
  readonly changed: ReadonlyRows
  readonly now: number
}

/** What goes with the rows that changed the store, and the commit. */
async function finish(client: pg.ClientBase, batch: Batch, { changed, now }: Stored): Promise<void> {
  await keepAside(client, batch.asides(), now)
  await mark(client, marksOf(batch, changed, now))
  await client.query(commitMarking(arrivalsOf(batch, changed)))
}

const everyRow = (batch: Batch): ReadonlyRows => Array.from({ length: batch.rows }, (_, row) => row)

function periodsOf(batch: Batch): Set<string> {
  const periods = new Set<string>()
  let known: Range = { from: 0, to: 0 }
  for (let row = 0; row < batch.rows; row++) {
    const at = batch.atRow(row)
    if (at >= known.from && at < known.to) continue
    const period = periodOf(at)
    periods.add(period)
    known = periodRange(period)
  }
  return periods
}

/** The rows that nothing may be written of. Asked only of months that are old enough, so not for what is measured now. */
async function sealedRows(
  client: pg.ClientBase,
  batch: Batch,
  periods: readonly BillingPeriod[],
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>()
  if (periods.length === 0) return rows
  const sealed = await findSealedByConnection(client, periods)
  for (let row = 0; sealed.size > 0 && row < batch.rows; row++) {
    if (sealed.has(periodOf(batch.atRow(row)))) rows.add(row)
  }
  return rows
}

/** Rows of one sample are staged as they are; those of several as what these make together. */
function stagedRows(batch: Batch): StagedRows {
  const together = new Map<number, SampleBlock>()
  for (let row = 0; row < batch.rows; row++) {
    if (batch.isAlone(row)) continue
    together.set(row, blockLike(batch.first(row), fold(undefined, batch.places(row)).values))
  }
  return {
    count: batch.rows,
    block: (row) => together.get(row) ?? batch.blockAt(row),
    index: (row) => (together.has(row) ? 0 : batch.indexAt(row)),
    no: (row) => row,
  }
}

/** A block of the one sample that stands in a row; its key is known already. */
function blockLike({ block, index }: Place, values: SampleValues): SampleBlock {
  const single = new SampleBlock(block.tenantId, 1)
  single.add({ deviceId: '', at: block.at[index] ?? 0, values })
  single.keys = Int32Array.of(block.keyOf(index))
  return single
}

/** Returns the rows that changed the store: all of them in the common case that none was known. */
async function storeRows(
  connection: BatchConnection,
  batch: Batch,
  sealed: ReadonlySet<number>,
): Promise<ReadonlyRows> {
  const used = columnsUsed(batch.parts)
  await stage(connection, { rows: stagedRows(batch), used })
  const columns = columnList(used)
  const staged = `insert into measurement (${columns}) select ${columns} from staged_sample`
  const { rowCount } =
    sealed.size === 0
      ? await connection.client.query(`${staged} on conflict do nothing`)
      : await connection.client.query(`${staged} where not no = any($1) on conflict do nothing`, [
          [...sealed],
        ])
  const all = everyRow(batch)
  return rowCount === batch.rows ? all : mergeKnown(connection, batch, { rows: all, sealed })
}

/** Most often a whole batch sent again: compared without a lock, so that a repetition writes nothing at all. */
async function mergeKnown(
  connection: BatchConnection,
  batch: Batch,
  { rows, sealed }: { rows: readonly number[]; sealed: ReadonlySet<number> },
): Promise<ReadonlyRows> {
  const known = await readStored(connection.client, { text: STORED_BEFORE })
  const growing: number[] = []
  for (const [row, stored] of known) {
    if (fold(stored, batch.places(row)).isChanged && !sealed.has(row)) growing.push(row)
  }
  const grown = growing.length > 0 ? await growStored(connection, batch, growing) : new Set<number>()
  for (const row of sealed) keepOut(batch.places(row), known.has(row))
  return rows.filter((row) => !sealed.has(row) && (!known.has(row) || grown.has(row)))
}

/** Of a stored row what is new is kept aside, of a row that is not stored everything. */
function keepOut(places: readonly Place[], isStored: boolean): void {
  for (const { block, index } of places) {
    if (!isStored || block.status[index] === ACCEPTED) block.status[index] = SEALED
  }
}

/** Looks again under a lock, since another batch may have added to the same rows meanwhile. */
async function growStored(
  connection: BatchConnection,
  batch: Batch,
  growing: readonly number[],
): Promise<Set<number>> {
  const stored = await readStored(connection.client, { text: STORED_LOCKED, values: [growing] })
  const blocks: SampleBlock[] = []
  const grown: number[] = []
  for (const [row, values] of stored) {
    const merged = fold(values, batch.places(row))
    if (!merged.isChanged) continue
    blocks.push(blockLike(batch.first(row), merged.values))
    grown.push(row)
  }
  await connection.client.query('delete from staged_sample')
  const rows: StagedRows = {
    count: grown.length,
    block: (position) => blocks[position] ?? batch.blockAt(0),
    index: () => 0,
    no: (position) => grown[position] ?? 0,
  }
  await stage(connection, { rows, used: EVERY_COLUMN })
  await connection.client.query(MERGE)
  return new Set(grown)
}

async function readStored(
  client: pg.ClientBase,
  query: { text: string; values?: unknown[] },
): Promise<Map<number, SampleValues>> {
  const { rows } = await client.query<unknown[]>({ ...query, rowMode: 'array' })
  return new Map(rows.map(([no, ...cells]) => [Number(no), readValues(cells)]))
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
