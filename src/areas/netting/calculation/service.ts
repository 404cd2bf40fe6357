import assert from 'node:assert/strict'
import { checkWindow, planWindows } from '../../../core/netting/window.ts'
import { found, unprocessable } from '../../../kernel/errors.ts'
import { FIRST_BILLING_PERIOD } from '../../../kernel/limits.ts'
import {
  type BillingPeriod,
  DAY_MS,
  dayStart,
  floorHour,
  localDate,
  parseInstant,
  parsePeriod,
  periodRange,
  periodStart,
  type Range,
} from '../../../kernel/time.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ALARM_TEXTS, withFailureAlarm } from '../alarms/index.ts'
import { rebuildMembers } from '../hourly-energy/index.ts'
import { findGroup } from './input-store.ts'
import { CALCULATION_TEXTS } from './messages.ts'
import { calculatePeriod, type PeriodOutcome } from './period.ts'
import type { PeriodRequest } from './period-request.ts'
import { noActiveMembers, refuseInactive } from './refusals.ts'
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
    await rebuildMembers(deps, tenantId, { groupId, range: periodRange(billingPeriod) })
    const origin = { triggeredBy, startedBy, ...(stage && { stage }) }
    const request = { groupId, billingPeriod, window, ...origin }
    const failure = {
      policy: 'netting_calculation_failed',
      subject: { groupId, billingPeriod },
      what: ALARM_TEXTS.FAILURE_OF_CALCULATION({ period: billingPeriod }),
    } as const
    outcomes.push(
      await withFailureAlarm(deps, tenantId, failure, () => inTx((tx) => calculatePeriod(deps, tx, request))),
    )
  }
  return outcomes
}

export interface CalculateRequest {
  readonly tenantId: number
  /** Null for a user who was deleted after a bulk request. */
  readonly userId: string | null
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
  const range = rangeOf(body, deps.clock.now())
  refuseInactive(group)
  const outcomes = await calculateWindows(
    deps,
    { tenantId, inTx },
    {
      groupId,
      range,
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

/** The requested hours: a window, or a month up to the current hour. 422 for both, for half a window and for none. */
function rangeOf(body: CalculateBody, now: number): Range {
  const { from_hour, to_hour, billing_period } = body
  const isWindow = from_hour !== undefined && to_hour !== undefined
  if ((from_hour !== undefined || to_hour !== undefined) === (billing_period !== undefined)) {
    throw invalidInput(['body'], 'must contain either from_hour and to_hour, or billing_period')
  }
  if (billing_period !== undefined) {
    const period = parsePeriod(billing_period)
    assert(period, 'the schema lets only periods in')
    refusePeriod(period, now)
    return periodRange(period)
  }
  if (!isWindow) {
    throw invalidInput(
      ['body', from_hour === undefined ? 'from_hour' : 'to_hour'],
      'is required with the other end',
    )
  }
  const sent = { from: instantOf(from_hour, 'from_hour'), to: instantOf(to_hour, 'to_hour') }
  checkWindow(sent)
  return { from: floorHour(sent.from), to: floorHour(sent.to) }
}

/** Refuses an instant without a UTC offset as ambiguous, because a calculation writes movements of money. */
function instantOf(text: string, field: 'from_hour' | 'to_hour'): number {
  const instant = parseInstant(text)
  if (!instant?.hasOffset) throw invalidInput(['body', field], 'must carry a UTC offset, such as Z or +03:00')
  return instant.at
}

/**
 * Refuses a period without a whole hour in the past, which has nothing to calculate, and a period before the
 * first one.
 */
export function refusePeriod(billingPeriod: BillingPeriod, now: number): void {
  const field = { field: 'billing_period' }
  if (periodStart(billingPeriod) >= floorHour(now)) {
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      CALCULATION_TEXTS.CORRECTION_PERIOD_NOT_STARTED({ period: billingPeriod }),
      field,
    )
  }
  if (billingPeriod < FIRST_BILLING_PERIOD) {
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      CALCULATION_TEXTS.CORRECTION_PERIOD_TOO_EARLY({ first_period: FIRST_BILLING_PERIOD }),
      field,
    )
  }
}
