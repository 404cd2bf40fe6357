/**
 * Results whose input has changed (ADR 0068, docs/understand/netting/corrections.md).
 *
 * The triggers of the database mark changed input in the transaction of the change. For each group with marks
 * the job does these steps, each in transactions of its own:
 *
 * 1. Verify: new marks of runs whose input is equal in spite of the change are removed.
 * 2. Notice: the remaining marks get the time of the service, and the alarm of the group is opened or closed.
 * 3. Correct: in a group with automatic corrections the earliest stale closed month is corrected when nothing
 *    has changed for its quiet period. The correction is a chain with the cause `stale`, which a next slot
 *    completes after a crash. After a failure it is tried again an hour later.
 *
 * Sealed months are not corrected, and the current month is left to the nightly calculation.
 */
import { AppError } from '../../../kernel/errors.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { inTenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { sealedAmong } from '../../metering/storage/index.ts'
import { isClosed, refreshStaleAlarms } from '../alarms/index.ts'
import { findGroup, lockGroup, verifyMarks } from '../calculation/index.ts'
import { CORRECTION_RETRY_MS } from '../limits.ts'
import { listNewMarks, noticeMarks, readStale, type StalePeriod } from '../stale/index.ts'
import { completeChain, type InTx, runCorrection } from './cascade.ts'
import { CORRECTION_REASONS } from './messages.ts'
import * as store from './store.ts'

type StaleDeps = Pick<Deps, 'clock' | 'database' | 'log'>

interface GroupKey {
  readonly tenantId: number
  readonly id: string
}

/** Checks the marks of a group, and corrects it where its setting asks for it. Idempotent. */
export async function checkStaleGroup(deps: StaleDeps, { tenantId, id: groupId }: GroupKey): Promise<void> {
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const newMarks = await listNewMarks(tenant, groupId)
  if (newMarks.length > 0) {
    for (const period of await readStale(tenant, { groupIds: [groupId] })) await verify(deps, inTx, period)
  }
  await inTx(async (tx) => {
    await lockGroup(tx, groupId)
    await noticeMarks(tx, { groupId, markIds: newMarks, now: deps.clock.now() })
    await refreshStaleAlarms(tx, groupId, deps.clock.now())
  })
  await correctAutomatically(deps, tenantId, { groupId, inTx })
}

/** A failure leaves the marks: the result counts as stale. */
const verify = (
  { clock }: StaleDeps,
  inTx: InTx,
  { groupId, billingPeriod, ranges }: StalePeriod,
): Promise<void> => {
  const marked = ranges.map(({ from_hour, to_hour }) => ({
    from: Date.parse(from_hour),
    to: Date.parse(to_hour),
  }))
  const isMarked = (window: { from: number; to: number }) =>
    marked.some(({ from, to }) => from < window.to && window.from < to)
  return inTx((tx) => verifyMarks(tx, { groupId, billingPeriod, isMarked, now: clock.now() }))
}

async function correctAutomatically(
  deps: StaleDeps,
  tenantId: number,
  { groupId, inTx }: { groupId: string; inTx: InTx },
): Promise<void> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const left = await store.findAutomatic(tenant, groupId)
  if (left) {
    const { billing_period: billingPeriod, done_periods: donePeriods } = left
    await completeChain(deps, inTx, { tenantId, id: left.id, groupId, billingPeriod, donePeriods })
  }
  const group = await findGroup(tenant, groupId)
  if (group?.correction_mode !== 'automatic') return
  const now = deps.clock.now()
  const due = duePeriods(await readStale(tenant, { groupIds: [groupId] }), {
    now,
    quietMs: group.correction_quiet_minutes * 60_000,
  })
  if (due.length === 0) return
  const sealed = await sealedAmong(
    tenant,
    due.map(({ billingPeriod }) => billingPeriod),
  )
  const first = due.find(({ billingPeriod }) => !sealed.has(billingPeriod))
  if (!first || (await store.hasStoppedSince(tenant, groupId, now - CORRECTION_RETRY_MS))) return
  await correct(deps, inTx, { groupId, billingPeriod: first.billingPeriod, due })
}

/** The stale closed months, in time order; none while one of them has changed within the quiet period. */
function duePeriods(
  stale: readonly StalePeriod[],
  { now, quietMs }: { now: number; quietMs: number },
): StalePeriod[] {
  const closed = stale.filter(({ billingPeriod }) => isClosed(billingPeriod, now))
  const isQuiet = closed.every(({ noticedAt }) => noticedAt !== null && noticedAt <= now - quietMs)
  return isQuiet ? closed : []
}

interface DueCorrection {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly due: readonly StalePeriod[]
}

async function correct(
  deps: StaleDeps,
  inTx: InTx,
  { groupId, billingPeriod, due }: DueCorrection,
): Promise<void> {
  const reasons = [...new Set(due.flatMap((period) => period.reasons))].sort()
  try {
    await runCorrection(deps, inTx, {
      groupId,
      billingPeriod,
      reason: CORRECTION_REASONS.AUTOMATIC_CORRECTION({ reasons }),
      cause: 'stale',
      startedBy: null,
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.info({ groupId, billingPeriod, reason: error.message }, 'an automatic correction was refused')
  }
}
