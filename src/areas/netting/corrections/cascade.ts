/**
 * The correction cascade (ADR 0016, docs/understand/netting/corrections.md).
 *
 * Purpose. A correction calculates its period and every later calculated period of the group again, in time
 * order and across years, because the closing balances of a period are the opening balances of the next one.
 *
 * Transactions. Each period is one transaction, because one transaction for a year of a large group would
 * lock its accounts for minutes. The row in `correction_chain` records a period as done in the transaction
 * that calculates it, so the chain and the runs never disagree. The next period is not stored. It is derived
 * as the first period with current runs after the last completed one, so a period that was calculated
 * meanwhile is corrected as well.
 *
 * Queue. The open chains of a group form a FIFO queue. `runSteps` locks the group, takes the oldest open
 * chain, does one step of it, commits, and repeats until the caller's own chain is not open any more.
 * Consequences:
 *
 * - The chains of a group do not interleave.
 * - Two identical requests share the work of one chain.
 * - The next request finishes the chain of a process that has died. There is no lease and no timeout, and no
 *   connection is held between steps.
 * - A request may execute steps of the chain of another request. These are recorded for the user of that
 *   chain.
 *
 * States of a chain:
 *
 *   open ──▶ done         no later period has current runs
 *        ──▶ stopped      a step failed; the same request reopens the chain and continues at the failed period
 *        ──▶ refused      the first step was refused (404, 409, 422); nothing was done, the caller receives the error
 *   stopped ──▶ superseded   another chain of the group has covered the rest
 *
 * Failures. A failed step is rolled back, and the periods before it stay corrected. If the stop cannot be
 * recorded, the chain stays open, and the same request resumes it too. Calculations may run between two
 * steps: every step reads the balances at the start of its own hours, so the ledger is correct in every
 * order.
 */
