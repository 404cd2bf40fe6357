import { calculateDays, listActiveGroups, type TenantKey } from '../areas/netting/index.ts'
import { addMonths, localDate, periodOf, periodStart } from '../kernel/time.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart } from './for-each-page.ts'
import { SETTLEMENT_FINAL_DAY } from './limits.ts'

/**
 * The nightly calculation: the month so far, and the one before until its settlement is final. Late facts,
 * prices that were approved and limits that were adjusted since find their way into the figures here.
 */
export function calculatePeriods(deps: Deps, slot: number, circumstances: JobContext): Promise<void> {
  const period = periodOf(slot)
  const isOpen = Number(localDate(slot).slice(8)) <= SETTLEMENT_FINAL_DAY
  const range = { from: periodStart(isOpen ? addMonths(period, -1) : period), to: slot }
  const who = { stage: 'daily_backfill', triggeredBy: 'beat', startedBy: null } as const
  return forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listActiveGroups(systemDb(deps.database.kysely), page),
    work: ({ tenantId, id: groupId }) => calculateDays(deps, tenantId, { groupId, range, ...who }),
  })
}
