import { DAY_MS, dayStart, iso, localDate } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { inKilo, sum } from '../aggregates/index.ts'
import { round6 } from '../rollup/index.ts'
import { MAP_DEVICES_MAX, MAP_POWER_AGE_MAX_MS, MAP_SUBREGIONS_MAX } from './limits.ts'
import type { MapData, MapQuery } from './schema.ts'
import { type DeviceRow, readDevices, readSubregions } from './store.ts'

/** Reads a snapshot for a map in two statements: subregions, and devices with their latest values. */
export async function readMap(db: TenantDb, query: MapQuery, now: number): Promise<MapData> {
  const midnight = dayStart(localDate(now))
  const snapshot = {
    now: new Date(now),
    midnight: new Date(midnight),
    powerFrom: new Date(now - MAP_POWER_AGE_MAX_MS),
    readingsFrom: new Date(midnight - DAY_MS),
    limit: MAP_DEVICES_MAX + 1,
  }
  const [subregions, devices] = await Promise.all([
    readSubregions(db, query, MAP_SUBREGIONS_MAX + 1),
    readDevices(db, query, snapshot),
  ])
  const visible = devices.slice(0, MAP_DEVICES_MAX)
  const bySubregion = groupBySubregion(visible)
  return {
    timestamp: iso(now),
    subregions: subregions
      .slice(0, MAP_SUBREGIONS_MAX)
      .map((subregion) => ({ ...subregion, ...summarize(bySubregion.get(subregion.id) ?? []) })),
    devices: visible.map(toMapDevice),
    is_truncated: devices.length > MAP_DEVICES_MAX || subregions.length > MAP_SUBREGIONS_MAX,
  }
}

function groupBySubregion(devices: readonly DeviceRow[]): Map<string | null, DeviceRow[]> {
  const groups = new Map<string | null, DeviceRow[]>()
  for (const device of devices) {
    const group = groups.get(device.subregion_id)
    if (group) group.push(device)
    else groups.set(device.subregion_id, [device])
  }
  return groups
}

const roundOrNull = (value: number | null): number | null => (value === null ? null : round6(value))

const toMapDevice = ({ active_power, import_wh, production_wh, ...device }: DeviceRow) => ({
  ...device,
  active_power_kw: roundOrNull(active_power),
  energy_today_kwh: inKilo(import_wh),
  production_today_kwh: inKilo(production_wh),
})

const isInverter = ({ device_type, device_role }: DeviceRow): boolean =>
  device_type === 'inverter' || device_role === 'inverter'

/**
 * Sums top-level devices only, because a meter measures everything below it; production of all inverters is
 * included.
 */
function summarize(devices: readonly DeviceRow[]) {
  const tops = devices.filter(({ parent_id }) => parent_id === null)
  const producing = devices.filter((device) => device.parent_id === null || isInverter(device))
  const consuming = tops.filter((device) => !isInverter(device))
  return {
    device_count: devices.length,
    online_count: devices.filter(({ is_online }) => is_online).length,
    active_power_kw: roundOrNull(sum(consuming.map(({ active_power }) => active_power))),
    energy_today_kwh: inKilo(sum(tops.map(({ import_wh }) => import_wh))),
    production_today_kwh: inKilo(sum(producing.map(({ production_wh }) => production_wh))),
  }
}
