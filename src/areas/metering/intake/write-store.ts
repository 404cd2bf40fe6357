import type pg from 'pg'
import { at, floatAt } from '../../../kernel/checked.ts'
import { type BillingPeriod, iso, periodOf, periodRange, type Range } from '../../../kernel/time.ts'
import { violatedConstraint } from '../../../platform/db/constraints.ts'
import { hasSqlState, SQLSTATE } from '../../../platform/db/errors.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { readValues } from '../sample-columns.ts'
import { findSealedByConnection, isSealDue, SEAL_CONSTRAINT } from '../storage/index.ts'
import { arrivalsOf, Batch, fold, type Mark, marksOf, type SampleRef } from './batch.ts'
import {
  type BatchConnection,
  columnList,
  columnsUsed,
  commitMarking,
  copyToStage,
  copyToTable,
  KEY,
  type StagedRows,
  VALUE_LIST,
} from './batch-connection.ts'
import { ACCEPTED, EXTRA_BIT, type Part, SampleBlock, SEALED } from './block.ts'
import { INGEST_STAGES_MS } from './limits.ts'
import { storeQuarantined } from './quarantine-store.ts'

/** Rows of a batch by number, ascending. */
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
  insert into rollup_dirty_range (tenant_id, device_key, from_hour, to_hour)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::timestamptz[])`

export interface BatchInput {
  readonly database: Database
  readonly connection: BatchConnection
  readonly parts: readonly Part[]
  readonly now: number
}

/**
 * Stores a batch in one transaction and fills the status of its samples. Idempotent: a sample that is already
 * stored becomes a duplicate. A failure has no effect on the store, and leaves the connection either usable
 * or broken.
 *
 * The roll-ups of the hours agree with the samples in every order of execution:
 * - A sample of an hour that ended before `now` leaves a mark in the same transaction; there is no moment at which
 *   one is visible without the other. Marks are only ever added here, and removed by a roll-up in the transaction
 *   that has recomputed the hours, having read the samples after it took the mark.
 * - A sample of the hour that is still running leaves none. It is committed within a few statement timeouts of
 *   `now`, thus well within ROLLUP_SETTLE_MS of the end of its hour, and no roll-up declares an hour rolled before
 *   that. So a roll-up either sees the sample, or finds a mark for it later.
 * - Two batches with the same device and instant: the second waits in its INSERT or COPY for the first to commit, then
 *   finds the stored row. Batches insert in the same lock order (device, time), so they never deadlock.
 *
 * Samples of sealed months are quarantined, unless they are stored already. A month that is sealed while the
 * batch is on its way refuses its rows; the batch is then stored once more, and every month of it is checked.
 */
export async function storeBatch(input: BatchInput): Promise<void> {
  const present = periodOf(input.now)
  // The first comparison is cheaper, and true of all current samples.
  const mayBeSealed = (period: BillingPeriod) => period < present && isSealDue(period, input.now)
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
  const [first] = periods
  if (periods.size > 1 || first !== connection.readyPeriod) {
    await ensurePartitions(database, 'measurement', periods)
    connection.readyPeriod = first
  }
  const sealable = [...periods].filter(mayBeSealed)
  const isPlain = periods.size === 1 && sealable.length === 0
  const mayBeNew = isPlain && performance.now() >= connection.stagesUntil
  if (mayBeNew && (await storeNew(connection, batch, now))) return
  await inTransaction(connection.client, async (client) => {
    const sealed = await sealedRows(client, batch, sealable)
    const changed = batch.rows > 0 ? await storeRows(connection, batch, sealed) : []
    await finish(client, batch, { changed, now })
  })
}

/**
 * Stores a batch without stored rows, which is the usual case, directly into the table. This takes less than
 * half of the time of staging. Returns false when a row already exists; nothing is stored then. All rows are
 * of one month, since the rows of several are not inserted in the order of the batch.
 */
async function storeNew(connection: BatchConnection, batch: Batch, now: number): Promise<boolean> {
  const { client } = connection
  const changed = everyRow(batch)
  // Current samples need no further writes, so begin, rows and commit are one message.
  const isAlone = batch.quarantined().length === 0 && marksOf(batch, changed, now).length === 0
  const last = isAlone ? commitMarking(arrivalsOf(batch, changed)) : ''
  try {
    const rows = { rows: stagedRows(batch), used: columnsUsed(batch.parts) }
    await copyToTable(connection, rows, last)
    if (!isAlone) await finish(client, batch, { changed, now })
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (!hasSqlState(error, SQLSTATE.uniqueViolation)) throw error
    // A sender that repeats stored samples usually repeats many. Staging avoids further failed batches.
    connection.stagesUntil = performance.now() + INGEST_STAGES_MS
    return false
  }
}

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

/** Writes the quarantine and the marks, and commits them together with the rows that changed the store. */
async function finish(client: pg.ClientBase, batch: Batch, { changed, now }: Stored): Promise<void> {
  const quarantined = batch.quarantined()
  if (quarantined.length > 0) await storeQuarantined(client, quarantined, now)
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

/**
 * Returns the rows of sealed months. It queries only months that are old enough, and thus not for current
 * samples.
 */
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

/** Rows of one sample are written unchanged; rows of several samples are written with the merged values. */
function stagedRows(batch: Batch): StagedRows {
  const merged = new Map<number, SampleBlock>()
  for (let row = 0; row < batch.rows; row++) {
    if (batch.isSingle(row)) continue
    merged.set(row, blockLike(batch.first(row), fold(undefined, batch.samplesOf(row)).values))
  }
  return {
    count: batch.rows,
    block: (row) => merged.get(row) ?? batch.blockAt(row),
    index: (row) => (merged.has(row) ? 0 : batch.indexAt(row)),
    no: (row) => row,
  }
}

/** A block of one sample with the device and instant of another sample. */
function blockLike({ block, index }: SampleRef, values: SampleValues): SampleBlock {
  const single = new SampleBlock(block.tenantId, 1)
  single.add({ deviceId: block.deviceIdOf(index), at: floatAt(block.at, index), values }, block.keyOf(index))
  return single
}

/** Returns the rows that changed the store: usually all rows, because none was stored. */
async function storeRows(
  connection: BatchConnection,
  batch: Batch,
  sealed: ReadonlySet<number>,
): Promise<ReadonlyRows> {
  const used = columnsUsed(batch.parts)
  await copyToStage(connection, { rows: stagedRows(batch), used })
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

/**
 * Compares with the stored rows without a lock, because usually nothing of a repeated batch must be written.
 */
async function mergeKnown(
  connection: BatchConnection,
  batch: Batch,
  { rows, sealed }: { rows: readonly number[]; sealed: ReadonlySet<number> },
): Promise<ReadonlyRows> {
  const known = await readStored(connection.client, { text: STORED_BEFORE })
  const growing: number[] = []
  for (const [row, stored] of known) {
    if (fold(stored, batch.samplesOf(row)).isChanged && !sealed.has(row)) growing.push(row)
  }
  const grown = growing.length > 0 ? await growStored(connection, batch, growing) : new Set<number>()
  for (const row of sealed) markSealed(batch.samplesOf(row), known.has(row))
  return rows.filter((row) => !sealed.has(row) && (!known.has(row) || grown.has(row)))
}

/** Quarantines, in a sealed month, the new values of a stored row and all values of a new row. */
function markSealed(samples: readonly SampleRef[], isStored: boolean): void {
  for (const { block, index } of samples) {
    if (!isStored || block.status[index] === ACCEPTED) block.status[index] = SEALED
  }
}

/** Compares once more under a lock, since another batch may have added to the same rows meanwhile. */
async function growStored(
  connection: BatchConnection,
  batch: Batch,
  growing: readonly number[],
): Promise<Set<number>> {
  const stored = await readStored(connection.client, { text: STORED_LOCKED, values: [growing] })
  const blocks: SampleBlock[] = []
  const grown: number[] = []
  for (const [row, values] of stored) {
    const merged = fold(values, batch.samplesOf(row))
    if (!merged.isChanged) continue
    blocks.push(blockLike(batch.first(row), merged.values))
    grown.push(row)
  }
  await connection.client.query('delete from staged_sample')
  const rows: StagedRows = {
    count: grown.length,
    block: (position) => at(blocks, position),
    index: () => 0,
    no: (position) => at(grown, position),
  }
  await copyToStage(connection, { rows, used: EVERY_COLUMN })
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
