import { type RawBuilder, sql } from 'kysely'
import { type BillingPeriod, iso, periodRange } from '../../../kernel/time.ts'
import { isDistributed } from '../../../platform/db/distribution/placed.ts'
import { partitionName } from '../../../platform/db/partitions.ts'
import { addSeal, readBytes, type SealedTable, type StorageSession, withShortLockWaits } from './store.ts'

const columns = (...names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The physical order after compaction, which is that of the primary key, and the column of the month. */
const LAYOUT: Readonly<Record<SealedTable, { order: RawBuilder<unknown>; time: RawBuilder<unknown> }>> = {
  measurement: { order: columns('tenant_id', 'device_key', 'ts'), time: sql.ref('ts') },
  hourly_energy: {
    order: columns('tenant_id', 'facility_id', 'hour', 'source', 'measurement_role'),
    time: sql.ref('hour'),
  },
}

interface Month {
  readonly table: SealedTable
  readonly period: BillingPeriod
}
interface CompactionNames {
  readonly table: SealedTable
  readonly period: BillingPeriod
  readonly partition: string
  readonly copy: string
}

/**
 * Rewrites a sealed partition without dead rows and gaps, in the order in which it is read. The copy is
 * built in a second table while others read; CLUSTER and VACUUM FULL would block every statement that is
 * planned over all months. Only the swap of the two takes an exclusive lock, for a few milliseconds. The
 * rows cannot change in between, because they are sealed. A copy that an interrupted attempt left behind is
 * dropped by the next one.
 */
export async function compact(storage: StorageSession, month: Month): Promise<void> {
  const partition = partitionName(month.table, month.period)
  const names = { ...month, partition, copy: `${partition}_compacting` }
  const rows = await copyRows(storage, names)
  await preparePartition(storage, names)
  await swapPartition(storage, names, rows)
  // Frozen rows are never read again to prevent wraparound of transaction ids.
  await sql`vacuum (freeze, analyze) ${sql.table(partition)}`.execute(storage.db)
}

/** The columns of the parent: a partition may have them in another order. */
async function columnsOf({ db }: StorageSession, table: string) {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  return columns(...rows.map(({ name }) => name))
}

async function copyRows(
  storage: StorageSession,
  { table, partition, copy }: CompactionNames,
): Promise<bigint> {
  const { db } = storage
  const all = await columnsOf(storage, table)
  await sql`drop table if exists ${sql.table(copy)}`.execute(db)
  await sql`create table ${sql.table(copy)} (like ${sql.table(table)} including all)`.execute(db)
  // Rows arrive in the order of the key, so its index is built from left to right with full pages.
  await sql`alter index ${sql.table(`${copy}_pkey`)} set (fillfactor = 100)`.execute(db)
  await placeLike(db, partition, copy)
  const copied = await sql`insert into ${sql.table(copy)} (${all})
    select ${all} from ${sql.table(partition)} order by ${LAYOUT[table].order}`.execute(db)
  return copied.numAffectedRows ?? 0n
}

/** Distributes the copy beside the partition where that is distributed. */
async function placeLike(db: StorageSession['db'], partition: string, copy: string): Promise<void> {
  if (!(await isDistributed(db, partition))) return
  await sql`select create_distributed_table(${copy}, 'tenant_id', colocate_with => ${partition})`.execute(db)
}

const BOUNDS = 'month_bounds'
const boundsOf = (period: BillingPeriod) => {
  const { from, to } = periodRange(period)
  return { from: sql.lit(iso(from)), to: sql.lit(iso(to)) }
}

/**
 * Prepares the copy with all constraints that ATTACH PARTITION would otherwise verify under its exclusive
 * lock.
 */
async function preparePartition(
  storage: StorageSession,
  { table, period, partition, copy }: CompactionNames,
): Promise<void> {
  const { db } = storage
  const { from, to } = boundsOf(period)
  const { time } = LAYOUT[table]
  await sql`alter table ${sql.table(copy)} add constraint ${sql.id(BOUNDS)}
    check (${time} >= ${from} and ${time} < ${to})`.execute(db)
  await addSeal(db, copy)
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${partition}::regclass and contype = 'f'`.execute(db)
  for (const { name, definition } of rows) {
    await withShortLockWaits(storage, (tx) =>
      sql`alter table ${sql.table(copy)} add constraint ${sql.id(name)} ${sql.raw(definition)} not valid`.execute(
        tx,
      ),
    )
    await sql`alter table ${sql.table(copy)} validate constraint ${sql.id(name)}`.execute(db)
  }
}

const swapPartition = (
  storage: StorageSession,
  { table, period, partition, copy }: CompactionNames,
  rows: bigint,
) =>
  withShortLockWaits(storage, async (tx) => {
    // A distributed database measures no table that the transaction has changed.
    const bytes = await readBytes(tx, copy)
    const { from, to } = boundsOf(period)
    await sql`drop table ${sql.table(partition)}`.execute(tx)
    await sql`alter table ${sql.table(copy)} rename to ${sql.id(partition)}`.execute(tx)
    await sql`alter index ${sql.table(`${copy}_pkey`)} rename to ${sql.id(`${partition}_pkey`)}`.execute(tx)
    await sql`alter table ${sql.table(table)} attach partition ${sql.table(partition)}
      for values from (${from}) to (${to})`.execute(tx)
    await sql`alter table ${sql.table(partition)} drop constraint ${sql.id(BOUNDS)}`.execute(tx)
    await sql`update sealed_month set rows = ${String(rows)}, bytes_after = ${bytes}
      where table_name = ${table} and period = ${period}`.execute(tx)
  })
