import { isDeepStrictEqual } from 'node:util'
import { evaluate } from '../../../core/netting/eligibility/evaluate.ts'
import type { EligibilityStatus } from '../../../core/netting/types.ts'
import { type BillingPeriod, DAY_MS, dayStart, periodEnd } from '../../../kernel/time.ts'
import type { Reason } from '../../../platform/db/reason-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { type KnownInput, loadInput } from './input.ts'
import * as evaluations from './log-store.ts'
import { resultOf, ruleRow } from './rule-rows.ts'
import * as store from './store.ts'

/** The eligibility with which a period is calculated. */
export interface PeriodEligibility {
  readonly status: EligibilityStatus
  /** The logged evaluation with this result; null when there is none yet. */
  readonly evaluationId: string | null
  /** The evaluation of a period that is over, made now; undefined for the period that runs. */
  readonly evaluation: PeriodEvaluation | undefined
}

interface PeriodEvaluation {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly rules: readonly evaluations.RuleRow[]
  readonly keptFrom: string | null
}

interface PeriodOfGroup {
  readonly group: store.EvaluatedGroup
  readonly billingPeriod: BillingPeriod
  readonly now: number
  readonly known: KnownInput
}

/**
 * Returns the eligibility of a group in a period; nothing is written. The period that runs has the result of
 * its last evaluation. A period that is over is evaluated as of its last day with a member, with the data as
 * they are recorded now; the rules about acts of persons keep their result at the end of the period, or that
 * of a later evaluation of the period by a superuser. A period without members has nothing to evaluate.
 */
export async function eligibilityOf(
  db: TenantDb,
  { group, billingPeriod, now, known }: PeriodOfGroup,
): Promise<PeriodEligibility> {
  const groupId = group.id
  const end = periodEnd(billingPeriod)
  const running = await evaluations.runningEvaluation(db, groupId, end)
  const inForce = { ...running, evaluation: undefined }
  if (now < end) return inForce
  const requested = await evaluations.findPeriodEvaluation(db, { groupId, billingPeriod, isRequested: true })
  const earlier =
    requested ??
    (running.evaluationId === null ? undefined : await evaluations.findEvaluation(db, running.evaluationId))
  const evaluated = await evaluatePeriod(db, { group, billingPeriod, earlier, known })
  if (!evaluated) return inForce
  const { status, evaluation } = evaluated
  const last = await evaluations.findPeriodEvaluation(db, { groupId, billingPeriod })
  const isSame =
    last?.eligibility_status === status &&
    isDeepStrictEqual(last.rules, JSON.parse(JSON.stringify(evaluation.rules)))
  return { status, evaluation, evaluationId: last && isSame ? last.id : null }
}

interface PeriodToEvaluate {
  readonly group: store.EvaluatedGroup
  readonly billingPeriod: BillingPeriod
  /** The evaluation whose results the rules about acts of persons keep; undefined: they are evaluated too. */
  readonly earlier: evaluations.LoggedEvaluation | undefined
  readonly known?: KnownInput
}

/** Evaluates a period that is over. Undefined when the group had no member in it. */
export async function evaluatePeriod(
  db: TenantDb,
  { group, billingPeriod, earlier, known }: PeriodToEvaluate,
): Promise<{ status: EligibilityStatus; evaluation: PeriodEvaluation } | undefined> {
  const groupId = group.id
  const day = await store.lastMemberDay(db, groupId, billingPeriod)
  if (day === undefined) return undefined
  const instant = { at: dayStart(day) + DAY_MS - 1, isPeriodOver: true }
  const input = await loadInput(db, group, { ...instant, ...(known && { known }) })
  const { status, results } = evaluate(input, earlier?.rules.map(resultOf))
  const rules = results.map(ruleRow)
  return { status, evaluation: { groupId, billingPeriod, rules, keptFrom: earlier?.id ?? null } }
}

export interface EvaluationOrigin {
  /** Undefined for a calculation that is no step of a correction. */
  readonly correctionReason: Reason | undefined
  readonly by: string | null
  readonly at: number
}

/**
 * Logs the evaluation with which a period was calculated and returns its id. An evaluation with the result of
 * the last one is logged by corrections only. The caller holds the lock on the group.
 */
export async function logEligibility(
  tx: TenantTx,
  { status, evaluationId, evaluation }: PeriodEligibility,
  { correctionReason, by, at }: EvaluationOrigin,
): Promise<string | null> {
  const isCorrection = correctionReason !== undefined
  if (!evaluation || (evaluationId !== null && !isCorrection)) return evaluationId
  const triggeredBy = isCorrection ? 'correction' : 'calculation'
  return evaluations.appendEvaluation(tx, {
    ...evaluation,
    status,
    triggeredBy,
    reason: correctionReason ?? null,
    by,
    at,
  })
}
