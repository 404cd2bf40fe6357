import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { OverviewQuery, POWER_ROLES } from './schema.ts'

export interface MeterRow {
  readonly device_id: string
  readonly device_key: number
  readonly device_name: string
  readonly facility_id: string
  readonly facility_name: string
  readonly measurement_role: (typeof POWER_ROLES)[number]
  readonly reporting_interval_s: number | null
  readonly offline_threshold_s: number
}

interface MeterQuery extends OverviewQuery {
  readonly at: Date
  readonly roles: readonly string[]
  readonly limit: number
}

/**
 * The meters that are assigned at an instant, by the name of their facility. An assignment that names neither a
 * facility nor a metering point belongs to the only facility of its subregion, as for hourly facts.
 */
export async function listMeters(
  { db, tenantId }: TenantDb,
  { at, roles, limit, facility_id, subregion_id }: MeterQuery,
): Promise<MeterRow[]> {
  const ofFacility = facility_id === undefined ? sql`` : sql`and f.id = ${facility_id}`
  const ofSubregion = subregion_id === undefined ? sql`` : sql`and f.subregion_id = ${subregion_id}`
  const { rows } = await sql<MeterRow>`
    select distinct f.name as facility_name, f.id as facility_id, d.name as device_name, d.id as device_id,
      d.key as device_key, a.measurement_role, d.reporting_interval_s, d.offline_threshold_s
    from meter_assignment a
    join device d on d.tenant_id = a.tenant_id and d.id = a.device_id
    left join metering_point p on p.tenant_id = a.tenant_id and p.id = a.metering_point_id
    join facility f on f.tenant_id = a.tenant_id and f.id = coalesce(a.facility_id, p.facility_id, (
      select min(o.id::text)::uuid from facility o
      where o.tenant_id = ${tenantId} and o.subregion_id = a.subregion_id having count(*) = 1
    ))
    where a.tenant_id = ${tenantId} and a.measurement_role = any(${[...roles]})
      and a.valid_from <= ${at} and (a.valid_to is null or a.valid_to > ${at}) ${ofFacility} ${ofSubregion}
    order by f.name, f.id, d.name, d.id, a.measurement_role limit ${limit}`.execute(db)
  return rows
}

/** Facilities by name. */
export async function listFacilityIds(
  tenant: TenantDb,
  { facility_id, subregion_id }: OverviewQuery,
  limit: number,
): Promise<string[]> {
  let rows = selectRows(tenant, 'facility').select('id')
  if (facility_id !== undefined) rows = rows.where('id', '=', facility_id)
  if (subregion_id !== undefined) rows = rows.where('subregion_id', '=', subregion_id)
  const found = await rows.orderBy('name').orderBy('id').limit(limit).execute()
  return found.map(({ id }) => id)
}
