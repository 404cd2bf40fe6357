import { type Kysely, sql, type Transaction } from 'kysely'
import { type BillingPeriod, iso } from '../../../kernel/time.ts'
import { type PartitionedTable, partitionName } from '../../../platform/db/partitions.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { type SystemDb, systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { DB } from '../../../platform/db/types.ts'
import type { Deps } from '../../../platform/deps.ts'
import {
  SEAL_LOCK_PAUSE_MS,
  SEAL_LOCK_TIMEOUT_MS,
  SEAL_LOCK_TRIES,
  SEAL_STATEMENT_TIMEOUT_MS,
} from './limits.ts'

/** What is sealed. The roll-ups are not: they are made from the samples and must go on agreeing with them. */
export const SEALED_TABLES = ['measurement', 'hourly_energy'] as const satisfies readonly PartitionedTable[]
export type SealedTable = (typeof SEALED_TABLES)[number]

/** The constraint of a sealed partition; whoever meets it in an error knows why a write was refused. */
export const SEAL_CONSTRAINT = 'sealed_month'

/** Who seals or unseals holds this number, so that two never meet in one partition. */
const STORAGE_LOCK = 7_236_482_003

/** The partition of a month as it stands, with what is known of its sealing. */
export interface MonthPartition {
  readonly table: SealedTable
  readonly period: BillingPeriod
  /** With its indexes. */
  readonly bytes: number
  readonly sealedAt: number | undefined
  readonly unsealedUntil: number | undefined
  readonly rows: number | undefined
  readonly bytesBefore: number | undefined
  /** Undefined until it was compacted. */
  readonly bytesAfter: number | undefined
}

interface PartitionRow {
  table_name: SealedTable
  period: string
  bytes: string
  sealed_at: Date | null
  unsealed_until: Date | null
  rows: string | null
  bytes_before: string | null
  bytes_after: string | null
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text))

/** Every month partition of what can be sealed, oldest first. */
export async function listPartitions({ db }: SystemDb): Promise<MonthPartition[]> {
  const { rows } = await sql<PartitionRow>`
    select p.table_name, p.period, pg_total_relation_size(p.oid) as bytes,
      s.sealed_at, s.unsealed_until, s.rows, s.bytes_before, s.bytes_after
    from (
      select parent.relname::text as table_name, child.oid, to_date(right(child.relname, 7), 'YYYY_MM') as period
      from pg_inherits
      join pg_class child on child.oid = inhrelid
      join pg_class parent on parent.oid = inhparent
      where inhparent = any(${[...SEALED_TABLES]}::regclass[])
    ) as p
    left join sealed_month s on s.table_name = p.table_name and s.period = p.period
    order by p.period, p.table_name desc`.execute(db)
  return rows.map((row) => ({
    table: row.table_name,
    period: row.period,
    bytes: Number(row.bytes),
    sealedAt: row.sealed_at?.getTime(),
    unsealedUntil: row.unsealed_until?.getTime(),
    rows: numberOf(row.rows),
    bytesBefore: numberOf(row.bytes_before),
    bytesAfter: numberOf(row.bytes_after),
  }))
}

/** Of the months given those that are sealed. For the way in of samples, which has a connection of its own. */
export async function sealedAmong(
  db: Queryable,
  periods: Iterable<BillingPeriod>,
): Promise<Set<BillingPeriod>> {
  const rows = await readRows(db, {
    name: 'storage_sealed_among',
    text: `select distinct period::text from sealed_month
      where period = any($1::date[]) and unsealed_until is null`,
    values: [[...periods]],
  })
  return new Set(rows.map(([period]) => String(period)))
}

/** The same. */
export async function findSealed(
  { db }: SystemDb | TenantDb,
  periods: readonly BillingPeriod[],
): Promise<Set<BillingPeriod>> {
  const rows = await db
    .selectFrom('sealed_month')
    .select('period')
    .distinct()
    .where('period', 'in', [...periods])
    .where('unsealed_until', 'is', null)
    .execute()
  return new Set(rows.map(({ period }) => period))
}

const monthLock = (period: BillingPeriod) => `seal ${period}`

