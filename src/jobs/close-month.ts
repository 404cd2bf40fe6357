import {
  calculateDays,
  listActiveGroups,
  type TenantKey,
  withMonthlyCloseAlarm,
} from '../areas/netting/index.ts'
import { FACTS_BACKFILL_MS } from '../kernel/limits.ts'
import {
  addMonths,
  type BillingPeriod,
  DAY_MS,
  nextPeriod,
  periodEnd,
  periodOf,
  periodRange,
} from '../kernel/time.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { buildRange } from './build-hours.ts'
import { forEachPart } from './for-each-page.ts'
import { CLOSE_MONTHS_MAX } from './limits.ts'

/**
 * Closes the months that have ended since the last successful slot: on the first of a month the previous
 * one, on other days those that could not be closed then. The close is provisional: the nightly calculation
 * continues until the settlement is final.
 */
export async function closeMonths(deps: Deps, slot: number, circumstances: JobContext): Promise<void> {
  for (const period of endedPeriods(slot, circumstances)) await closeMonth(deps, period, circumstances)
}

/**
 * Returns the ended periods, oldest first; without an earlier successful slot only the month that ended
 * today.
 */
export function endedPeriods(slot: number, { after }: Pick<JobContext, 'after'>): BillingPeriod[] {
  const since = after ?? slot - DAY_MS
  const last = addMonths(periodOf(slot), -1)
  const periods: BillingPeriod[] = []
  for (let period = addMonths(last, 1 - CLOSE_MONTHS_MAX); period <= last; period = nextPeriod(period)) {
    if (periodEnd(period) > since) periods.push(period)
  }
  return periods
}

/**
 * Closes one month: builds the last facts, calculates the missing hours, the step of a residential month,
 * the summary and the alarms.
 */
async function closeMonth(deps: Deps, period: BillingPeriod, circumstances: JobContext): Promise<void> {
  const range = periodRange(period)
  await buildRange(deps, circumstances, { from: range.to - FACTS_BACKFILL_MS, to: range.to })
  const who = { stage: 'monthly_close', triggeredBy: 'beat', startedBy: null } as const
  await forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listActiveGroups(systemDb(deps.database.kysely), page),
    work: ({ tenantId, id: groupId }) =>
      withMonthlyCloseAlarm(deps, tenantId, { groupId, billingPeriod: period }, () =>
        calculateDays(deps, tenantId, { groupId, range, ...who }),
      ),
  })
}
