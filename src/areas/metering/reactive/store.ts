import { sql } from 'kysely'
import { iso, type Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
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
const power = (at: Date) => sql<number | null>`coalesce(
  (select f.contracted_power_kw::float8 from facility f where f.tenant_id = s.tenant_id and f.subregion_id = s.id
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
    select d.id, d.name, s.id as subregion_id, ${power(at)} as contracted_power_kw
    from device d left join subregion s on s.tenant_id = d.tenant_id and s.id = ${subregionOfDevice(at)}
    where d.tenant_id = ${tenantId} and d.id = ${deviceId}`.execute(db)
  return rows[0]
}

export async function findSubregion(
  { db, tenantId }: TenantDb,
  subregionId: string,
  at: Date,
): Promise<MeterLocation | undefined> {
  const { rows } = await sql<MeterLocation>`
    select s.id as subregion_id, ${power(at)} as contracted_power_kw
    from subregion s where s.tenant_id = ${tenantId} and s.id = ${subregionId}`.execute(db)
  return rows[0]
}

/** Lists the meters by which a subregion is billed, according to meter assignments. */
export async function listMainMeters(
  { db, tenantId }: TenantDb,
  subregionId: string,
  { range, limit }: { readonly range: Range; readonly limit: number },
): Promise<Meter[]> {
  const { rows } = await sql<Meter>`
    select d.id, d.name from device d
    where d.tenant_id = ${tenantId} and exists (
      select from meter_assignment a where a.tenant_id = d.tenant_id and a.device_id = d.id
        and a.subregion_id = ${subregionId}
        and a.measurement_role in ('main_consumption', 'pcc_import_export', 'osb_eb_consumption')
        and a.valid_from < ${iso(range.to)} and (a.valid_to is null or a.valid_to > ${iso(range.from)}))
    order by d.name, d.id limit ${limit}`.execute(db)
  return rows
}

/** Lists the devices of a subregion without a parent, inverters excluded. */
export async function listTopLevelMeters(
  { db, tenantId }: TenantDb,
  subregionId: string,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<Meter[]> {
  const { rows } = await sql<Meter>`
    select d.id, d.name from device d
    where d.tenant_id = ${tenantId} and d.parent_id is null
      and d.device_type <> 'inverter' and d.device_role is distinct from 'inverter'
      and ${subregionOfDevice(at)} = ${subregionId}
    order by d.name, d.id limit ${limit}`.execute(db)
  return rows
}