/** Keeps months from being sealed or opened until the transaction ends. What is read after it is read true. */
export async function holdMonths({ db }: TenantTx, periods: readonly BillingPeriod[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(name, 0))
    from unnest(${periods.map(monthLock)}::text[]) as name`.execute(db)
}

/** A connection that has the store to itself. */
export interface Storage extends SystemDb {
  /** Waits, milliseconds. */
  sleep(ms: number): Promise<void>
}

/**
 * Runs work on one connection that nobody else seals or unseals beside. Undefined when somebody does. The lock
 * belongs to the session, so a process that dies gives it back.
 */
export const aloneInStorage = <T>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T | undefined> =>
  database.kysely.connection().execute(async (db) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_lock(${STORAGE_LOCK}) as is_mine`.execute(db)
    if (!rows[0]?.is_mine) return undefined
    try {
      await sql`set statement_timeout = ${sql.lit(SEAL_STATEMENT_TIMEOUT_MS)}`.execute(db)
      return await work({ ...systemDb(db), sleep: (ms) => clock.sleep(ms) })
    } finally {
      await sql`reset statement_timeout`.execute(db)
      await sql`select pg_advisory_unlock(${STORAGE_LOCK})`.execute(db)
    }
  })

/** Locks that were not to be had in time, and deadlocks: others were in the way. */
const LOCKED_OUT: readonly unknown[] = ['55P03', '40P01']

/**
 * A transaction that would rather give way than make others wait: a lock that it does not get at once ends it, and
 * it is tried again later.
 */
export async function briefly<T>(
  { db, sleep }: Storage,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(SEAL_LOCK_TIMEOUT_MS)}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (!LOCKED_OUT.includes((error as { code?: string }).code) || tries >= SEAL_LOCK_TRIES) throw error
      await sleep(SEAL_LOCK_PAUSE_MS)
    }
  }
}

/**
 * Closes the partitions of a month. A CHECK that nothing passes refuses new and changed rows, whoever writes and
 * through whichever table, while NOT VALID leaves those that are there, and the planner does not conclude from it
 * that there are none. A DELETE passes: `refuseSealed` stands before those.
 */
export const seal = (
  storage: Storage,
  { period, tables, at }: { period: BillingPeriod; tables: readonly SealedTable[]; at: number },
): Promise<void> =>
  briefly(storage, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${monthLock(period)}, 0))`.execute(tx)
    for (const table of tables) {
      const name = partitionName(table, period)
      await dropSeal(tx, name)
      await addSeal(tx, name)
      await sql`
        insert into sealed_month (table_name, period, sealed_at, bytes_before)
        values (${table}, ${period}, ${iso(at)}, pg_total_relation_size(${name}))
        on conflict (table_name, period) do update set sealed_at = excluded.sealed_at,
          bytes_before = excluded.bytes_before, rows = null, bytes_after = null, unsealed_until = null`.execute(
        tx,
      )
    }
  })

export const addSeal = (db: Kysely<DB>, name: string) =>
  sql`alter table ${sql.table(name)} add constraint ${sql.id(SEAL_CONSTRAINT)} check (false) not valid`.execute(
    db,
  )
const dropSeal = (db: Kysely<DB>, name: string) =>
  sql`alter table if exists ${sql.table(name)} drop constraint if exists ${sql.id(SEAL_CONSTRAINT)}`.execute(
    db,
  )

/**
 * Opens the partitions of a month until the instant given. A month that was never sealed, or has no partition yet,
 * is kept open as well: somebody is about to write into it.
 */
export const unseal = (
  storage: Storage,
  { period, until }: { period: BillingPeriod; until: number },
): Promise<void> =>
  briefly(storage, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${monthLock(period)}, 0))`.execute(tx)
    for (const table of SEALED_TABLES) {
      await dropSeal(tx, partitionName(table, period))
      await sql`
        insert into sealed_month (table_name, period, unsealed_until) values (${table}, ${period}, ${iso(until)})
        on conflict (table_name, period) do update set unsealed_until = excluded.unsealed_until`.execute(tx)
    }
  })
