import { sql } from 'kysely'
import { type BillingPeriod, iso, periodRange } from '../../kernel/time.ts'
import type { Database } from './pool.ts'
import type { DB } from './types.ts'

/** A table that the schema partitions by range of instants; each partition is one Turkey-local month. */
export type PartitionedTable = keyof DB

const PARTITION_LOCK = 7_236_482_002

export const partitionName = (table: PartitionedTable, period: BillingPeriod): string =>
  `${table}_${period.slice(0, 4)}_${period.slice(5, 7)}`

/** Existing partitions, cached per database, so that a hot path queries them only once a month. */
const knownPartitions = new WeakMap<Database['pool'], Set<string>>()

function known(database: Database): Set<string> {
  const names = knownPartitions.get(database.pool) ?? new Set<string>()
  knownPartitions.set(database.pool, names)
  return names
}

/**
 * Creates the missing partitions of the given months. A partition is created as a separate table and then
 * attached, because CREATE … PARTITION OF would lock the whole table for readers and writers.
 */
export async function ensurePartitions(
  database: Database,
  table: PartitionedTable,
  periods: Iterable<BillingPeriod>,
): Promise<void> {
  const names = known(database)
  for (const period of new Set(periods)) {
    const name = partitionName(table, period)
    if (names.has(name)) continue
    await createPartition(database, table, period)
    names.add(name)
  }
}

const createPartition = ({ owner: { kysely } }: Database, table: PartitionedTable, period: BillingPeriod) =>
  kysely.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    const name = partitionName(table, period)
    const { rows } = await sql`select 1 from pg_class where oid = to_regclass(${name})`.execute(tx)
    if (rows.length > 0) return
    const { from, to } = periodRange(period)
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(tx)
    await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)}
      for values from (${sql.lit(iso(from))}) to (${sql.lit(iso(to))})`.execute(tx)
  })
