/**
 * The calculation of the months of a tenant in order of time, after an import of history (ADR 0066).
 *
 * A calculation is a record with one step for each month and group. A step builds the hourly energy of the
 * members of the group in that month, then calculates the month. Steps are done in the order of their months,
 * because the balances of limits depend on the months before, also across groups.
 *
 * Crashes. A step is finished after its work, in a statement of its own. Its work is idempotent (an unchanged
 * input writes nothing), so a process that was killed leaves a step that the next one repeats. For the same
 * reason the scheduled job and the command line may process one calculation at the same time: no lease is needed.
 *
 * Failures. A month that cannot be calculated is recorded with its error, and the later months of its group are
 * skipped, because their balances would be wrong. Other groups continue. When the database is unreachable the
 * step stays open.
 */
import { AppError, conflict, unprocessable } from '../../../kernel/errors.ts'
import { addMonths, type BillingPeriod, periodOf, periodRange } from '../../../kernel/time.ts'
import { isTransient } from '../../../platform/db/errors.ts'
import { inTenantTx, systemDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { calculateRange } from '../calculation/index.ts'
import { buildFacts } from '../hourly-energy/index.ts'
import type { ComputationRun } from '../shared/index.ts'
import * as store from './calculation-store.ts'
import {
  HISTORY_CALCULATIONS_KEPT_MAX,
  HISTORY_CALCULATIONS_OPEN_MAX,
  HISTORY_MONTHS_MAX,
  HISTORY_STEPS_MAX,
} from './limits.ts'
import { HISTORY_CALCULATION_TEXTS as TEXTS } from './messages.ts'

type CalculationDeps = Pick<Deps, 'database' | 'clock' | 'log'>

export interface CalculationRequest {
  readonly userId: string | null
  /** Epoch milliseconds. */
  readonly at: number
  /** Default: the month of the first membership. */
  readonly from?: BillingPeriod | undefined
  /** Default: the current month. */
  readonly to?: BillingPeriod | undefined
}

/** Records a calculation of months, which a process with the role `jobs` then executes. Returns its id. */
export async function enqueueCalculation(tx: TenantTx, request: CalculationRequest): Promise<string> {
  const present = periodOf(request.at)
  const first = await store.firstMemberDay(tx)
  const to = request.to ?? present
  const from = request.from ?? (first === undefined ? to : (`${first.slice(0, 7)}-01` as BillingPeriod))
  if (from > to || to > present || from < addMonths(to, 1 - HISTORY_MONTHS_MAX)) {
    const text = TEXTS.HISTORY_RANGE_INVALID({ from, to, months: HISTORY_MONTHS_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'from' })
  }
  const steps = await store.planSteps(tx, { from, to })
  if (steps.length === 0) throw unprocessable('NO_ACTIVE_MEMBERS', TEXTS.HISTORY_NO_MONTHS({ from, to }))
  if (steps.length > HISTORY_STEPS_MAX) {
    const text = TEXTS.HISTORY_TOO_MANY_STEPS({ steps: steps.length, max: HISTORY_STEPS_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'from' })
  }
  const count = await store.countOpen(tx)
  if (count >= HISTORY_CALCULATIONS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.HISTORY_CALCULATIONS_OPEN({ count }))
  await store.deleteOldest(tx, HISTORY_CALCULATIONS_KEPT_MAX - 1)
  return store.insertCalculation(tx, { from, to, requestedBy: request.userId, at: request.at, steps })
}

/** Records the calculation of the months of an import; null when no member of a group has a month up to the present. */
export async function enqueueImported(tx: TenantTx, request: CalculationRequest): Promise<string | null> {
  const first = await store.firstMemberDay(tx)
  if (first === undefined || first.slice(0, 7) > periodOf(request.at).slice(0, 7)) return null
  return enqueueCalculation(tx, request)
}

export interface DoneStep extends store.PlannedStep, store.StepOutcome {}

/** Does the next step of a calculation. Undefined when there is none; then the calculation is finished. */
export async function doNextStep(
  deps: CalculationDeps,
  { tenantId, id }: store.CalculationKey,
): Promise<DoneStep | undefined> {
  const { kysely } = deps.database
  const tenant = tenantDb(kysely, tenantId)
  const step = await store.nextStep(tenant, id)
  if (!step) {
    await inTenantTx(kysely, tenantId, (tx) => store.finishCalculation(tx, id, deps.clock.now()))
    return undefined
  }
  const { requested_by: startedBy = null } = (await store.findCalculation(tenant, id)) ?? {}
  const outcome = await calculateStep(deps, { tenantId, startedBy, step })
  await inTenantTx(kysely, tenantId, async (tx) => {
    const at = deps.clock.now()
    await store.finishStep(tx, { id, ...step }, { ...outcome, at })
    if (outcome.state !== 'failed') return
    const content = TEXTS.HISTORY_EARLIER_MONTH_FAILED()
    const skipped = { state: 'skipped', errorCode: content.code, errorMessage: content } as const
    await store.skipGroup(tx, { id, groupId: step.groupId }, { ...skipped, at })
  })
  return { ...step, ...outcome }
}

interface StepWork {
  readonly tenantId: number
  readonly startedBy: string | null
  readonly step: store.PlannedStep
}

async function calculateStep(
  deps: CalculationDeps,
  { tenantId, startedBy, step }: StepWork,
): Promise<store.StepOutcome> {
  const { groupId, billingPeriod } = step
  const range = periodRange(billingPeriod)
  try {
    const facilityIds = await store.memberFacilities(tenantDb(deps.database.kysely, tenantId), step)
    await buildFacts(deps, tenantId, { facilityIds, range })
    const request = { groupId, range, triggeredBy: 'manual', startedBy } as const
    const outcomes = await calculateRange(deps, tenantId, request)
    const hours = outcomes.reduce((sum, outcome) => sum + outcome.hours, 0)
    return { state: outcomes.some(({ run }) => run) ? 'calculated' : 'unchanged', hours }
  } catch (error) {
    if (isTransient(error)) throw error
    if (error instanceof AppError)
      return { state: 'failed', errorCode: error.code, errorMessage: error.content }
    deps.log.error({ err: error, tenantId, groupId, billingPeriod }, 'a month of history was not calculated')
    return { state: 'failed', errorCode: 'INTERNAL_ERROR', errorMessage: TEXTS.HISTORY_MONTH_FAILED() }
  }
}

/** The number of calculations that one slot of the job reads at once. */
const CALCULATIONS_AT_ONCE = 20

/** Finishes the open calculations of all tenants, or of the one that has asked for it, oldest first. */
export async function continueCalculations(
  deps: CalculationDeps,
  { signal, tenantId }: ComputationRun,
): Promise<void> {
  for (;;) {
    const query = { limit: CALCULATIONS_AT_ONCE, tenantId }
    const open = await store.listOpen(systemDb(deps.database.kysely), query)
    if (open.length === 0) return
    for (const calculation of open) {
      do signal.throwIfAborted()
      while (await doNextStep(deps, calculation))
    }
  }
}
