import { evaluate } from '../../../core/netting/eligibility/evaluate.ts'
import { r00t } from '../../../core/netting/eligibility/r00t.ts'
import { AppError, found, unprocessable } from '../../../kernel/errors.ts'
import { FIRST_BILLING_PERIOD } from '../../../kernel/limits.ts'
import type { Message } from '../../../kernel/messages.ts'
import { type BillingPeriod, parsePeriod, periodEnd } from '../../../kernel/time.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Listed } from '../../../platform/http/page.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyNettingAlarms, evaluationAlarms, tariffAlarm } from '../alarms/index.ts'
import { REEVALUATION_BATCH } from '../limits.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import { loadInput } from './input.ts'
import * as evaluations from './log-store.ts'
import { evaluatePeriod } from './period.ts'
import { type EvaluationView, ruleRow } from './rule-rows.ts'
import type { Eligibility, EvaluationQuery, PeriodEvaluationBody } from './schema.ts'
import * as store from './store.ts'

interface Evaluator {
  /** The user who requested the evaluation; null when the service started it. */
  readonly by: string | null
  readonly clock: Clock
  readonly triggeredBy: 'schedule' | 'request' | 'tariff_approval'
}

/**
 * Evaluates all rules on a group, appends the results to the log and sets the group's status. 404 for an
 * unknown group.
 */
export async function evaluateGroup(tx: TenantTx, groupId: string, { by, clock, triggeredBy }: Evaluator) {
  const group = found('group', await store.lockGroup(tx, groupId))
  // The clock is read after the lock is acquired, so that the log is in order of time.
  const at = clock.now()
  const { status, results } = evaluate(await loadInput(tx, group, { at, isPeriodOver: false }))
  const rules = results.map(ruleRow)
  const evaluation = { groupId: group.id, status, rules, triggeredBy, by, at }
  const id = await evaluations.appendCurrent(tx, evaluation)
  await applyNettingAlarms(tx, evaluationAlarms({ groupId: group.id, status, results }), at)
  return written(evaluation, id)
}

const written = (evaluation: evaluations.NewEvaluation, id: string): EvaluationView =>
  eligibilityView({
    id,
    group_id: evaluation.groupId,
    eligibility_status: evaluation.status,
    evaluated_at: new Date(evaluation.at),
    rules: evaluation.rules,
    billing_period: evaluation.billingPeriod ?? null,
    triggered_by: evaluation.triggeredBy,
    reason: evaluation.reason ?? null,
    kept_from: evaluation.keptFrom ?? null,
  })

const eligibilityView = ({ id, kept_from, rules, ...rest }: evaluations.EligibilityRow): EvaluationView => ({
  eligibility_run_id: id,
  ...rest,
  kept_from_run_id: kept_from,
  rules: [...(rules ?? [])],
})

/**
 * Evaluates all rules for a period that is over, with the acts of persons that are recorded now, and logs the
 * result. 404 for an unknown group; 422 for a period that is not over, and for one without a member.
 */
export async function evaluatePeriodOnRequest(
  tx: TenantTx,
  groupId: string,
  { billing_period, reason }: PeriodEvaluationBody,
  { by, clock }: Omit<Evaluator, 'triggeredBy'>,
): Promise<EvaluationView> {
  const group = found('group', await store.lockGroup(tx, groupId))
  const at = clock.now()
  const billingPeriod = parsePeriod(billing_period) ?? billing_period
  const refuse = (message: Message) =>
    unprocessable('BUSINESS_RULE_VIOLATION', message, { field: 'billing_period' })
  if (billingPeriod < FIRST_BILLING_PERIOD) {
    throw refuse(NETTING_ERRORS.PERIOD_TOO_EARLY({ first: FIRST_BILLING_PERIOD }))
  }
  if (periodEnd(billingPeriod) > at) throw refuse(NETTING_ERRORS.PERIOD_NOT_OVER({ period: billingPeriod }))
  const evaluated = await evaluatePeriod(tx, { group, billingPeriod, earlier: undefined })
  if (!evaluated) throw refuse(NETTING_ERRORS.PERIOD_WITHOUT_MEMBERS({ period: billingPeriod }))
  const { status, evaluation } = evaluated
  const logged = { ...evaluation, status, triggeredBy: 'period_request', reason, by, at } as const
  const id = await evaluations.appendEvaluation(tx, logged)
  return { ...written(logged, id), ...(await correctionRequired(tx, { groupId, billingPeriod, status })) }
}

async function correctionRequired(
  tenant: TenantDb,
  { groupId, billingPeriod, status }: { groupId: string; billingPeriod: BillingPeriod; status: string },
): Promise<Pick<Eligibility, 'correction_required'>> {
  const isBlocked = status === 'blocked'
  return {
    correction_required: await evaluations.hasRunsOf(tenant, {
      groupId,
      billingPeriod,
      isBlocked: !isBlocked,
    }),
  }
}

/**
 * Opens or closes the alarm on missing approved prices of a group's consumers in the month of an instant.
 * Rule R00T blocks such a group only at its next evaluation; this alarm reports it in the morning before.
 */
export async function scanTariffs(tx: TenantTx, groupId: string, at: number): Promise<void> {
  const group = await store.lockGroup(tx, groupId)
  if (!group) return
  const { status, message, details } = r00t.check(await loadInput(tx, group, { at, isPeriodOver: false }))
  await applyNettingAlarms(tx, [tariffAlarm(groupId, { isMissing: status === 'fail', message, details })], at)
}

/**
 * Returns the latest evaluation of the present or of a period; before the first one the status of the group
 * without rules.
 */
export async function readEligibility(
  tenant: TenantDb,
  groupId: string,
  period: string | undefined,
): Promise<EvaluationView> {
  const billingPeriod = period === undefined ? undefined : (parsePeriod(period) ?? period)
  const row = found('group', await evaluations.findEligibility(tenant, groupId, billingPeriod))
  const { eligibility_status: status } = row
  return {
    ...eligibilityView(row),
    ...(billingPeriod !== undefined &&
      (await correctionRequired(tenant, { groupId, billingPeriod, status }))),
  }
}

export async function listEvaluations(
  tenant: TenantDb,
  groupId: string,
  query: EvaluationQuery,
): Promise<Listed<EvaluationView>> {
  found('group', await store.findGroup(tenant, groupId))
  const { items, total } = await evaluations.listEvaluations(tenant, groupId, {
    ...query,
    billing_period: query.billing_period === undefined ? undefined : parsePeriod(query.billing_period),
  })
  return { items: items.map(eligibilityView), total }
}

/**
 * Evaluates the groups of all tenants that R00T blocks. It runs after the approval of a tariff, one
 * transaction for each group. A group whose evaluation fails is logged and waits for its next evaluation.
 */
export async function reevaluateBlockedByTariff({ database, clock, log }: Deps): Promise<void> {
  const { kysely } = database
  const evaluator = { by: null, clock, triggeredBy: 'tariff_approval' } as const
  let after: evaluations.GroupKey | undefined
  do {
    const batch: evaluations.GroupKey[] = await evaluations.listBlockedBy(systemDb(kysely), 'R00T', {
      after,
      limit: REEVALUATION_BATCH,
    })
    for (const { tenantId, groupId } of batch) {
      try {
        await inTenantTx(kysely, tenantId, (tx) => evaluateGroup(tx, groupId, evaluator))
      } catch (error) {
        if (error instanceof AppError) continue
        log.error({ err: error, tenantId, groupId }, 'a group could not be evaluated after an approval')
      }
    }
    after = batch.length < REEVALUATION_BATCH ? undefined : batch.at(-1)
  } while (after)
}
