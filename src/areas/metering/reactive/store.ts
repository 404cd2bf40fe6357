import { type SqlBool, sql } from 'kysely'
import { iso, type Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { subregionOfDevice } from '../device-lookup/index.ts'

export interface Meter {
  readonly id: string
  readonly name: string
}

export interface MeterLocation {
  readonly subregion_id: string | null
  readonly contracted_power_kw: number | null
}

/** SQL: the contracted power of the valid facility of a subregion, else that of the subregion itself. */
const power = (tenantId: number, at: Date) => sql<number | null>`coalesce(
  (select f.contracted_power_kw::float8 from facility f where f.tenant_id = ${tenantId} and f.subregion_id = s.id
    and f.contracted_power_kw is not null and f.valid_from <= ${at}::timestamptz
    and (f.valid_to is null or f.valid_to > ${at}::timestamptz) order by f.valid_from desc, f.id limit 1),
  s.contracted_power_kw)`

/** Finds a device with its subregion and contracted power; undefined for an unknown device. */
export async function findMeter(
  { db, tenantId }: TenantDb,
  deviceId: string,
  at: Date,
): Promise<(Meter & MeterLocation) | undefined> {
  const { rows } = await sql<Meter & MeterLocation>`
    select d.id, d.name, s.id as subregion_id, ${power(tenantId, at)} as contracted_power_kw
    from device d left join subregion s on s.tenant_id = d.tenant_id and s.id = ${subregionOfDevice(tenantId, at)}
    where d.tenant_id = ${tenantId} and d.id = ${deviceId}`.execute(db)
  return rows[0]
}

export const findSubregion = (
  tenant: TenantDb,
  subregionId: string,
  at: Date,
): Promise<MeterLocation | undefined> =>
  selectRows(tenant, 'subregion as s')
    .select(['s.id as subregion_id', power(tenant.tenantId, at).as('contracted_power_kw')])
    .where('s.id', '=', subregionId)
    .executeTakeFirst()

/** Lists the meters by which a subregion is billed, according to meter assignments. */
export const listMainMeters = (
  tenant: TenantDb,
  subregionId: string,
  { range, limit }: { readonly range: Range; readonly limit: number },
): Promise<Meter[]> =>
  selectRows(tenant, 'device as d')
    .select(['d.id', 'd.name'])
    .where(
      sql<SqlBool>`exists (
        select 1 from meter_assignment a where a.tenant_id = ${tenant.tenantId} and a.device_id = d.id
          and a.subregion_id = ${subregionId}
          and a.measurement_role in ('main_consumption', 'pcc_import_export', 'osb_eb_consumption')
          and a.valid_from < ${iso(range.to)} and (a.valid_to is null or a.valid_to > ${iso(range.from)}))`,
    )
    .orderBy('d.name')
    .orderBy('d.id')
    .limit(limit)
    .execute()

/** Lists the devices of a subregion without a parent, inverters excluded. */
export const listTopLevelMeters = (
  tenant: TenantDb,
  subregionId: string,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<Meter[]> =>
  selectRows(tenant, 'device as d')
    .select(['d.id', 'd.name'])
    .where('d.parent_id', 'is', null)
    .where('d.device_type', '<>', 'inverter')
    .where('d.device_role', 'is distinct from', 'inverter')
    .where(sql<SqlBool>`${subregionOfDevice(tenant.tenantId, at)} = ${subregionId}`)
    .orderBy('d.name')
    .orderBy('d.id')
    .limit(limit)
    .execute()
