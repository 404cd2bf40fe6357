import { splitByPeriod } from '../../../core/netting/window.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type BillingPeriod, DAY_MS, periodEnd, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { compact } from './compact-store.ts'
import { SEAL_AFTER_MS, SEAL_RUN_MAX_MS, UNSEALED_FOR_MS } from './limits.ts'
import * as store from './store.ts'

type StorageDeps = Pick<Deps, 'database' | 'clock' | 'log'>

const monthText = (period: BillingPeriod): string => period.slice(0, 7)

/** Whether a month is old enough to be sealed at an instant: counted from its end. */
export const isDue = (period: BillingPeriod, at: number): boolean => periodEnd(period) + SEAL_AFTER_MS <= at

/**
 * Refuses with 409, as plain text, a range that touches a sealed month; until the transaction ends none of its
 * months is sealed. For whatever reads facts in order to book on them, or writes them.
 */
export async function refuseSealed(tx: TenantTx, range: Range): Promise<void> {
  const periods = splitByPeriod(range).map(({ billingPeriod }) => billingPeriod)
  if (periods.length === 0) return
  await store.holdMonths(tx, periods)
  const [first] = [...(await store.findSealed(tx, periods))].sort()
  if (first === undefined) return
  const month = monthText(first)
  const days = SEAL_AFTER_MS / DAY_MS
  throw new AppError(
    409,
    'SEALED_MONTH',
    `the month ${month} is sealed, because its data is older than ${days} days; ` +
      `an operator opens it with "netsaat storage unseal ${month}", then the request can be repeated`,
    { shape: 'plain' },
  )
}

/** The months of the store, oldest first. */
export const listMonths = (storage: SystemDb) => store.listPartitions(storage)

/** What has to be done so that the partition is sealed and compacted. */
function workOf({ sealedAt, unsealedUntil, bytesAfter }: store.MonthPartition, at: number) {
  const isOpen = sealedAt === undefined || unsealedUntil !== undefined
  const isHeldOpen = unsealedUntil !== undefined && unsealedUntil > at
  return { seals: isOpen && !isHeldOpen, compacts: !isHeldOpen && (isOpen || bytesAfter === undefined) }
}

/**
 * Seals the months that are old enough at an instant and not held open, the oldest first and one at a time, for
 * about SEAL_RUN_MAX_MS; the next run goes on. Returns the months done. Repeatable: a month that a stop left sealed
 * but not compacted is compacted then. Nothing to do while somebody else seals or unseals.
 */
export async function sealOldMonths(
  deps: StorageDeps,
  slot: number,
  signal?: AbortSignal,
): Promise<BillingPeriod[]> {
  const started = performance.now()
  const done: BillingPeriod[] = []
  await store.aloneInStorage(deps, async (storage) => {
    const partitions = await store.listPartitions(storage)
    const waiting = partitions.filter(
      (partition) => isDue(partition.period, slot) && workOf(partition, slot).compacts,
    )
    for (const period of [...new Set(waiting.map((partition) => partition.period))].sort()) {
      if (signal?.aborted || performance.now() - started > SEAL_RUN_MAX_MS) break
      await sealPartitions(deps, storage, { period, at: slot })
      done.push(period)
    }
  })
  return done
}

interface SealOrder {
  readonly period: BillingPeriod
  /** What is held open beyond this instant stays open. */
  readonly at: number
}

async function sealPartitions(
  { clock, log }: StorageDeps,
  storage: store.Storage,
  { period, at }: SealOrder,
): Promise<void> {
  const partitions = await partitionsOf(storage, period)
  const open = partitions.filter((partition) => workOf(partition, at).seals)
  const tables = open.map(({ table }) => table)
  if (tables.length > 0) await store.seal(storage, { period, tables, at: clock.now() })
  for (const partition of partitions) {
    if (workOf(partition, at).compacts) await compact(storage, partition)
  }
  log.info({ month: monthText(period) }, 'a month was sealed')
}

const partitionsOf = async (storage: SystemDb, period: BillingPeriod) =>
  (await store.listPartitions(storage)).filter((partition) => partition.period === period)

async function orAway<T>(answer: Promise<T | undefined>): Promise<T> {
  const value = await answer
  if (value !== undefined) return value
  throw new Error('a month is being sealed or opened at this moment; try again in a few minutes')
}

function refuseYoung(deps: StorageDeps, period: BillingPeriod): void {
  if (isDue(period, deps.clock.now())) return
  const days = SEAL_AFTER_MS / DAY_MS
  throw new Error(`${monthText(period)} is open: a month can be sealed from ${days} days after its end on`)
}

/** Seals a month at once, also one that is held open. Returns false when it was sealed already. */
export function sealMonth(deps: StorageDeps, period: BillingPeriod): Promise<boolean> {
  refuseYoung(deps, period)
  const at = Number.POSITIVE_INFINITY
  return orAway(
    store.aloneInStorage(deps, async (storage) => {
      const partitions = await partitionsOf(storage, period)
      if (partitions.length === 0) throw new Error(`there is no data of ${monthText(period)}`)
      if (!partitions.some((partition) => workOf(partition, at).compacts)) return false
      await sealPartitions(deps, storage, { period, at })
      return true
    }),
  )
}

export interface Unsealed {
  readonly wasSealed: boolean
  /** Until when the job leaves the month open. */
  readonly until: number
}

/** Opens a month for UNSEALED_FOR_MS; for one that is open the days are only counted anew. */
export function unsealMonth(deps: StorageDeps, period: BillingPeriod): Promise<Unsealed> {
  refuseYoung(deps, period)
  return orAway(
    store.aloneInStorage(deps, async (storage) => {
      const sealed = await store.findSealed(storage, [period])
      const until = deps.clock.now() + UNSEALED_FOR_MS
      await store.unseal(storage, { period, until })
      return { wasSealed: sealed.has(period), until }
    }),
  )
}
