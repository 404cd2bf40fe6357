import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { subregionOfDevice } from '../device-lookup/index.ts'
import type { MapQuery } from './schema.ts'

export interface SubregionRow {
  readonly id: string
  readonly region_id: string
  readonly name: string
  readonly city: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

export async function readSubregions(
  tenant: TenantDb,
  { region_id, subregion_id }: MapQuery,
  limit: number,
): Promise<SubregionRow[]> {
  let rows = selectRows(tenant, 'subregion').select([
    'id',
    'region_id',
    'name',
    'city',
    'latitude',
    'longitude',
  ])
  if (region_id !== undefined) rows = rows.where('region_id', '=', region_id)
  if (subregion_id !== undefined) rows = rows.where('id', '=', subregion_id)
  return await rows.orderBy('name').orderBy('id').limit(limit).execute()
}

export interface DeviceRow {
  readonly id: string
  readonly name: string
  readonly device_type: string
  readonly device_role: string | null
  readonly parent_id: string | null
  readonly subregion_id: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly is_online: boolean
  readonly last_seen: Date | null
  readonly active_power: number | null
  /** Wh since midnight. */
  readonly import_wh: number | null
  readonly production_wh: number | null
}

interface Snapshot {
  readonly now: Date
  readonly midnight: Date
  /** Earliest instant of the power shown. */
  readonly powerFrom: Date
  /** Earliest instant of the reading at the beginning of the hours that are not rolled up. */
  readonly readingsFrom: Date
  readonly limit: number
}

/**
 * SQL: Wh of a register since midnight: rolled-up hours plus the growth since then up to the last reading.
 * Samples of a device that has never sent the register are not scanned.
 */
function energySinceMidnight(
  register: 'import' | 'production',
  bit: number,
  { tenantId, midnight, readingsFrom, now }: Snapshot & { readonly tenantId: number },
) {
  const column = sql.ref(`${register}_active_energy`)
  const reading = (which: RawBuilder<unknown>) => sql`(
    select ${column} from measurement m where m.tenant_id = ${tenantId} and m.device_key = d.key
      and (st.registers is null or st.registers & ${bit}::int <> 0) and ${column} is not null and ${which} limit 1)`
  const begin = sql`greatest(st.rolled_to, ${midnight}::timestamptz)`
  return sql<number | null>`case when r.rolled is null and t.last is null then null
      else coalesce(r.rolled, 0) + greatest(0, coalesce(round((t.last - t.first) / 1000.0), 0)) end
    from (select sum(h.${sql.ref(`${register}_wh`)})::float8 as rolled from measurement_hour h
      where h.tenant_id = ${tenantId} and h.device_key = d.key and h.hour >= ${midnight} and h.hour < ${begin}) r,
    (select ${reading(sql`ts >= ${begin} and ts <= ${now} order by ts desc`)} as last,
      coalesce(${reading(sql`ts <= ${begin} and ts >= ${readingsFrom} order by ts desc`)},
        ${reading(sql`ts > ${begin} and ts <= ${now} order by ts`)}) as first) t`
}

const IMPORT_BIT = 1
const PRODUCTION_BIT = 4

/** SQL: a coordinate in the device's own metadata, when it is a number. */
const ownCoordinate = (name: 'latitude' | 'longitude') =>
  sql`case when jsonb_typeof(d.extra_metadata -> ${name}) = 'number' then (d.extra_metadata ->> ${name})::float8 end`

/** Reads devices with their state at an instant, in one statement. */
export async function readDevices(
  { db, tenantId }: TenantDb,
  { region_id, subregion_id }: MapQuery,
  snapshot: Snapshot,
): Promise<DeviceRow[]> {
  const { now, powerFrom, limit } = snapshot
  const energyOf = { ...snapshot, tenantId }
  const ofRegion = region_id === undefined ? sql`` : sql`and s.region_id = ${region_id}`
  const ofSubregion = subregion_id === undefined ? sql`` : sql`and s.id = ${subregion_id}`
  const { rows } = await sql<DeviceRow>`
    with chosen as materialized (
      select d.*, s.id as subregion, coalesce(${ownCoordinate('latitude')}, s.latitude) as lat,
        coalesce(${ownCoordinate('longitude')}, s.longitude) as lon
      from device d
      left join subregion s on s.tenant_id = d.tenant_id and s.id = ${subregionOfDevice(tenantId, now)}
      where d.tenant_id = ${tenantId} ${ofRegion} ${ofSubregion}
      order by d.name, d.id limit ${limit}
    )
    select d.id, d.name, d.device_type, d.device_role, d.parent_id, d.subregion as subregion_id, d.lat as latitude,
      d.lon as longitude, d.last_seen,
      coalesce(d.last_seen > ${now}::timestamptz - d.offline_threshold_s * interval '1 second', false) as is_online,
      (select m.active_power from measurement m where m.tenant_id = ${tenantId} and m.device_key = d.key
        and m.active_power is not null and m.ts >= ${powerFrom} and m.ts <= ${now} order by m.ts desc limit 1) as active_power,
      (select ${energySinceMidnight('import', IMPORT_BIT, energyOf)}) as import_wh,
      (select ${energySinceMidnight('production', PRODUCTION_BIT, energyOf)}) as production_wh
    from chosen d
    left join rollup_state st on st.tenant_id = ${tenantId} and st.device_key = d.key
    order by d.name, d.id`.execute(db)
  return rows
}
