import assert from 'node:assert/strict'
import { residentialWindow } from '../../../core/netting/window.ts'
import { AppError, found } from '../../../kernel/errors.ts'
import { addMonths, type BillingPeriod, nextPeriod, periodOf, type Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { refreshCorrectionAlarms } from '../alarms/index.ts'
import { calculatePeriod, lockGroup, type Run, refuseInactive } from '../calculation/index.ts'
import { CORRECTION_AGE_WARNING_MONTHS } from '../limits.ts'
import * as store from './store.ts'

type CascadeDeps = Pick<Deps, 'clock' | 'log'>
/** Runs a piece of work in a transaction of the tenant. */
export type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface CascadeResult {
  /** Made since this request came: by it, or by another that did a step on its behalf. */
  readonly runs: readonly Run[]
  /** Where it stopped; undefined when it is complete. */
  readonly failedPeriod: BillingPeriod | undefined
  readonly warnings: readonly Warning[]
}

/**
 * Corrects a period and every later one that has been calculated, in time order and across years: one transaction for
 * each. An unfinished chain of the same request is taken up where it stands. Chains of one group come one after the
 * other, in the order in which they were opened: whoever waits does the next step of the chain whose turn it is. So a
 * chain whose process has died is brought to its end by the next request, and nothing has to expire first.
 * A refusal (404, 409, 422) before anything was done is thrown; a later one, or any other failure, stops the chain.
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
    return { id, groupId, billingPeriod, donePeriods: unfinished?.done_periods ?? [] }
  })
  return completeChain(deps, inTx, joined)
}

/** Brings a chain that was opened to its end, as `correct` does. */
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

/** DUY 133/5 bounds how far back a settlement is corrected: more than 12 full months between it and this month. */
const ageWarnings = (billingPeriod: BillingPeriod, now: number): Warning[] =>
  billingPeriod >= addMonths(periodOf(now), -CORRECTION_AGE_WARNING_MONTHS)
    ? []
    : [
        {
          code: 'DUY_133_5_PERIOD_TOO_OLD',
          subject: billingPeriod,
          text: `${billingPeriod} lies more than 12 months back; it was corrected, but may no longer be settled`,
        },
      ]

const stopWarning = (period: BillingPeriod, reason = 'it could not be calculated'): Warning => ({
  code: 'CASCADE_STOPPED',
  subject: period,
  text: `the correction stopped at ${period}: ${reason}; the same request goes on from there`,
})

/** The chain of a request. */
export interface OwnChain {
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Periods done by an earlier attempt, in time order. */
  readonly donePeriods: readonly BillingPeriod[]
}

/** The step that a transaction is at. */
interface Step {
  readonly chain: store.Chain
  readonly period: BillingPeriod
  readonly window: Range
}

interface ChainFailure {
  readonly period: BillingPeriod
  readonly reason: string | undefined
}

/** Does steps of the group's chains until the own one is not open any more; a failure of the own one is answered. */
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

/** One period, or the end, of the chain whose turn it is; true when the own one is not open any more. */
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
 * What a chain does next: its period from the first hour to the last that is over, then every later period with current
 * runs, as far as these reach.
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
    startedBy: chain.started_by,
    correction: {
      rootRunId: chain.root_run_id,
      reason: chain.reason,
      report: (err) =>
        log.error({ err, groupId: chain.group_id, period }, 'a monthly summary could not be made'),
    },
  })
  assert(run, 'a correction is always written')
  await store.advance(tx, chain, {
    period,
    rootRunId: chain.root_run_id ?? run.id,
    warnings: warnings.map((warning) => ({ ...warning, period })),
  })
}

interface StepFailure {
  readonly error: unknown
  /** Undefined when the step was not even found. */
  readonly step: Step | undefined
  readonly ownChain: OwnChain
  /** The period of the own chain that was next, as far as is known. */
  readonly duePeriod: BillingPeriod
}

/** Notes where a chain has stopped. Answers the failure when it ends this request; undefined: there is more to do. */
async function recordStop(
  { clock, log }: CascadeDeps,
  inTx: InTx,
  { error, step, ownChain, duePeriod }: StepFailure,
): Promise<ChainFailure | undefined> {
  const reason = error instanceof AppError ? error.message : undefined
  const isOwn = step?.chain.id === ownChain.id
  log.error(
    { err: error, groupId: ownChain.groupId, period: step?.period ?? duePeriod },
    'a correction stopped',
  )
  if (!step) return { period: duePeriod, reason }
  const { chain, period } = step
  if (isOwn && error instanceof AppError && chain.done_periods.length === 0) {
    await inTx((tx) => store.refuse(tx, chain.id, clock.now()))
    throw error
  }
  try {
    const isStopped = await inTx(async (tx) => {
      const isRecorded = await store.stop(tx, { id: chain.id, period }, clock.now())
      await refreshCorrectionAlarms(tx, ownChain.groupId, clock.now())
      return isRecorded
    })
    // Somebody else has done this period meanwhile, or the chain belongs to another request: go on.
    return isStopped && isOwn ? { period, reason } : undefined
  } catch (err) {
    // The chain stays open, and the same request takes it up just as well.
    log.error({ err, groupId: ownChain.groupId, period }, 'where a correction stopped could not be noted')
    return { period: isOwn ? period : duePeriod, reason }
  }
}
