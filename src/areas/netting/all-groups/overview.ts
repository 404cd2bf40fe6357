import assert from 'node:assert/strict'
import { warningsOfMonth } from '../../../core/netting/month-warnings.ts'
import type { Language } from '../../../kernel/messages.ts'
import { parsePeriod } from '../../../kernel/time.ts'
import { warningFields } from '../../../kernel/warnings.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Listed } from '../../../platform/http/page.ts'
import { readStale, staleFields } from '../stale/index.ts'
import { listAlarms, listMonths } from './overview-store.ts'
import type { GroupMonth, OverviewQuery } from './schema.ts'

/** Lists the month of all groups of a tenant, by name. */
export async function readOverview(
  tenant: TenantDb,
  query: OverviewQuery,
  language: Language,
): Promise<Listed<GroupMonth>> {
  const billingPeriod = parsePeriod(query.billing_period)
  assert(billingPeriod, 'the schema lets only periods in')
  const { items, total } = await listMonths(tenant, billingPeriod, query)
  const groupIds = items.map(({ group_id }) => group_id)
  const [stale, alarms] = await Promise.all([
    readStale(tenant, { groupIds, from: billingPeriod, to: billingPeriod }),
    listAlarms(tenant, billingPeriod, groupIds),
  ])
  return {
    total,
    items: items.map(
      ({ group_id, name, is_active, eligibility_status, month_status, scenario, ...figures }) => ({
        ...{ group_id, name, is_active, billing_period: billingPeriod, month_status, scenario },
        eligibility_status: eligibility_status as GroupMonth['eligibility_status'],
        figures:
          scenario === null ? null : { ...figures, completeness_pct: Number(figures['completeness_pct']) },
        ...staleFields(stale.find(({ groupId }) => groupId === group_id)),
        alarms: alarms
          .filter((alarm) => alarm.group_id === group_id)
          .map(({ group_id: _, ...alarm }) => alarm),
        ...warningFields(
          scenario === null
            ? []
            : warningsOfMonth({ groupId: group_id, groupName: name, billingPeriod, scenario }),
          language,
        ),
      }),
    ),
  }
}
