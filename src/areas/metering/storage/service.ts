import { splitByPeriod } from '../../../core/netting/window.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type BillingPeriod, DAY_MS, periodEnd, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { METERING_TEXTS } from '../messages.ts'
import { compact } from './compact-store.ts'
import { SEAL_AFTER_MS, SEAL_RUN_MAX_MS, UNSEALED_FOR_MS } from './limits.ts'
import * as store from './store.ts'

type StorageDeps = Pick<Deps, 'database' | 'clock' | 'log'>

const monthText = (period: BillingPeriod): string => period.slice(0, 7)

/*
 * Sealed months: samples and hourly facts of old months are read-only and stored compactly.
 *
 * Purpose. Amounts of a month are final once they are old; its data must not change any more, and it should
 * not cost more disk and cache than necessary. The unit is the partition, which is a Turkey-local month
 * (ADR 0010).
 *
 * States of a month, recorded in `sealed_month`:
 *   open       younger than SEAL_AFTER_MS after its end, or never sealed
 *   sealed     the partition has the constraint SEAL_CONSTRAINT, `check (false) not valid`: new and changed
 *              rows are refused,
 *              existing ones stay readable; DELETE passes, so code that deletes calls `assertNotSealed`
 *              first
 *   compacted  sealed and rewritten in key order (compact-store.ts)
 *   unsealed   opened by an operator (`netsaat storage unseal`) for UNSEALED_FOR_MS; then the daily job
 *              seals it again
 *
 * Trade-offs:
 * - A constraint instead of privileges, triggers or detaching: it also refuses writes through the parent
 *   table, survives dump and restore, and the planner ignores it because it is not validated. ADR 0019
 *   lists the rejected alternatives.
 * - Copy and swap instead of CLUSTER or VACUUM FULL: readers are never blocked for more than milliseconds,
 *   but a month needs its own size again on disk while it is rewritten.
 * - Sealing yields to all other transactions: every lock that blocks others is awaited for
 *   SEAL_LOCK_TIMEOUT_MS only and retried later. This is below PostgreSQL's deadlock_timeout, so sealing is
 *   never the one that makes another transaction fail.
 * - Roll-ups (`measurement_hour`) are not sealed: they are derived from samples, and those at the edge of a
 *   month follow a late sample of the next one.
 *
 * Concurrency:
 * - One session-level advisory lock (`withStorageLock`) admits one process to sealing and unsealing. A
 *   process that dies releases it, and all steps are idempotent: a sealed month without compaction is
 *   compacted by the next run.
 * - A transaction-level advisory lock per month is shared by transactions that rely on its state
 *   (`assertNotSealed`) and exclusive for sealing and unsealing.
 * - Late samples of a sealed month are quarantined with the reason `sealed_month`; unsealing the month
 *   submits them again.
 */

/** True when a month is old enough to be sealed at an instant, counted from its end. */
export const isSealDue = (period: BillingPeriod, at: number): boolean =>
  periodEnd(period) + SEAL_AFTER_MS <= at

/**
 * Throws 409 (plain text) when a range touches a sealed month. Until the transaction ends, none of its
 * months is sealed or unsealed. Required before facts are written, deleted, or read for a calculation that
 * is stored.
 */
export async function assertNotSealed(tx: TenantTx, range: Range): Promise<void> {
  const periods = splitByPeriod(range).map(({ billingPeriod }) => billingPeriod)
  if (periods.length === 0) return
  await store.lockMonths(tx, periods)
  const [first] = [...(await store.findSealed(tx, periods))].sort()
  if (first === undefined) return
  const month = monthText(first)
  const days = SEAL_AFTER_MS / DAY_MS
  throw new AppError(409, 'SEALED_MONTH', METERING_TEXTS.MONTH_SEALED({ month, days }), { shape: 'plain' })
}

/** The partitions of all months, oldest first. */
export const listMonths = (storage: SystemDb) => store.listPartitions(storage)

