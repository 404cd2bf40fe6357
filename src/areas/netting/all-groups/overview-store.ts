import { sql } from 'kysely'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { readList } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Listed } from '../../../platform/http/page.ts'
import type { GroupMonth, OverviewQuery } from './schema.ts'

type MonthRow = Pick<
  GroupMonth,
  'group_id' | 'name' | 'is_active' | 'eligibility_status' | 'month_status' | 'scenario'
> &
  NonNullable<GroupMonth['figures']>

const FIGURES = [
  's.production_kwh',
  's.consumption_kwh',
  's.matched_kwh',
  's.net_import_kwh',
  's.surplus_kwh',
  's.bedelli_kwh',
  's.skb_kwh',
  's.bedelsiz_kwh',
  's.amounts_try',
  's.price_gaps',
  's.limit_closing_kwh',
  's.hours_expected',
  's.hours_calculated',
  's.completeness_pct',
  's.data_quality',
] as const

const monthStatus = sql<GroupMonth['month_status']>`case when s.id is null then 'not_calculated'
  when s.hours_calculated < s.hours_expected then 'partial' else 'calculated' end`

/** Lists the groups with their current summary of a period, by name. */
export function listMonths(
  tenant: TenantDb,
  billingPeriod: BillingPeriod,
  query: OverviewQuery,
): Promise<Listed<MonthRow>> {
  const { scope_id, is_active, month_status, stale } = query
  const isStale = sql<boolean>`exists (select 1 from stale_mark k
    join calculation_run r on r.tenant_id = k.tenant_id and r.group_id = k.group_id and r.is_current
      and r.billing_period = ${billingPeriod} and tstzrange(r.from_hour, r.to_hour) && k.hours
    where k.tenant_id = ${tenant.tenantId} and k.group_id = g.id)`
  const rows = selectRows(tenant, 'netting_group as g')
    .leftJoin('monthly_summary as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'g.tenant_id')
        .onRef('s.group_id', '=', 'g.id')
        .on('s.billing_period', '=', billingPeriod)
        .on('s.is_current', '=', true),
    )
    .select(['g.id as group_id', 'g.name', 'g.is_active', 'g.eligibility_status', 's.scenario', ...FIGURES])
    .select(monthStatus.as('month_status'))
    .$if(scope_id !== undefined, (found) => found.where('g.scope_id', '=', scope_id ?? ''))
    .$if(is_active !== undefined, (found) => found.where('g.is_active', '=', is_active ?? true))
    .$if(month_status !== undefined, (found) => found.where(sql<boolean>`${monthStatus} = ${month_status}`))
    .$if(stale !== undefined, (found) => found.where(sql<boolean>`${isStale} = ${stale}`))
    .where(matchesSearch(query.search, ['g.name']))
    .orderBy('g.name')
    .orderBy('g.id')
  return readList(rows.$castTo<MonthRow>(), query)
}

interface AlarmRow {
  readonly group_id: string
  readonly incident_id: string
  readonly alarm_type: string
  readonly severity: GroupMonth['alarms'][number]['severity']
  readonly message: string
}

/** Lists the open system alarms of groups as a whole and of their period, by name. */
export async function listAlarms(
  { db, tenantId }: TenantDb,
  billingPeriod: BillingPeriod,
  groupIds: readonly string[],
): Promise<AlarmRow[]> {
  if (groupIds.length === 0) return []
  const causes = groupIds.flatMap((id) => [`group:${id}`, `group:${id}|${billingPeriod}`])
  const { rows } = await sql<AlarmRow>`
    select substr(i.cause, 7, 36) as group_id, i.id as incident_id, p.name as alarm_type, i.severity, i.message
    from alarm_incident i join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
    where i.tenant_id = ${tenantId} and i.status <> 'closed' and p.is_system and i.cause = any(${causes})
    order by p.name, i.id`.execute(db)
  return rows
}
