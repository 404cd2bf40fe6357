import { sql } from 'kysely'
import type { AboneGrubu, VoltageLevel } from '../../../../core/netting/types.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { subregionOfDevice } from '../../../metering/device-lookup/index.ts'
import { WIDGET_SUBREGION_DEVICES_MAX } from '../limits.ts'

export interface Device {
  readonly id: string
  readonly key: number
  readonly name: string
  readonly reporting_interval_s: number | null
  readonly offline_threshold_s: number
  readonly last_seen: Date | null
  readonly created_at: Date
}

export interface LocatedDevice extends Device {
  /** Stands below no other one and is no inverter: what it measures is counted nowhere above. */
  readonly is_top_meter: boolean
}

const COLUMNS = sql`d.id, d.key, d.name, d.reporting_interval_s, d.offline_threshold_s, d.last_seen, d.created_at`

/** Devices by id; unknown ones are left out. */
export async function readDevices({ db, tenantId }: TenantDb, ids: readonly string[]): Promise<Device[]> {
  const { rows } = await sql<Device>`select ${COLUMNS} from device d
    where d.tenant_id = ${tenantId} and d.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

/**
 * Excludes devices that have no reference to the subregion, so that the location is not computed for every
 * device of the tenant.
 */
const mayBeIn = (tenantId: number, subregionId: string) => {
  const gateways = sql`(select id from gateway where tenant_id = ${tenantId} and subregion_id = ${subregionId})`
  return sql`(d.subregion_id = ${subregionId} or d.gateway_id in ${gateways} or d.mqtt_gateway_id in ${gateways}
    or d.id in (select device_id from meter_assignment where tenant_id = ${tenantId}
      and subregion_id = ${subregionId}))`
}

/** The devices located in a subregion, by name. */
export async function readDevicesOf(
  { db, tenantId }: TenantDb,
  subregionId: string,
  at: Date,
): Promise<LocatedDevice[]> {
  const { rows } = await sql<LocatedDevice>`select ${COLUMNS},
      d.parent_id is null and d.device_type <> 'inverter'
        and d.device_role is distinct from 'inverter' as is_top_meter
    from device d where d.tenant_id = ${tenantId} and ${mayBeIn(tenantId, subregionId)}
      and ${subregionOfDevice(tenantId, at)} = ${subregionId}
    order by d.name, d.id limit ${WIDGET_SUBREGION_DEVICES_MAX}`.execute(db)
  return rows
}

export interface MainMeter extends Device {
  readonly valid_from: Date
  readonly valid_to: Date | null
}

/** The meters by which a subregion is billed, by name, with the time of each assignment. */
export async function readMainMeters({ db, tenantId }: TenantDb, subregionId: string): Promise<MainMeter[]> {
  const { rows } = await sql<MainMeter>`select ${COLUMNS}, a.valid_from, a.valid_to
    from meter_assignment a join device d on d.tenant_id = a.tenant_id and d.id = a.device_id
    where a.tenant_id = ${tenantId} and a.subregion_id = ${subregionId}
      and a.measurement_role in ('main_consumption', 'pcc_import_export', 'osb_eb_consumption')
    order by d.name, d.id, a.valid_from desc limit ${WIDGET_SUBREGION_DEVICES_MAX}`.execute(db)
  return rows
}

export interface FacilityTariff {
  /** Null for the facility of the subregion. */
  readonly device_id: string | null
  readonly id: string
  readonly abone_grubu: AboneGrubu | null
  readonly is_multi_time: boolean
  readonly voltage_level: VoltageLevel | null
}

/** The facilities that devices are assigned to now, and the one of the subregion; the later one of two. */
export async function readTariffs(
  { db, tenantId }: TenantDb,
  {
    subregionId,
    deviceIds,
    at,
  }: { readonly subregionId: string; readonly deviceIds: readonly string[]; readonly at: Date },
): Promise<FacilityTariff[]> {
  const { rows } = await sql<FacilityTariff>`
    (select distinct on (a.device_id) a.device_id, f.id, f.abone_grubu, f.is_multi_time, f.voltage_level
      from meter_assignment a join facility f on f.tenant_id = a.tenant_id and f.id = a.facility_id
      where a.tenant_id = ${tenantId} and a.device_id = any(${[...deviceIds]}::uuid[])
        and a.valid_from <= ${at} and (a.valid_to is null or a.valid_to > ${at})
      order by a.device_id, a.valid_from desc, a.id)
    union all
    (select null, f.id, f.abone_grubu, f.is_multi_time, f.voltage_level from facility f
      where f.tenant_id = ${tenantId} and f.subregion_id = ${subregionId}
        and f.valid_from <= ${at}::timestamptz
        and (f.valid_to is null or f.valid_to > ${at}::timestamptz)
      order by f.valid_from desc, f.id limit 1)`.execute(db)
  return rows
}

export interface IncidentCount {
  readonly severity: string
  readonly status: string
  /** Of a device that stands in the subregion. */
  readonly is_here: boolean
  readonly count: number
  readonly latest: Date
}

/** Open incidents of the tenant; a snooze that is over counts as over at once. */
export async function countIncidents(
  { db, tenantId }: TenantDb,
  subregionId: string,
  at: Date,
): Promise<IncidentCount[]> {
  const { rows } = await sql<IncidentCount>`
    with open as (
      select i.severity, i.triggered_at,
        case when i.status = 'snoozed' and i.snoozed_until <= ${at} then 'active' else i.status end as status,
        coalesce(${subregionOfDevice(tenantId, at)} = ${subregionId}, false) as is_here
      from alarm_incident i left join device d on d.tenant_id = i.tenant_id and d.id = i.device_id
      where i.tenant_id = ${tenantId} and i.status <> 'closed'
    )
    select severity, status, is_here, count(*)::int as count, max(triggered_at) as latest
    from open group by severity, status, is_here`.execute(db)
  return rows
}
