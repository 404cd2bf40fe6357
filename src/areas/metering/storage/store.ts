import { type Kysely, sql, type Transaction } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { type BillingPeriod, iso, periodEnd, periodStart } from '../../../kernel/time.ts'
import { hasSqlState, SQLSTATE } from '../../../platform/db/errors.ts'
import { type PartitionedTable, partitionName } from '../../../platform/db/partitions.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import {
  type SystemDb,
  type SystemTx,
  systemDb,
  type TenantDb,
  type TenantTx,
} from '../../../platform/db/tenant.ts'
import type { DB } from '../../../platform/db/types.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  SEAL_LOCK_PAUSE_MS,
  SEAL_LOCK_TIMEOUT_MS,
  SEAL_LOCK_TRIES_MAX,
  SEAL_STATEMENT_TIMEOUT_MS,
} from './limits.ts'

/**
 * The tables whose partitions are sealed. Roll-ups are not: they are derived from samples and must keep
 * agreeing with them.
 */
export const SEALED_TABLES = ['measurement', 'hourly_energy'] as const satisfies readonly PartitionedTable[]
export type SealedTable = (typeof SEALED_TABLES)[number]

/** Name of the constraint of a sealed partition, by which an error of a refused write is recognised. */
export const SEAL_CONSTRAINT = 'sealed_month'

/** Key of the advisory lock that is held while sealing or unsealing, so that only one process does so. */
const STORAGE_LOCK_KEY = 7_236_482_003

