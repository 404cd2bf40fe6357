/**
 * The calculation run: one group, one billing period, one window, one transaction (ADR 0015).
 *
 * Purpose. A run reads its input, computes it with the pure engine (`computePeriod`), and puts the result in
 * the place of the current runs that its window overlaps. Superseded runs and their rows stay readable;
 * nothing is deleted.
 *
 * Steps of `calculatePeriod`:
 *
 * 1. Lock, then read everything (`loadBase`), so that the input does not change before the commit.
 * 2. Choose the window: the requested hours, widened to whole current runs; for a residential group the month
 *    so far.
 * 3. Compute, from some hours on in a thread (`engine.ts`). If the hash of the input and the window equal those of
 *    a current run, nothing is written (idempotent).
 * 4. If a closing balance changed and later runs of the period exist, compute once more up to the last of
 *    them.
 * 5. Write: reverse the bookings of the replaced runs, insert the run with its input, rows and usage, refresh
 *    the summary.
 *
 * Lock order. The group's row comes first, then the limit accounts of its consumers in the order of their
 * ids. Transfers and manual adjustments lock accounts in the same order, so no two of them deadlock. Without
 * the lock on the group, two overlapping calculations would replace the same runs; without the locks on the
 * accounts, a transfer could move energy that the calculation uses. Both locks are `for no key update`: a
 * statement that only references the group or account does not wait.
 *
 * Modes:
 *
 * - Calculation (manual or scheduled): skips an unchanged input and books usage by type. It does not
 *   recalculate other groups and later periods that depend on changed balances; the result contains the
 *   warning LATER_PERIODS_STALE for them.
 * - Correction step (`request.correction`): always writes a run and books one `correction_reapply` for each
 *   account. The cascade calculates the later periods of the group itself. A failed monthly summary is a
 *   warning, not an error.
 * - Residential group (`mesken_monthly`): the window is the whole month so far. The hourly stages of the
 *   schedule skip such a group, because each calculation rewrites the month; the nightly stage does it.
 *
 * Trade-off. Widening the window to whole runs recomputes hours that have not changed. In return, a run is
 * superseded as a whole, and its ledger movements are reversed as a whole.
 */

