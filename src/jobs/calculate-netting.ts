import {
  calculateDays,
  calculateRange,
  listActiveGroups,
  type Stage,
  type TenantKey,
} from '../areas/netting/index.ts'
import { addMonths, localDate, periodOf, periodStart, type Range } from '../kernel/time.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { buildRange } from './build-hours.ts'
import { forEachPart, hoursDue } from './for-each-page.ts'
import { SETTLEMENT_FINAL_DAY } from './limits.ts'

interface Calculation {
  readonly range: Range
  readonly stage: Stage
}

const calculateGroups = (deps: Deps, circumstances: JobContext, { range, stage }: Calculation) =>
  forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listActiveGroups(systemDb(deps.database.kysely), page),
    work: ({ tenantId, id: groupId }) =>
      calculateRange(deps, tenantId, { groupId, range, stage, triggeredBy: 'beat', startedBy: null }),
  })

/** Calculates the previous hour provisionally, from the available facts. */
export const calculatePreliminary = (deps: Deps, slot: number, circumstances: JobContext): Promise<void> =>
  calculateGroups(deps, circumstances, { range: hoursDue(slot, circumstances), stage: 'preliminary' })

/** Calculates the hour again, after its facts were rebuilt with the samples of the last half hour. */
export async function calculateCorrected(deps: Deps, slot: number, circumstances: JobContext): Promise<void> {
  const range = hoursDue(slot, circumstances)
  await buildRange(deps, circumstances, range)
  await calculateGroups(deps, circumstances, { range, stage: 'corrected' })
}

/**
 * Calculates the month to date, and the previous month until its settlement is final. This includes late
 * facts, approved prices and adjusted limits in the results.
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
