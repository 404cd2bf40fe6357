import type pg from 'pg'
import { at, floatAt } from '../../../kernel/checked.ts'
import { type BillingPeriod, iso, periodOf, periodRange, type Range } from '../../../kernel/time.ts'
import { violatedConstraint } from '../../../platform/db/constraints.ts'
import { hasSqlState, SQLSTATE } from '../../../platform/db/errors.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { COMPRESSED_AGE_MIN_MS } from '../history/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { findSealedByConnection, isSealDue, SEAL_CONSTRAINT } from '../storage/index.ts'
import { arrivalsOf, Batch, fold, type Mark, marksOf, type SampleRef } from './batch.ts'
import {
  type BatchConnection,
  columnsUsed,
  commitMarking,
  copyToTable,
  type RowsToCopy,
} from './batch-connection.ts'
import { ACCEPTED, type Part, SampleBlock, SEALED } from './block.ts'
import { openCompressedDays } from './compressed-days.ts'
import { INGEST_BATCH_MAX_MS, INGEST_READS_MS } from './limits.ts'
import { storeQuarantined } from './quarantine-store.ts'
import { type ReadonlyRows, readStored, writeMerged } from './stored-rows-store.ts'

const MARK = `
  insert into rollup_dirty_range (tenant_id, device_key, from_hour, to_hour)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::timestamptz[])`