/** The partition of a month and the state of its sealing. */
export interface MonthPartition {
  readonly table: SealedTable
  readonly period: BillingPeriod
  /** Size including indexes. */
  readonly bytes: number
  readonly sealedAt: number | undefined
  readonly unsealedUntil: number | undefined
  readonly rows: number | undefined
  readonly bytesBefore: number | undefined
  /** Undefined until the partition is compacted. */
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

/** All month partitions of SEALED_TABLES, oldest first. */
export async function listPartitions({ db }: SystemDb): Promise<MonthPartition[]> {
  const { rows } = await sql<PartitionRow>`
    select p.table_name, p.period, relation_bytes(p.oid) as bytes,
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

/** The sealed ones of the given months. Variant of `findSealed` for intake, which has its own connections. */
export async function findSealedByConnection(
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

/** The sealed ones of the given months. */
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

/** The sealed months of samples, and the beginning of the oldest one that is open. */
export interface SealedSamples {
  readonly periods: ReadonlySet<BillingPeriod>
  readonly openSince: number
}

export async function readSealedSamples({ db }: SystemDb): Promise<SealedSamples> {
  const months = await db
    .selectFrom('sealed_month')
    .select(['period', 'unsealed_until'])
    .where('table_name', '=', 'measurement')
    .execute()
  const opened = months.filter(({ unsealed_until }) => unsealed_until).map(({ period }) => period)
  const sealed = months.filter(({ unsealed_until }) => !unsealed_until).map(({ period }) => period)
  const openSince = Math.min(Math.max(0, ...sealed.map(periodEnd)), ...opened.map(periodStart))
  return { periods: new Set(sealed), openSince }
}

const monthLock = (period: BillingPeriod) => `seal ${period}`

/**
 * Prevents sealing and unsealing of months until the transaction ends; their state must be read after this
 * call.
 */
export async function lockMonths({ db }: TenantTx, periods: readonly BillingPeriod[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(name, 0))
    from unnest(${periods.map(monthLock)}::text[]) as name`.execute(db)
}

/** Variant of `lockMonths` for the compression of samples, which has its own connections. */
export const lockMonthByConnection = (db: Queryable, period: BillingPeriod) =>
  readRows(db, {
    name: 'storage_lock_month',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [monthLock(period)],
  })

/** A database session that holds the storage lock. */
export interface StorageSession extends SystemDb {
  /** Waits, milliseconds. */
  sleep(ms: number): Promise<void>
}

/**
 * Runs work while holding the storage lock, so that no other process seals or unseals. Undefined when
 * another one holds it. The lock belongs to the database session of the owner of the tables, so a process that dies
 * releases it.
 */
export const withStorageLock = <T>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  work: (storage: StorageSession) => Promise<T>,
): Promise<T | undefined> =>
  database.owner.kysely.connection().execute(async (db) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_lock(${STORAGE_LOCK_KEY}) as is_mine`.execute(db)
    if (!rows[0]?.is_mine) return undefined
    try {
      await sql`set statement_timeout = ${sql.lit(SEAL_STATEMENT_TIMEOUT_MS)}`.execute(db)
      return await work({ ...systemDb(db), sleep: (ms) => clock.sleep(ms) })
    } finally {
      await sql`reset statement_timeout`.execute(db)
      await sql`select pg_advisory_unlock(${STORAGE_LOCK_KEY})`.execute(db)
    }
  })

/**
 * Prevents sealing, unsealing and compaction of all months until the transaction ends. False when one of them
 * is running.
 */
export async function tryShareStorage({ db }: SystemTx): Promise<boolean> {
  const { rows } = await sql<{ is_shared: boolean }>`
    select pg_try_advisory_xact_lock_shared(${STORAGE_LOCK_KEY}) as is_shared`.execute(db)
  return rows[0]?.is_shared ?? false
}

/**
 * Runs a transaction that yields to others: when it does not get a lock within SEAL_LOCK_TIMEOUT_MS, or is
 * chosen as the victim of a deadlock, it is rolled back and retried after a pause.
 */
export async function withShortLockWaits<T>(
  { db, sleep }: StorageSession,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(SEAL_LOCK_TIMEOUT_MS)}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      const isBlocked = hasSqlState(error, SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected)
      if (!isBlocked || tries >= SEAL_LOCK_TRIES_MAX) throw error
      await sleep(SEAL_LOCK_PAUSE_MS)
    }
  }
}

/**
 * Seals the partitions of a month. A CHECK that no row passes refuses new and changed rows from every
 * writer, also through the parent table. NOT VALID keeps existing rows, and the planner does not conclude
 * that there are none. DELETE passes: callers of DELETE use `assertNotSealed`.
 */
export const seal = (
  storage: StorageSession,
  { period, tables, at: now }: { period: BillingPeriod; tables: readonly SealedTable[]; at: number },
): Promise<void> =>
  withShortLockWaits(storage, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${monthLock(period)}, 0))`.execute(tx)
    // A distributed database measures no table that the transaction has changed.
    const bytes = new Map<SealedTable, string>()
    for (const table of tables) bytes.set(table, await readBytes(tx, partitionName(table, period)))
    for (const table of tables) {
      const name = partitionName(table, period)
      await dropSeal(tx, name)
      await addSeal(tx, name)
      await sql`
        insert into sealed_month (table_name, period, sealed_at, bytes_before)
        values (${table}, ${period}, ${iso(now)}, ${bytes.get(table)})
        on conflict (table_name, period) do update set sealed_at = excluded.sealed_at,
          bytes_before = excluded.bytes_before, rows = null, bytes_after = null, unsealed_until = null`.execute(
        tx,
      )
    }
  })

/** The bytes of a table including its indexes. */
export async function readBytes(db: Kysely<DB>, name: string): Promise<string> {
  const { rows } = await sql<{ bytes: string }>`select relation_bytes(${name}::regclass) as bytes`.execute(db)
  return at(rows, 0).bytes
}

export const addSeal = (db: Kysely<DB>, name: string) =>
  sql`alter table ${sql.table(name)} add constraint ${sql.id(SEAL_CONSTRAINT)} check (false) not valid`.execute(
    db,
  )
const dropSeal = (db: Kysely<DB>, name: string) =>
  sql`alter table if exists ${sql.table(name)} drop constraint if exists ${sql.id(SEAL_CONSTRAINT)}`.execute(
    db,
  )

/**
 * Opens the partitions of a month until the given instant. A month that was never sealed or has no
 * partition yet is held open as well: an operator is about to load data into it.
 */
export const unseal = (
  storage: StorageSession,
  { period, until }: { period: BillingPeriod; until: number },
): Promise<void> =>
  withShortLockWaits(storage, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${monthLock(period)}, 0))`.execute(tx)
    for (const table of SEALED_TABLES) {
      await dropSeal(tx, partitionName(table, period))
      await sql`
        insert into sealed_month (table_name, period, unsealed_until) values (${table}, ${period}, ${iso(until)})
        on conflict (table_name, period) do update set unsealed_until = excluded.unsealed_until`.execute(tx)
    }
  })
