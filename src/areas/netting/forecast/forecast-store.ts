import { type SqlBool, sql } from 'kysely'
import { type Kwh, parseKwh } from '../../../kernel/decimal.ts'
import { dayStart, type LocalDate, type Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

export interface AccountState {
  readonly id: string
  readonly facility_id: string
  readonly year: number
  readonly remaining_kwh: string
}

/**
 * Returns an account and, if it exists, the account of the same facility for the previous year, each with its
 * remaining limit.
 */
export async function findAccountPair({ db, tenantId }: TenantDb, id: string): Promise<AccountState[]> {
  const { rows } = await sql<AccountState>`
    select b.id, b.facility_id, b.year, (b.initial_limit_kwh + coalesce((
      select sum(m.amount_kwh) from limit_movement m
      where (m.tenant_id, m.account_id) = (${tenantId}, b.id)), 0))::text as remaining_kwh
    from limit_account a
    join limit_account b on (b.tenant_id, b.facility_id) = (a.tenant_id, a.facility_id)
      and b.year in (a.year, a.year - 1)
    where (a.tenant_id, a.id) = (${tenantId}, ${id})
    order by b.year desc`.execute(db)
  return rows
}

/** Returns the usage of current results by account and local date. */
export async function usageByDay(
  tenant: TenantDb,
  accountIds: readonly string[],
): Promise<Map<string, Map<LocalDate, Kwh>>> {
  const day = sql<LocalDate>`to_char(u.hour at time zone 'UTC' + interval '3 hours', 'YYYY-MM-DD')`
  const rows = await selectRows(tenant, 'limit_usage_hour as u')
    .innerJoin('calculation_run as r', (join) =>
      join.onRef('r.tenant_id', '=', 'u.tenant_id').onRef('r.id', '=', 'u.calculation_run_id'),
    )
    .select(['u.account_id', day.as('day'), sql<string>`sum(u.matched_kwh + u.bedelli_kwh)::text`.as('kwh')])
    .where('r.is_current', '=', true)
    .where(sql<SqlBool>`u.account_id = any(${accountIds}::uuid[])`)
    .groupBy(['u.account_id', day])
    .execute()
  const byAccount = new Map(accountIds.map((id) => [id, new Map<LocalDate, Kwh>()]))
  for (const row of rows) byAccount.get(row.account_id)?.set(row.day, parseKwh(row.kwh))
  return byAccount
}

/** Returns the hours in a range that current results cover while the facility consumed in the group. */
export async function calculatedRanges(
  tenant: TenantDb,
  facilityId: string,
  within: Range,
): Promise<Range[]> {
  const rows = await selectRows(tenant, 'group_member as m')
    .innerJoin('calculation_run as r', (join) =>
      join.onRef('r.tenant_id', '=', 'm.tenant_id').onRef('r.group_id', '=', 'm.group_id'),
    )
    .select(['r.from_hour', 'r.to_hour', 'm.valid_from', 'm.valid_to'])
    .where('m.facility_id', '=', facilityId)
    .where('m.member_role', '<>', 'production')
    .where('r.is_current', '=', true)
    .where('r.from_hour', '<', new Date(within.to))
    .where('r.to_hour', '>', new Date(within.from))
    .execute()
  return rows
    .map((row) => ({
      from: Math.max(within.from, row.from_hour.getTime(), dayStart(row.valid_from)),
      to: Math.min(
        within.to,
        row.to_hour.getTime(),
        row.valid_to === null ? within.to : dayStart(row.valid_to),
      ),
    }))
    .filter((range) => range.from < range.to)
}

/** Returns the facilities that now produce in the facility's latest group. */
export async function plantsOf({ db, tenantId }: TenantDb, facilityId: string): Promise<string[]> {
  const { rows } = await sql<{ facility_id: string }>`
    with own as (
      select group_id from group_member
      where tenant_id = ${tenantId} and facility_id = ${facilityId} and member_role <> 'production'
      order by valid_from desc limit 1)
    select distinct m.facility_id from group_member m
    where m.tenant_id = ${tenantId} and m.group_id = (select group_id from own)
      and m.member_role <> 'consumption' and m.valid_to is null
    order by m.facility_id`.execute(db)
  return rows.map(({ facility_id }) => facility_id)
}

/**
 * Returns the production of the facility's latest group by local date. Each hour counts with its strongest
 * source: the production meter, or the export without one. A day without facts in all its hours is absent.
 */
export async function productionByDay(
  { db, tenantId }: TenantDb,
  facilityId: string,
  { from, to }: Range,
): Promise<Map<LocalDate, Kwh>> {
  const { rows } = await sql<{ day: LocalDate; kwh: string }>`
    with own as (
      select group_id from group_member
      where tenant_id = ${tenantId} and facility_id = ${facilityId} and member_role <> 'production'
      order by valid_from desc limit 1),
    best as (
      select distinct on (e.facility_id, e.hour) e.hour, coalesce(e.production_kwh, e.export_kwh) as kwh
      from hourly_energy e
      where e.tenant_id = ${tenantId} and e.hour >= ${new Date(from)} and e.hour < ${new Date(to)}
        and e.facility_id in (
          select m.facility_id from group_member m
          where m.tenant_id = ${tenantId} and m.group_id = (select group_id from own)
            and m.member_role <> 'consumption')
        and e.measurement_role in ('main_production', 'pcc_import_export')
        and coalesce(e.production_kwh, e.export_kwh) is not null
      order by e.facility_id, e.hour, e.measurement_role, array_position(array['lum_official_report', 'gts_report',
        'pys_import', 'osos_official_meter', 'zeus_meter', 'customer_declared', 'profiled_estimate'], e.source))
    select to_char(hour at time zone 'UTC' + interval '3 hours', 'YYYY-MM-DD') as day, sum(kwh)::text as kwh
    from best group by 1 having count(distinct hour) = 24`.execute(db)
  return new Map(rows.map((row) => [row.day, parseKwh(row.kwh)]))
}