export interface BatchInput {
  readonly database: Database
  readonly connection: BatchConnection
  readonly parts: readonly Part[]
  readonly now: number
  /** Tests use less than INGEST_REOPEN_MAX_MS. */
  readonly reopenMaxMs?: number
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
 * - Two batches with the same device and instant: the second waits in its COPY for the first to commit, then fails, and
 *   finds the stored row in its next attempt. Batches write in the same lock order (month, device, time), so they never
 *   deadlock.
 *
 * Samples of sealed months are quarantined, unless they are stored already. A month that is sealed while the
 * batch is on its way refuses its rows; the batch is then stored once more, and every month of it is checked.
 */
export async function storeBatch(input: BatchInput): Promise<void> {
  const present = periodOf(input.now)
  const deadline = performance.now() + INGEST_BATCH_MAX_MS
  // The first comparison is cheaper, and true of all current samples.
  let mayBeSealed = (period: BillingPeriod) => period < present && isSealDue(period, input.now)
  for (let checksAll = false; ; ) {
    try {
      return await storeOnce(input, { mayBeSealed, deadline })
    } catch (error) {
      if (error instanceof StoredMeanwhile) continue
      if (checksAll || violatedConstraint(error) !== SEAL_CONSTRAINT) throw error
      checksAll = true
      mayBeSealed = () => true
    }
  }
}

/** Another batch has committed a row since the stored rows were read. The next attempt finds it. */
class StoredMeanwhile extends Error {}

interface Attempt {
  readonly mayBeSealed: (period: BillingPeriod) => boolean
  readonly deadline: number
}

async function storeOnce(
  { database, connection, parts, now, reopenMaxMs }: BatchInput,
  { mayBeSealed, deadline }: Attempt,
): Promise<void> {
  const batch = new Batch(parts)
  const periods = rowsByPeriod(batch, everyRow(batch))
  const [first] = periods.keys()
  if (periods.size > 1 || first !== connection.readyPeriod) {
    await ensurePartitions(database, 'measurement', periods.keys())
    connection.readyPeriod = first
  }
  const sealable = [...periods.keys()].filter(mayBeSealed)
  const isOld = batch.hasBefore(now - COMPRESSED_AGE_MIN_MS)
  const isPlain = periods.size === 1 && sealable.length === 0 && !isOld
  const mayBeNew = isPlain && performance.now() >= connection.readsUntil
  if (mayBeNew && (await storeNew(connection, batch, now))) return
  await inTransaction(connection.client, async (client) => {
    const sealed = await sealedRows(client, batch, sealable)
    const compressed = isOld ? await openCompressedDays(client, batch, { now, sealed, reopenMaxMs }) : NONE
    const limits = { sealed, compressed, deadline }
    const changed = batch.rows > 0 ? await storeRows(connection, batch, limits) : []
    await finish(client, batch, { changed, now })
  })
}

/**
 * Stores a batch without stored rows, which is the usual case, without reading them. Returns false when a row already
 * exists; nothing is stored then.
 */
async function storeNew(connection: BatchConnection, batch: Batch, now: number): Promise<boolean> {
  const { client } = connection
  const changed = everyRow(batch)
  // Current samples need no further writes, so begin, rows and commit are one message.
  const isAlone = batch.quarantined().length === 0 && marksOf(batch, changed, now).length === 0
  const last = isAlone ? commitMarking(arrivalsOf(batch, changed)) : ''
  try {
    await copyToTable(connection, rowsToCopy(batch, changed), {
      used: columnsUsed(batch.parts),
      first: 'begin;',
      last,
    })
    if (!isAlone) await finish(client, batch, { changed, now })
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (!hasSqlState(error, SQLSTATE.uniqueViolation)) throw error
    // A sender that repeats stored samples usually repeats many. Reading first avoids further failed batches.
    connection.readsUntil = performance.now() + INGEST_READS_MS
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

/** Groups rows by the month of their partition, months ascending. */
function rowsByPeriod(batch: Batch, rows: ReadonlyRows): Map<BillingPeriod, number[]> {
  const periods = new Map<BillingPeriod, number[]>()
  let known: Range = { from: 0, to: 0 }
  let own: number[] = []
  for (const row of rows) {
    const instant = batch.atRow(row)
    if (instant < known.from || instant >= known.to) {
      const period = periodOf(instant)
      known = periodRange(period)
      own = periods.get(period) ?? []
      periods.set(period, own)
    }
    own.push(row)
  }
  return new Map([...periods].sort(([a], [b]) => (a < b ? -1 : 1)))
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
function rowsToCopy(batch: Batch, rows: ReadonlyRows): RowsToCopy {
  const merged = new Map<number, SampleBlock>()
  for (const row of rows) {
    if (batch.isSingle(row)) continue
    merged.set(row, blockLike(batch.first(row), fold(undefined, batch.samplesOf(row)).values))
  }
  return {
    count: rows.length,
    block: (position) => merged.get(at(rows, position)) ?? batch.blockAt(at(rows, position)),
    index: (position) => (merged.has(at(rows, position)) ? 0 : batch.indexAt(at(rows, position))),
  }
}

/** A block of one sample with the device and instant of another sample. */
function blockLike({ block, index }: SampleRef, values: SampleValues): SampleBlock {
  const single = new SampleBlock(block.tenantId, 1)
  single.add({ deviceId: block.deviceIdOf(index), at: floatAt(block.at, index), values }, block.keyOf(index))
  return single
}

const NONE: ReadonlyMap<number, SampleValues> = new Map()

interface Limits {
  readonly sealed: ReadonlySet<number>
  /** The stored values of rows of sealed months that are in chunks. */
  readonly compressed: ReadonlyMap<number, SampleValues>
  readonly deadline: number
}

/**
 * Compares the batch with the stored rows, copies what is not stored, and adds new values to stored rows. Returns the
 * rows that changed the store. The rows are read without a lock, because usually nothing of a repeated batch must be
 * written.
 */
async function storeRows(
  connection: BatchConnection,
  batch: Batch,
  { sealed, compressed, deadline }: Limits,
): Promise<ReadonlyRows> {
  const { client } = connection
  const rows = everyRow(batch)
  const stored = await readStored(client, batch, { rows, isLocked: false, deadline })
  const known = new Map([...compressed, ...stored])
  await copyMissing(
    connection,
    batch,
    rows.filter((row) => !known.has(row) && !sealed.has(row)),
  )
  const growing: number[] = []
  for (const [row, stored] of known) {
    if (fold(stored, batch.samplesOf(row)).isChanged && !sealed.has(row)) growing.push(row)
  }
  const grown = await growStored(client, batch, { rows: growing, deadline })
  for (const row of sealed) markSealed(batch.samplesOf(row), known.has(row))
  return rows.filter((row) => !sealed.has(row) && (!known.has(row) || grown.has(row)))
}

/** Copies month by month, since COPY into several partitions does not keep the order of the rows. */
async function copyMissing(connection: BatchConnection, batch: Batch, rows: ReadonlyRows): Promise<void> {
  const used = columnsUsed(batch.parts)
  try {
    for (const own of rowsByPeriod(batch, rows).values())
      await copyToTable(connection, rowsToCopy(batch, own), { used })
  } catch (error) {
    throw hasSqlState(error, SQLSTATE.uniqueViolation) ? new StoredMeanwhile() : error
  }
}

/** Quarantines, in a sealed month, the new values of a stored row and all values of a new row. */
function markSealed(samples: readonly SampleRef[], isStored: boolean): void {
  for (const { block, index } of samples) {
    if (!isStored || block.status[index] === ACCEPTED) block.status[index] = SEALED
  }
}

/** Compares once more under a lock, since another batch may have added to the same rows meanwhile. */
async function growStored(
  client: pg.ClientBase,
  batch: Batch,
  { rows, deadline }: { readonly rows: ReadonlyRows; readonly deadline: number },
): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const stored = await readStored(client, batch, { rows, isLocked: true, deadline })
  const grown = new Map<number, SampleBlock>()
  for (const [row, values] of stored) {
    const merged = fold(values, batch.samplesOf(row))
    if (merged.isChanged) grown.set(row, blockLike(batch.first(row), merged.values))
  }
  await writeMerged(client, [...grown.values()], deadline)
  return new Set(grown.keys())
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