/** The steps that a partition still needs to be sealed and compacted. */
function pendingSteps({ sealedAt, unsealedUntil, bytesAfter }: store.MonthPartition, at: number) {
  const isOpen = sealedAt === undefined || unsealedUntil !== undefined
  const isHeldOpen = unsealedUntil !== undefined && unsealedUntil > at
  return { mustSeal: isOpen && !isHeldOpen, mustCompact: !isHeldOpen && (isOpen || bytesAfter === undefined) }
}

/**
 * Seals the months that are due at an instant and not held open, oldest first and one at a time, for about
 * SEAL_RUN_MAX_MS; the next run continues. Returns the finished months. Idempotent: a month that an
 * interruption left sealed but not compacted is compacted. Does nothing while another process seals or
 * unseals.
 */
export async function sealOldMonths(
  deps: StorageDeps,
  slot: number,
  signal?: AbortSignal,
): Promise<BillingPeriod[]> {
  const started = performance.now()
  const done: BillingPeriod[] = []
  await store.withStorageLock(deps, async (storage) => {
    const partitions = await store.listPartitions(storage)
    const waiting = partitions.filter(
      (partition) => isSealDue(partition.period, slot) && pendingSteps(partition, slot).mustCompact,
    )
    for (const period of [...new Set(waiting.map((partition) => partition.period))].sort()) {
      if (signal?.aborted || performance.now() - started > SEAL_RUN_MAX_MS) break
      await sealPartitions(deps, storage, { period, at: slot })
      done.push(period)
    }
  })
  return done
}

interface SealOptions {
  readonly period: BillingPeriod
  /** Partitions that are held open beyond this instant stay open. */
  readonly at: number
}

async function sealPartitions(
  { clock, log }: StorageDeps,
  storage: store.StorageSession,
  { period, at }: SealOptions,
): Promise<void> {
  const partitions = await partitionsOf(storage, period)
  const open = partitions.filter((partition) => pendingSteps(partition, at).mustSeal)
  const tables = open.map(({ table }) => table)
  if (tables.length > 0) await store.seal(storage, { period, tables, at: clock.now() })
  for (const partition of partitions) {
    if (pendingSteps(partition, at).mustCompact) await compact(storage, partition)
  }
  log.info({ month: monthText(period) }, 'a month was sealed')
}

const partitionsOf = async (storage: SystemDb, period: BillingPeriod) =>
  (await store.listPartitions(storage)).filter((partition) => partition.period === period)

async function orBusy<T>(result: Promise<T | undefined>): Promise<T> {
  const value = await result
  if (value !== undefined) return value
  throw new Error('a month is being sealed or opened at this moment; try again in a few minutes')
}

function assertSealDue(deps: StorageDeps, period: BillingPeriod): void {
  if (isSealDue(period, deps.clock.now())) return
  const days = SEAL_AFTER_MS / DAY_MS
  throw new Error(`${monthText(period)} is open: a month can be sealed from ${days} days after its end on`)
}

/** Seals a month at once, even when it is held open. Returns false when it is sealed already. */
export function sealMonth(deps: StorageDeps, period: BillingPeriod): Promise<boolean> {
  assertSealDue(deps, period)
  const at = Number.POSITIVE_INFINITY
  return orBusy(
    store.withStorageLock(deps, async (storage) => {
      const partitions = await partitionsOf(storage, period)
      if (partitions.length === 0) throw new Error(`there is no data of ${monthText(period)}`)
      if (!partitions.some((partition) => pendingSteps(partition, at).mustCompact)) return false
      await sealPartitions(deps, storage, { period, at })
      return true
    }),
  )
}

export interface Unsealed {
  readonly wasSealed: boolean
  /** Instant until which the daily job leaves the month open. */
  readonly until: number
}

/** Opens a month for UNSEALED_FOR_MS; for an open month the period starts again. */
export function unsealMonth(deps: StorageDeps, period: BillingPeriod): Promise<Unsealed> {
  assertSealDue(deps, period)
  return orBusy(
    store.withStorageLock(deps, async (storage) => {
      const sealed = await store.findSealed(storage, [period])
      const until = deps.clock.now() + UNSEALED_FOR_MS
      await store.unseal(storage, { period, until })
      return { wasSealed: sealed.has(period), until }
    }),
  )
}
