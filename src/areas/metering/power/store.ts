import { CompiledQuery } from 'kysely'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { readRanges, selectRanges } from '../history/index.ts'
import { epochMs } from '../sample-columns.ts'

/** A device and the instant of a reading that fell. */
export interface Fall {
  readonly deviceKey: number
  readonly at: number
}

/**
 * The largest power, kW, in the time up to each instant: the larger of the contracted and the installed power of the
 * facilities that the device was assigned to, where one is recorded (a power of 0 is not); else the largest power, in
 * either direction, that the device measured in the day up to the instant. It depends on the instant alone, so that the
 * result of an hour does not depend on the range that is computed.
 */
const TEXT = `
  select fall.key, ${epochMs('fall.at')} as at, coalesce((
    select max(greatest(f.contracted_power_kw, f.installed_power_kw))::float8
    from meter_assignment a
    join device d on (d.tenant_id, d.id) = (a.tenant_id, a.device_id)
    left join metering_point p on (p.tenant_id, p.id) = (a.tenant_id, a.metering_point_id)
    join facility f on f.tenant_id = a.tenant_id and f.id = coalesce(a.facility_id, p.facility_id, (
      select min(o.id::text)::uuid from facility o
      where o.tenant_id = $1 and o.subregion_id = a.subregion_id having count(*) = 1
    ))
    where a.tenant_id = $1 and d.key = fall.key
      and a.valid_from < fall.at and (a.valid_to is null or a.valid_to >= fall.at)
      and greatest(f.contracted_power_kw, f.installed_power_kw) > 0
  ), (
    select max(abs(m.active_power))::float8 from measurement m
    where m.tenant_id = $1 and m.device_key = fall.key
      and m.ts > fall.at - ${DAY_MS} * interval '1 millisecond' and m.ts <= fall.at
  )) as power
  from unnest($2::int[], $3::timestamptz[]) as fall (key, at)`

const valuesOf = (tenantId: number, falls: readonly Fall[]) => [
  tenantId,
  falls.map(({ deviceKey }) => deviceKey),
  falls.map(({ at }) => iso(at)),
]

const rangesOf = (falls: readonly Fall[]) =>
  falls.map(({ deviceKey, at }) => ({ deviceKey, range: { from: at - DAY_MS, to: at } }))

/** The largest power at the falls of many devices, by device and instant; a fall without a known power is absent. */
export async function readMaxPower(
  db: Queryable,
  tenantId: number,
  falls: readonly Fall[],
): Promise<(deviceKey: number) => (at: number) => number | undefined> {
  const byDevice = new Map<number, Map<number, number>>()
  if (falls.length > 0) {
    const statement = { name: 'device_max_power', text: TEXT, values: valuesOf(tenantId, falls) }
    for (const [key, at, power] of await readRanges(db, { tenantId, ranges: rangesOf(falls) }, statement)) {
      if (power === null) continue
      const device = byDevice.get(Number(key)) ?? new Map<number, number>()
      byDevice.set(Number(key), device.set(Number(at), Number(power)))
    }
  }
  return (deviceKey) => (at) => byDevice.get(deviceKey)?.get(at)
}

interface PowerRow {
  readonly at: number
  readonly power: number | null
}

/** The same for one device, in a transaction of the tenant. */
export async function listMaxPower(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  instants: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (instants.length === 0) return new Map()
  const falls = instants.map((at) => ({ deviceKey, at }))
  const compile = () => CompiledQuery.raw(TEXT, valuesOf(tenantId, falls)) as CompiledQuery<PowerRow>
  const rows = await selectRanges({ db, tenantId }, rangesOf(falls), { compile })
  return new Map(rows.flatMap(({ at, power }) => (power === null ? [] : [[at, power]])))
}
