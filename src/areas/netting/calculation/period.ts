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
 * 3. Give the input to the engine, from some hours on in a thread (`engine.ts`).
 * 4. Where a current run has the same window, or later runs of the period exist, compute before anything is written.
 *    If the hash of the input equals that of the current run, nothing is written (idempotent). If a closing balance
 *    changed, the window is widened up to the last of the later runs.
 * 5. Write: supersede the replaced runs, insert the run and its rows, reverse the bookings of the replaced runs and
 *    book the usage, refresh the summary. Where the result was not needed in step 4, and so in a first calculation,
 *    in most corrections and in a widened window, hours are computed while rows of earlier ones are inserted.
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

import { memberHours } from '../../../core/netting/members.ts'
import { overlaps, residentialWindow, widenOverRuns, widenToLastRun } from '../../../core/netting/window.ts'
import { add, type Kwh, subtract, ZERO_KWH } from '../../../kernel/decimal.ts'
import { type BillingPeriod, periodRange, type Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import { refreshPeriodAlarms, refreshStaleAlarms } from '../alarms/index.ts'
import { removeHours } from '../stale/index.ts'
import type { Engine } from './engine.ts'
import type { WindowResult } from './engine-steps.ts'
import {
  facilityHours,
  inEngine,
  type LoadedWindow,
  loadBase,
  loadEngine,
  type PeriodBase,
  roleWarnings,
} from './input.ts'
import { type AccountUsed, usageOfRuns } from './ledger-store.ts'
import type { PeriodRequest } from './period-request.ts'
import { noActiveMembers, refuseInactive } from './refusals.ts'
import type { CurrentRun, Stage } from './run-store.ts'
import type { Run } from './schema.ts'
import { staleWarnings } from './stale-warnings.ts'
import { writeRun } from './write-run.ts'

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
  const { groupId, billingPeriod, correction } = request
  const runs = base.runs.map((run) => run.window)
  const hasLaterRuns = runs.some((run) => run.from >= window.to)
  let loaded = await loadEngine(engine, tx, base, window)
  const equalRun = correction ? undefined : runOf(loaded)
  if (equalRun || hasLaterRuns) {
    const result = await engine.result()
    if (equalRun?.inputHash === result.inputHash) {
      await removeHours(tx, base.markIds, window)
      await refreshAlarms(tx, { groupId, billingPeriod, at: startedAt, result })
      const warnings = [...roleWarnings(result.otherRoles, base.members), ...result.warnings]
      return { billingPeriod, run: undefined, hours: 0, window, warnings }
    }
    if (hasLaterRuns && movedAccounts(loaded, await usageBefore(tx, loaded), result).length > 0) {
      loaded = await loadEngine(engine, tx, base, widenToLastRun(window, runs))
    }
  }
  const used = await usageBefore(tx, loaded)
  const { run, result, warnings } = await writeRun(tx, {
    clock,
    engine,
    base,
    loaded,
    used,
    request,
    startedAt,
  })
  const stale = await staleWarnings(tx, base, {
    moved: movedAccounts(loaded, used, result),
    from: loaded.window.from,
    isCorrection: !!correction,
  })
  await removeHours(tx, base.markIds, loaded.window)
  await refreshAlarms(tx, { groupId, billingPeriod, at: startedAt, result })
  return {
    billingPeriod,
    run,
    hours: result.hourCount,
    window: loaded.window,
    warnings: [...roleWarnings(result.otherRoles, base.members), ...result.warnings, ...stale, ...warnings],
  }
}

/** The current run of exactly this window. */
const runOf = ({ window, replaced }: LoadedWindow): CurrentRun | undefined =>
  replaced.find((run) => run.window.from === window.from && run.window.to === window.to)

async function refreshAlarms(tx: TenantTx, period: Parameters<typeof refreshPeriodAlarms>[1]): Promise<void> {
  await refreshStaleAlarms(tx, period.groupId, period.at)
  await refreshPeriodAlarms(tx, period)
}

/** The usage of the replaced runs by account. */
const usageBefore = (tx: TenantTx, { replaced }: LoadedWindow): Promise<AccountUsed[]> =>
  usageOfRuns(
    tx,
    replaced.map((run) => run.id),
  )

/**
 * The accounts whose closing balance differs from the previous one. The previous closing balance is the
 * opening balance of the first replaced run less the usage of all replaced runs. Without a replaced run every
 * account with usage has changed.
 */
function movedAccounts(
  { replaced }: LoadedWindow,
  used: readonly AccountUsed[],
  result: WindowResult,
): string[] {
  const usedBefore = new Map(used.map((usage) => [usage.accountId, sumOf(usage)]))
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
