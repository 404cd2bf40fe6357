import { sql } from 'kysely'
import { readList } from '../../../platform/db/list.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

export async function hasImport(tenant: TenantDb, id: string): Promise<boolean> {
  const row = await selectRows(tenant, 'osos_import').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

interface MonthRow {
  readonly billing_period: string
  readonly group_id: string | null
  readonly group_name: string | null
  readonly hours: number
  readonly calculated_at: Date | null
}

/**
 * The months whose hours an import stored, also hours that a later import has replaced since, by the group that the
 * facility of the readings belongs to in the month. Metering points take precedence over the facility of the
 * installation.
 */
export function listMonths(
  { db, tenantId }: TenantDb,
  importId: string,
  page: { readonly limit: number; readonly offset: number },
) {
  const rows = sql<MonthRow>`(
    with stored as (
      select r.installation_id, r.hour from osos_reading r where r.tenant_id = ${tenantId} and r.import_id = ${importId}
      union select h.installation_id, h.hour from osos_reading_history h
      where h.tenant_id = ${tenantId} and h.import_id = ${importId}),
    touched as (
      select installation_id, date_trunc('month', hour at time zone 'UTC' + interval '3 hours')::date as period,
        min(hour) as first_hour, max(hour) as last_hour, count(*)::int as hours
      from stored group by 1, 2),
    placed as (
      select t.installation_id, t.period, p.facility_id from touched t
      join metering_point p on p.tenant_id = ${tenantId} and p.osos_installation_id = t.installation_id
      where p.valid_from <= t.last_hour and (p.valid_to is null or p.valid_to > t.first_hour)
      union select t.installation_id, t.period, i.facility_id from touched t
      join osos_installation i on i.tenant_id = ${tenantId} and i.id = t.installation_id
      where not exists (select 1 from metering_point p
        where p.tenant_id = ${tenantId} and p.osos_installation_id = t.installation_id)),
    grouped as (
      select distinct p.installation_id, p.period, m.group_id from placed p
      join group_member m on m.tenant_id = ${tenantId} and m.facility_id = p.facility_id
      where m.valid_from < p.period + interval '1 month' and (m.valid_to is null or m.valid_to > p.period)),
    months as (
      select t.period, g.group_id, sum(t.hours)::int as hours
      from touched t left join grouped g on g.installation_id = t.installation_id and g.period = t.period
      group by t.period, g.group_id)
    select to_char(m.period, 'YYYY-MM-DD') as billing_period, m.group_id, g.name as group_name, m.hours,
      (select max(c.started_at) from calculation_run c
        where c.tenant_id = ${tenantId} and c.group_id = m.group_id and c.billing_period = m.period and c.is_current)
      as calculated_at
    from months m left join netting_group g on g.tenant_id = ${tenantId} and g.id = m.group_id)`
  return readList(
    db
      .selectFrom(rows.as('month'))
      .selectAll()
      .orderBy('billing_period', 'desc')
      .orderBy('group_name')
      .orderBy('group_id'),
    page,
  )
}