import { randomUUID } from 'node:crypto'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { reapplyMovements, reversalMovements, usageMovements } from '../../../core/netting/ledger.ts'
import { memberHours } from '../../../core/netting/members.ts'
import { overlaps, residentialWindow, widenOverRuns, widenToLastRun } from '../../../core/netting/window.ts'
import { add, type Kwh, subtract, ZERO_KWH } from '../../../kernel/decimal.ts'
import { type BillingPeriod, periodRange, type Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { Reason } from '../../../platform/db/reason-columns.ts'
import { failureOf } from '../../../platform/db/savepoint.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import { refreshPeriodAlarms, refreshStaleAlarms } from '../alarms/index.ts'
import { logEligibility } from '../eligibility/index.ts'
import { removeHours } from '../stale/index.ts'
import type { Engine } from './engine.ts'
import { type Computed, computeWindow, facilityHours, inEngine, loadBase, type PeriodBase } from './input.ts'
import { appendMovements, usageOfRuns } from './ledger-store.ts'
import { CALCULATION_TEXTS } from './messages.ts'
import { noActiveMembers, refuseInactive } from './refusals.ts'
import { insertResultRows, insertRun, type Stage, supersedeRuns } from './run-store.ts'
import type { Run, Trigger } from './schema.ts'
import { staleWarnings } from './stale-warnings.ts'
import { refreshSummary } from './summary-store.ts'

export interface PeriodRequest {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Whole hours inside the period; none of them is in the future. */
  readonly window: Range
  readonly triggeredBy: Trigger
  /** The user; null for the schedule and for loaders. */
  readonly startedBy: string | null
  /** Present in a step of a correction; see the modes above. */
  readonly correction?: CorrectionStep
  /** The stage of the schedule that started the run; stored with it. */
  readonly stage?: Stage
}

export interface CorrectionStep {
  /** The first run of the correction chain; null when this is the first. */
  readonly rootRunId: string | null
  /** The reason of the correction; stored with its movements. */
  readonly reason: Reason
  /** Called with the error when the monthly summary fails. */
  readonly report: (failure: Error) => void
}

export interface PeriodOutcome {
  readonly billingPeriod: BillingPeriod
  /** The new run; undefined when the input was unchanged and nothing was written. */
  readonly run: Run | undefined
  readonly hours: number
  /** The hours covered: at least the requested ones, except for a residential group. */
  readonly window: Range
  readonly warnings: readonly Warning[]
  /** Nothing was calculated, because the group has no member in the window and had no result there. */
  readonly isWithoutMembers?: boolean
}

/**
 * The stages that run every hour. They skip residential groups, because each calculation of such a group
 * rewrites the whole month.
 */
const HOURLY_STAGES: readonly (Stage | undefined)[] = ['preliminary', 'corrected']

/**
 * Calculates a group over a window of one billing period, in the transaction of the caller. The window widens
 * to the current runs that it overlaps, for a residential group to the month so far, and to the last run of
 * the period when the balances before that run have changed. 404 for an unknown group, 422 for an inactive
 * one and for a correction of a period without members, 409 for a sealed month.
 */
export async function calculatePeriod(
  { clock }: { readonly clock: Clock },
  tx: TenantTx,
  request: PeriodRequest,
): Promise<PeriodOutcome> {
  const startedAt = clock.now()
  const { groupId, billingPeriod } = request
  const base = await loadBase(tx, { groupId, billingPeriod, now: startedAt })
  refuseInactive(base.group)
  await assertNotSealed(tx, periodRange(billingPeriod))
  if (base.scenario === 'mesken_monthly' && HOURLY_STAGES.includes(request.stage)) {
    return { billingPeriod, run: undefined, hours: 0, window: request.window, warnings: [] }
  }
  const runs = base.runs.map((run) => run.window)
  const requested =
    base.scenario === 'mesken_monthly' ? residentialWindow(billingPeriod, startedAt) : request.window
  const window = widenOverRuns(requested, runs)
  if (memberHours(base.members, window) === 0 && !runs.some((run) => overlaps(run, window))) {
    if (request.correction) throw noActiveMembers(base.group.name)
    return { billingPeriod, run: undefined, hours: 0, window, warnings: [], isWithoutMembers: true }
  }
  return inEngine(tx, facilityHours(base, widenToLastRun(window, runs)), (engine) =>
    calculateWindow({ clock, engine }, tx, { base, window, request, startedAt }),
  )
}

interface WindowRequest {
  readonly base: PeriodBase
  /** Whole runs and the hours between them. */
  readonly window: Range
  readonly request: PeriodRequest
  readonly startedAt: number
}

async function calculateWindow(
  { clock, engine }: { readonly clock: Clock; readonly engine: Engine },
  tx: TenantTx,
  { base, window, request, startedAt }: WindowRequest,
): Promise<PeriodOutcome> {
  const { groupId, billingPeriod } = request
  const runs = base.runs.map((run) => run.window)
  let computed = await computeWindow(engine, tx, base, window)
  if (!request.correction && isUnchanged(computed)) {
    await removeHours(tx, base.markIds, window)
    await refreshStaleAlarms(tx, groupId, startedAt)
    await refreshPeriodAlarms(tx, { groupId, billingPeriod, at: startedAt, result: computed.result })
    return {
      billingPeriod,
      run: undefined,
      hours: 0,
      window,
      warnings: [...computed.warnings, ...computed.result.warnings],
    }
  }
  let changedAccountIds = await accountsWithChangedBalance(tx, computed)
  if (changedAccountIds.length > 0 && runs.some((run) => run.from >= window.to)) {
    computed = await computeWindow(engine, tx, base, widenToLastRun(window, runs))
    changedAccountIds = await accountsWithChangedBalance(tx, computed)
  }
  const moved = { moved: changedAccountIds, from: computed.window.from, isCorrection: !!request.correction }
  const stale = await staleWarnings(tx, base, moved)
  const written = await writeRun(tx, { engine, base, computed, request, startedAt, finishedAt: clock.now() })
  await removeHours(tx, base.markIds, computed.window)
  await refreshStaleAlarms(tx, groupId, startedAt)
  await refreshPeriodAlarms(tx, { groupId, billingPeriod, at: startedAt, result: computed.result })
  const hours = computed.result.hourCount
  const warnings = [...computed.warnings, ...computed.result.warnings, ...stale, ...written.warnings]
  return { billingPeriod, run: written.run, hours, window: computed.window, warnings }
}

const isUnchanged = ({ window, replaced, result }: Computed): boolean =>
  replaced.some(
    (run) =>
      run.window.from === window.from && run.window.to === window.to && run.inputHash === result.inputHash,
  )

/**
 * The accounts whose closing balance differs from the previous one. The previous closing balance is the
 * opening balance of the first replaced run less the usage of all replaced runs. Without a replaced run every
 * account with usage has changed.
 */
async function accountsWithChangedBalance(tx: TenantTx, { replaced, result }: Computed): Promise<string[]> {
  const ids = replaced.map((run) => run.id)
  const usedBefore = new Map((await usageOfRuns(tx, ids)).map((used) => [used.accountId, sumOf(used)]))
  const openingBefore = new Map(replaced.toReversed().flatMap((run) => [...run.openings]))
  const changed = result.usageByAccount.filter((usage) => {
    const { accountId, closingBalanceKwh } = usage
    if (replaced.length === 0) return sumOf(usage) > 0n
    const opening = openingBefore.get(accountId)
    return (
      opening === undefined || subtract(opening, usedBefore.get(accountId) ?? ZERO_KWH) !== closingBalanceKwh
    )
  })
  const usedNow = new Set(result.usageByAccount.map((usage) => usage.accountId))
  const released = [...usedBefore.keys()].filter((accountId) => !usedNow.has(accountId))
  return [...changed.map((usage) => usage.accountId), ...released]
}

const sumOf = ({ matchedKwh, paidSurplusKwh }: { matchedKwh: Kwh; paidSurplusKwh: Kwh }): Kwh =>
  add(matchedKwh, paidSurplusKwh)

interface RunWrite {
  /** Holds the input and the rows of the computed window. */
  readonly engine: Engine
  readonly base: PeriodBase
  readonly computed: Computed
  readonly request: PeriodRequest
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * Reverses the bookings of the replaced runs, then writes the new run, its input, rows and usage, and the
 * summary.
 */
async function writeRun(
  tx: TenantTx,
  write: RunWrite,
): Promise<Pick<SummaryOutcome, 'warnings'> & { run: Run }> {
  const { computed, request, startedAt, finishedAt } = write
  const { window, openings, result } = computed
  const { groupId, billingPeriod, triggeredBy, startedBy, correction } = request
  const runId = randomUUID()
  const replaced = computed.replaced.map((run) => run.id)
  const reversals = reversalMovements(await usageOfRuns(tx, replaced))
  await supersedeRuns(tx, replaced, runId)
  const origin = { correctionReason: correction?.reason, by: startedBy, at: finishedAt }
  const eligibilityRunId = await logEligibility(tx, write.base.eligibility, origin)
  const run = await insertRun(tx, {
    id: runId,
    groupId,
    billingPeriod,
    window,
    scenario: result.scenario,
    triggeredBy,
    startedAt,
    finishedAt,
    parentRunId: correction ? (correction.rootRunId ?? runId) : null,
    inputHash: result.inputHash,
    engineVersion: ENGINE_VERSION,
    startedBy,
    openings,
    eligibilityRunId,
    stage: request.stage,
  })
  const booked = correction ? reapplyMovements : usageMovements
  const movements = [...reversals, ...booked(result.usageByAccount)]
  const reason = correction?.reason ?? null
  await appendMovements(tx, movements, { runId, by: startedBy, at: finishedAt, reason })
  const pieces = write.engine.rows({ tenantId: tx.tenantId, runId, groupId, at: startedAt })
  await insertResultRows(tx, pieces, (rows) => write.engine.reuse(rows))
  return { run, ...(await summarisePeriod(tx, write, runId)) }
}

interface SummaryOutcome {
  readonly warnings: readonly Warning[]
}

/**
 * Refreshes the monthly summary. In a correction a failure becomes a warning, and the previous summary stays.
 */
async function summarisePeriod(tx: TenantTx, write: RunWrite, runId: string): Promise<SummaryOutcome> {
  const { base, computed, request, finishedAt } = write
  const { scenario, summary } = computed.result
  const { groupId, billingPeriod, correction } = request
  const refresh = () =>
    refreshSummary(tx, {
      groupId,
      billingPeriod,
      runId,
      scenario,
      members: base.members,
      accountIds: base.accounts.map((account) => account.id),
      now: finishedAt,
      month: scenario === 'mesken_monthly' ? summary : undefined,
    })
  if (!correction) {
    await refresh()
    return { warnings: [] }
  }
  const failure = await failureOf(tx, refresh)
  if (!failure) return { warnings: [] }
  correction.report(failure)
  const message = CALCULATION_TEXTS.MONTHLY_REFRESH_FAILED({ group: base.group.name, period: billingPeriod })
  return { warnings: [{ code: 'MONTHLY_REFRESH_FAILED', subject: billingPeriod, message }] }
}
