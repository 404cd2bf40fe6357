import { type RawBuilder, sql } from 'kysely'
import { type BillingPeriod, iso, periodRange } from '../../../kernel/time.ts'
import { partitionName } from '../../../platform/db/partitions.ts'
import { addSeal, briefly, type SealedTable, type Storage } from './store.ts'

const columns = (...names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The order in which rows lie afterwards, which is that of the primary key, and the column of the month. */
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
interface Names {
  readonly table: SealedTable
  readonly period: BillingPeriod
  readonly partition: string
  readonly copy: string
}

/**
 * Rewrites a sealed partition without dead rows and gaps, in the order in which it is read. The copy is made beside
 * it while others read; CLUSTER and VACUUM FULL would keep out everyone meanwhile whose statement touches all months.
 * Only the exchange of the two needs the table for itself, a few milliseconds. Nothing changes the rows in between,
 * since they are sealed. What a stop leaves behind is thrown away by the next attempt.
 */
export async function compact(storage: Storage, month: Month): Promise<void> {
  const partition = partitionName(month.table, month.period)
  const names = { ...month, partition, copy: `${partition}_compacting` }
  const rows = await copyRows(storage, names)
  await preparePartition(storage, names)
  await exchange(storage, names, rows)
  // Frozen now, the rows are never read again for the sake of transaction numbers.
  await sql`vacuum (freeze, analyze) ${sql.table(partition)}`.execute(storage.db)
}

/** The columns of the parent: a partition may have them in another order. */
async function columnsOf({ db }: Storage, table: string) {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  return columns(...rows.map(({ name }) => name))
}

async function copyRows(storage: Storage, { table, partition, copy }: Names): Promise<bigint> {
  const { db } = storage
  const all = await columnsOf(storage, table)
  await sql`drop table if exists ${sql.table(copy)}`.execute(db)
  await sql`create table ${sql.table(copy)} (like ${sql.table(table)} including all)`.execute(db)
  // Rows come in the order of the key, so its index is filled to the brim from left to right.
  await sql`alter index ${sql.table(`${copy}_pkey`)} set (fillfactor = 100)`.execute(db)
  const copied = await sql`insert into ${sql.table(copy)} (${all})
    select ${all} from ${sql.table(partition)} order by ${LAYOUT[table].order}`.execute(db)
  return copied.numAffectedRows ?? 0n
}

const BOUNDS = 'month_bounds'
const boundsOf = (period: BillingPeriod) => {
  const { from, to } = periodRange(period)
  return { from: sql.lit(iso(from)), to: sql.lit(iso(to)) }
}

/** Gives the copy whatever attaching would otherwise have to check while it keeps the others out. */
async function preparePartition(storage: Storage, { table, period, partition, copy }: Names): Promise<void> {
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
    await briefly(storage, (tx) =>
      sql`alter table ${sql.table(copy)} add constraint ${sql.id(name)} ${sql.raw(definition)} not valid`.execute(
        tx,
      ),
    )
    await sql`alter table ${sql.table(copy)} validate constraint ${sql.id(name)}`.execute(db)
  }
}

const exchange = (storage: Storage, { table, period, partition, copy }: Names, rows: bigint) =>
  briefly(storage, async (tx) => {
    const { from, to } = boundsOf(period)
    await sql`drop table ${sql.table(partition)}`.execute(tx)
    await sql`alter table ${sql.table(copy)} rename to ${sql.id(partition)}`.execute(tx)
    await sql`alter index ${sql.table(`${copy}_pkey`)} rename to ${sql.id(`${partition}_pkey`)}`.execute(tx)
    await sql`alter table ${sql.table(table)} attach partition ${sql.table(partition)}
      for values from (${from}) to (${to})`.execute(tx)
    await sql`alter table ${sql.table(partition)} drop constraint ${sql.id(BOUNDS)}`.execute(tx)
    await sql`update sealed_month set rows = ${String(rows)}, bytes_after = pg_total_relation_size(${partition})
      where table_name = ${table} and period = ${period}`.execute(tx)
  })
