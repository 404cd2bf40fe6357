import { checkWindow, planWindows } from '../../../core/netting/window.ts'
import { found } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, floorHour, localDate, parseInstant, type Range } from '../../../kernel/time.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { withFailureAlarm } from '../alarms/index.ts'
import { findGroup } from './input-store.ts'
import {
  calculatePeriod,
  noActiveMembers,
  type PeriodOutcome,
  type PeriodRequest,
  refuseInactive,
} from './period.ts'
import type { CalculateBody } from './schema.ts'

type CalculateDeps = Pick<Deps, 'clock' | 'database' | 'log'>
type RunOrigin = Pick<PeriodRequest, 'triggeredBy' | 'startedBy' | 'stage'>
/** Runs a piece of work in a transaction of the tenant. */
type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface RangeRequest extends RunOrigin {
  readonly groupId: string
  /**
   * The requested range of any length. It is truncated to whole hours and ends with the current hour at the
   * latest.
   */
  readonly range: Range
}

/**
 * Calculates a group over a range of any length: one run and one transaction for each billing period, in time
 * order.
 */
export const calculateRange = (
  deps: CalculateDeps,
  tenantId: number,
  request: RangeRequest,
): Promise<PeriodOutcome[]> => {
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  return calculateWindows(deps, { tenantId, inTx }, request)
}

/**
 * Calculates in windows of one local day, each in its own transaction. Where a current run covers more than a
 * day, the window is widened to it and the next window begins after it. Hourly runs thus become daily runs,
 * and a day without a change is skipped.
 */
export async function calculateDays(
  deps: CalculateDeps,
  tenantId: number,
  { range, ...request }: RangeRequest,
): Promise<void> {
  let from = floorHour(range.from)
  const to = Math.min(floorHour(range.to), floorHour(deps.clock.now()))
  while (from < to) {
    const day = { from, to: Math.min(dayStart(localDate(from)) + DAY_MS, to) }
    const outcomes = await calculateRange(deps, tenantId, { ...request, range: day })
    from = Math.max(day.to, ...outcomes.map(({ window }) => window.to))
  }
}

async function calculateWindows(
  deps: CalculateDeps,
  { tenantId, inTx }: { readonly tenantId: number; readonly inTx: InTx },
  { groupId, range, triggeredBy, startedBy, stage }: RangeRequest,
): Promise<PeriodOutcome[]> {
  const outcomes: PeriodOutcome[] = []
  for (const { billingPeriod, window } of planWindows(range, deps.clock.now())) {
    const origin = { triggeredBy, startedBy, ...(stage && { stage }) }
    const request = { groupId, billingPeriod, window, ...origin }
    const activity = `the calculation of ${billingPeriod}`
    const failure = {
      policy: 'netting_calculation_failed',
      subject: { groupId, billingPeriod },
      what: activity,
    } as const
    outcomes.push(
      await withFailureAlarm(deps, tenantId, failure, () => inTx((tx) => calculatePeriod(deps, tx, request))),
    )
  }
  return outcomes
}

export interface CalculateRequest {
  readonly tenantId: number
  readonly userId: string
  readonly groupId: string
  readonly body: CalculateBody
  readonly inTx: InTx
}

/**
 * Handles POST calculate: checks that the group exists (404), then the rules of the window and the group,
 * then calculates the periods.
 */
export async function calculate(deps: Deps, { tenantId, userId, groupId, body, inTx }: CalculateRequest) {
  const group = found('group', await findGroup(tenantDb(deps.database.kysely, tenantId), groupId))
  const sent = { from: instantOf(body, 'from_hour'), to: instantOf(body, 'to_hour') }
  checkWindow(sent)
  refuseInactive(group)
  const outcomes = await calculateWindows(
    deps,
    { tenantId, inTx },
    {
      groupId,
      range: { from: floorHour(sent.from), to: floorHour(sent.to) },
      triggeredBy: 'manual',
      startedBy: userId,
    },
  )
  if (outcomes.length > 0 && outcomes.every(({ isWithoutMembers }) => isWithoutMembers)) {
    throw noActiveMembers(group.name)
  }
  return {
    runs: outcomes.flatMap(({ run }) => run ?? []),
    hours_calculated: outcomes.reduce((sum, { hours }) => sum + hours, 0),
    noop_periods: outcomes
      .filter(({ run, isWithoutMembers }) => !run && !isWithoutMembers)
      .map(({ billingPeriod }) => billingPeriod),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  }
}

/** Refuses an instant without a UTC offset as ambiguous, because a calculation writes movements of money. */
function instantOf(body: CalculateBody, field: keyof CalculateBody): number {
  const instant = parseInstant(body[field])
  if (!instant?.hasOffset) throw invalidInput(['body', field], 'must carry a UTC offset, such as Z or +03:00')
  return instant.at
}
