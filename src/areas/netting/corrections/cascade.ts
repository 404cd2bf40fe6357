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

export interface Cascade {
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
export async function correct(deps: CascadeDeps, inTx: InTx, wanted: store.NewChain): Promise<Cascade> {
  const { groupId, billingPeriod } = wanted
  const joined = await inTx(async (tx) => {
    refuseInactive(found('group', await lockGroup(tx, groupId)))
    const unfinished = await store.findUnfinished(tx, wanted)
    if (unfinished?.state === 'stopped') await store.reopen(tx, unfinished.id)
    const id = unfinished?.id ?? (await store.openChain(tx, wanted, deps.clock.now()))
    return { id, groupId, billingPeriod, before: unfinished?.done_periods ?? [] }
  })
  return follow(deps, inTx, joined)
}

/** Brings a chain that was opened to its end, as `correct` does. */
export async function follow(deps: CascadeDeps, inTx: InTx, own: Own): Promise<Cascade> {
  const failure = await drive(deps, inTx, own)
  return inTx(async (tx) => {
    const chain = await store.findChain(tx, own.id)
    const isRefused = chain.state === 'refused'
    const failedPeriod =
      failure?.period ?? chain.failed_period ?? (isRefused ? chain.billing_period : undefined)
    const since = chain.warnings.filter(({ period }) => !own.before.includes(period))
    return {
      runs: await store.listChainRuns(tx, chain, own.before),
      failedPeriod,
      warnings: [
        ...ageWarnings(own.billingPeriod, deps.clock.now()),
        ...since,
        ...(failedPeriod ? [stopWarning(failedPeriod, failure?.why)] : []),
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

const stopWarning = (period: BillingPeriod, why = 'it could not be calculated'): Warning => ({
  code: 'CASCADE_STOPPED',
  subject: period,
  text: `the correction stopped at ${period}: ${why}; the same request goes on from there`,
})

/** The chain of a request. */
export interface Own {
  readonly id: string
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Periods done by an earlier attempt, in time order. */
  readonly before: readonly BillingPeriod[]
}

/** The step that a transaction is at. */
interface Place {
  readonly chain: store.Chain
  readonly period: BillingPeriod
  readonly window: Range
}

interface Failure {
  readonly period: BillingPeriod
  readonly why: string | undefined
}

/** Does steps of the group's chains until the own one is not open any more; a failure of the own one is answered. */
async function drive(deps: CascadeDeps, inTx: InTx, own: Own): Promise<Failure | undefined> {
  const last = own.before.at(-1)
  let due = last === undefined ? own.billingPeriod : nextPeriod(last)
  for (;;) {
    let place: Place | undefined
    try {
      const isOver = await inTx((tx) =>
        step(deps, tx, own, (at) => {
          place = at
          if (at.chain.id === own.id) due = at.period
        }),
      )
      if (isOver) return undefined
    } catch (error) {
      const failure = await stopAt(deps, inTx, { error, place, own, due })
      if (failure) return failure
    }
  }
}

/** One period, or the end, of the chain whose turn it is; true when the own one is not open any more. */
async function step(
  deps: CascadeDeps,
  tx: TenantTx,
  own: Own,
  announce: (place: Place) => void,
): Promise<boolean> {
  await lockGroup(tx, own.groupId)
  const first = await store.firstOpenChain(tx, own.groupId)
  if (!first || (first.id !== own.id && (await store.findChain(tx, own.id)).state !== 'open')) return true
  const place = await nextPlace(tx, first, deps.clock.now())
  if (!place) {
    await store.finish(tx, first, deps.clock.now())
    await refreshCorrectionAlarms(tx, own.groupId, deps.clock.now())
    return first.id === own.id
  }
  announce(place)
  await correctPeriod(deps, tx, place)
  return false
}

/**
 * What a chain does next: its period from the first hour to the last that is over, then every later period with current
 * runs, as far as these reach.
 */
async function nextPlace(tx: TenantTx, chain: store.Chain, now: number): Promise<Place | undefined> {
  const last = chain.done_periods.at(-1)
  if (last === undefined) {
    return { chain, period: chain.billing_period, window: residentialWindow(chain.billing_period, now) }
  }
  const next = await store.nextCalculated(tx, chain.group_id, last)
  return next && { chain, period: next.billingPeriod, window: next.window }
}

async function correctPeriod({ clock, log }: CascadeDeps, tx: TenantTx, place: Place): Promise<void> {
  const { chain, period, window } = place
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

interface Stop {
  readonly error: unknown
  /** Undefined when the step was not even found. */
  readonly place: Place | undefined
  readonly own: Own
  /** The period of the own chain that was next, as far as is known. */
  readonly due: BillingPeriod
}

/** Notes where a chain has stopped. Answers the failure when it ends this request; undefined: there is more to do. */
async function stopAt(
  { clock, log }: CascadeDeps,
  inTx: InTx,
  { error, place, own, due }: Stop,
): Promise<Failure | undefined> {
  const why = error instanceof AppError ? error.message : undefined
  const isOwn = place?.chain.id === own.id
  log.error({ err: error, groupId: own.groupId, period: place?.period ?? due }, 'a correction stopped')
  if (!place) return { period: due, why }
  const { chain, period } = place
  if (isOwn && error instanceof AppError && chain.done_periods.length === 0) {
    await inTx((tx) => store.refuse(tx, chain.id, clock.now()))
    throw error
  }
  try {
    const isStopped = await inTx(async (tx) => {
      const isNoted = await store.stop(tx, { id: chain.id, period }, clock.now())
      await refreshCorrectionAlarms(tx, own.groupId, clock.now())
      return isNoted
    })
    // Somebody else has done this period meanwhile, or the chain belongs to another request: go on.
    return isStopped && isOwn ? { period, why } : undefined
  } catch (err) {
    // The chain stays open, and the same request takes it up just as well.
    log.error({ err, groupId: own.groupId, period }, 'where a correction stopped could not be noted')
    return { period: isOwn ? period : due, why }
  }
}