import assert from 'node:assert/strict'
import { residentialWindow } from '../../../core/netting/window.ts'
import { AppError, found } from '../../../kernel/errors.ts'
import type { Parameter } from '../../../kernel/messages.ts'
import { type BillingPeriod, floorHour, nextPeriod, periodStart, type Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { refreshCorrectionAlarms } from '../alarms/index.ts'
import { calculatePeriod, lockGroup, type Run, refuseInactive } from '../calculation/index.ts'
import { rebuildMembers } from '../hourly-energy/index.ts'
import { ageWarnings, stopWarning } from './cascade-warnings.ts'
import { CORRECTION_TEXTS } from './messages.ts'
import * as store from './store.ts'

type CascadeDeps = Pick<Deps, 'clock' | 'log' | 'database'>
/** Runs work in a transaction of the tenant. */
export type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface CascadeResult {
  /** Runs of the chain since this request began, including those of steps that other requests executed. */
  readonly runs: readonly Run[]
  /** The period at which the chain stopped; undefined when it is complete. */
  readonly failedPeriod: BillingPeriod | undefined
  readonly warnings: readonly Warning[]
}

/**
 * Corrects a period and every later calculated period. Opens a chain, or resumes the unfinished chain of the
 * same request, and runs steps until the chain has ended. A refusal (404, 409, 422) of the first step is
 * thrown; a later refusal, or any other failure, stops the chain and is part of the result.
 */
export async function runCorrection(
  deps: CascadeDeps,
  inTx: InTx,
  request: store.NewChain,
): Promise<CascadeResult> {
  const { groupId, billingPeriod } = request
  const joined = await inTx(async (tx) => {
    refuseInactive(found('group', await lockGroup(tx, groupId)))
    const unfinished = await store.findUnfinished(tx, request)
    if (unfinished?.state === 'stopped') await store.reopen(tx, unfinished.id)
    const id = unfinished?.id ?? (await store.openChain(tx, request, deps.clock.now()))
    return { tenantId: tx.tenantId, id, groupId, billingPeriod, donePeriods: unfinished?.done_periods ?? [] }
  })
  return completeChain(deps, inTx, joined)
}

/** Completes an open chain, as `runCorrection` does. */
export async function completeChain(
  deps: CascadeDeps,
  inTx: InTx,
  ownChain: OwnChain,
): Promise<CascadeResult> {
  const failure = await runSteps(deps, inTx, ownChain)
  return inTx(async (tx) => {
    const chain = await store.findChain(tx, ownChain.id)
    const isRefused = chain.state === 'refused'
    const failedPeriod =
      failure?.period ?? chain.failed_period ?? (isRefused ? chain.billing_period : undefined)
    const since = chain.warnings.filter(({ period }) => !ownChain.donePeriods.includes(period))
    return {
      runs: await store.listChainRuns(tx, chain, ownChain.donePeriods),
      failedPeriod,
      warnings: [
        ...ageWarnings(ownChain.billingPeriod, deps.clock.now()),
        ...since,
        ...(failedPeriod ? [stopWarning(failedPeriod, failure?.reason)] : []),
      ],
    }
  })
}

/** The chain that a request opened or resumed. */
export interface OwnChain {
  readonly tenantId: number
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Periods that an earlier attempt has done, in time order. */
  readonly donePeriods: readonly BillingPeriod[]
}

/** One period of one chain. */
interface Step {
  readonly chain: store.Chain
  readonly period: BillingPeriod
  readonly window: Range
}

interface ChainFailure {
  readonly period: BillingPeriod
  readonly reason: Parameter | undefined
}

/**
 * Runs steps of the group's chains until the own chain is not open any more. Returns the failure of the own
 * chain.
 */
async function runSteps(
  deps: CascadeDeps,
  inTx: InTx,
  ownChain: OwnChain,
): Promise<ChainFailure | undefined> {
  const last = ownChain.donePeriods.at(-1)
  let duePeriod = last === undefined ? ownChain.billingPeriod : nextPeriod(last)
  for (;;) {
    let step: Step | undefined
    try {
      await rebuildQueuedFacts(deps, ownChain)
      const isOver = await inTx((tx) =>
        runNextStep(deps, tx, ownChain, (at) => {
          step = at
          if (at.chain.id === ownChain.id) duePeriod = at.period
        }),
      )
      if (isOver) return undefined
    } catch (error) {
      const failure = await recordStop(deps, inTx, {
        error,
        step: step,
        ownChain: ownChain,
        duePeriod: duePeriod,
      })
      if (failure) return failure
    }
  }
}

/** Derives queued facts of the members, so that the steps do not calculate with facts of before a change. */
const rebuildQueuedFacts = (
  deps: CascadeDeps,
  { tenantId, groupId, billingPeriod }: OwnChain,
): Promise<void> =>
  rebuildMembers(deps, tenantId, {
    groupId,
    range: { from: periodStart(billingPeriod), to: floorHour(deps.clock.now()) },
  })

/**
 * Does one step, or the end, of the oldest open chain. Returns true when the own chain is not open any more.
 */
async function runNextStep(
  deps: CascadeDeps,
  tx: TenantTx,
  ownChain: OwnChain,
  onStep: (step: Step) => void,
): Promise<boolean> {
  await lockGroup(tx, ownChain.groupId)
  const first = await store.firstOpenChain(tx, ownChain.groupId)
  if (!first || (first.id !== ownChain.id && (await store.findChain(tx, ownChain.id)).state !== 'open'))
    return true
  const step = await nextStep(tx, first, deps.clock.now())
  if (!step) {
    await store.finish(tx, first, deps.clock.now())
    await refreshCorrectionAlarms(tx, ownChain.groupId, deps.clock.now())
    return first.id === ownChain.id
  }
  onStep(step)
  await correctPeriod(deps, tx, step)
  return false
}

/**
 * Returns the next step of a chain. The first step covers its period up to the last hour that is over; later
 * steps cover every later period with current runs, as far as these runs reach.
 */
async function nextStep(tx: TenantTx, chain: store.Chain, now: number): Promise<Step | undefined> {
  const last = chain.done_periods.at(-1)
  if (last === undefined) {
    return { chain, period: chain.billing_period, window: residentialWindow(chain.billing_period, now) }
  }
  const next = await store.nextCalculated(tx, chain.group_id, last)
  return next && { chain, period: next.billingPeriod, window: next.window }
}

async function correctPeriod({ clock, log }: CascadeDeps, tx: TenantTx, step: Step): Promise<void> {
  const { chain, period, window } = step
  const { run, warnings } = await calculatePeriod({ clock }, tx, {
    groupId: chain.group_id,
    billingPeriod: period,
    window,
    triggeredBy: 'correction_cascade',
    ...(chain.cause === 'stale' && { stage: 'automatic_correction' as const }),
    startedBy: chain.started_by,
    correction: {
      rootRunId: chain.root_run_id,
      reason: chain.reason,
      report: (err) =>
        log.error({ err, groupId: chain.group_id, period }, 'a monthly summary could not be computed'),
    },
  })
  assert(run, 'a correction always writes a run')
  await store.advance(tx, chain, {
    period,
    rootRunId: chain.root_run_id ?? run.id,
    warnings: [...skippedWarnings(chain, period), ...warnings].map((warning) => ({ ...warning, period })),
  })
}

/** Names the months between the previous step and this one that have no results, so the cascade skips them. */
function skippedWarnings({ done_periods }: store.Chain, period: BillingPeriod): Warning[] {
  const last = done_periods.at(-1)
  const warnings: Warning[] = []
  for (let skipped = last && nextPeriod(last); skipped && skipped < period; skipped = nextPeriod(skipped)) {
    warnings.push({
      code: 'CASCADE_SKIPPED_UNCALCULATED_PERIOD',
      subject: skipped,
      message: CORRECTION_TEXTS.CASCADE_SKIPPED_UNCALCULATED_PERIOD({ period: skipped }),
    })
  }
  return warnings
}

interface StepFailure {
  readonly error: unknown
  /** Undefined when the failure came before the step was known. */
  readonly step: Step | undefined
  readonly ownChain: OwnChain
  /** The next period of the own chain, as far as it is known. */
  readonly duePeriod: BillingPeriod
}

/**
 * Records where a chain stopped. Returns the failure when it ends this request; undefined when there is more
 * to do.
 */
async function recordStop(
  { clock, log }: CascadeDeps,
  inTx: InTx,
  { error, step, ownChain, duePeriod }: StepFailure,
): Promise<ChainFailure | undefined> {
  const reason = error instanceof AppError ? (error.content ?? error.message) : undefined
  const isOwn = step?.chain.id === ownChain.id
  // A refusal of the request is the caller's error and no failure of the service.
  if (step && isOwn && error instanceof AppError && step.chain.done_periods.length === 0) {
    await inTx((tx) => store.refuse(tx, step.chain.id, clock.now()))
    throw error
  }
  log.error(
    { err: error, groupId: ownChain.groupId, period: step?.period ?? duePeriod },
    'a correction stopped',
  )
  if (!step) return { period: duePeriod, reason }
  const { chain, period } = step
  try {
    const isStopped = await inTx(async (tx) => {
      const isRecorded = await store.stop(tx, { id: chain.id, period }, clock.now())
      await refreshCorrectionAlarms(tx, ownChain.groupId, clock.now())
      return isRecorded
    })
    // Another request has done this period meanwhile, or the chain is not the own one: continue.
    return isStopped && isOwn ? { period, reason } : undefined
  } catch (err) {
    // The chain stays open, and the same request resumes it.
    log.error({ err, groupId: ownChain.groupId, period }, 'the stop of a correction could not be recorded')
    return { period: isOwn ? period : duePeriod, reason }
  }
}
