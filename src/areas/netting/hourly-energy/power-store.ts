import { sql } from 'kysely'
import { DAY_MS } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/**
 * The largest power, kW, that a device measured in the day up to each instant, in either direction; an
 * instant without a measurement is absent. It depends on the instant alone, so that the result of an hour
 * does not depend on the range of the build.
 */
export async function readPowerBefore(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  instants: readonly number[],
): Promise<Map<number, number>> {
  if (instants.length === 0) return new Map()
  const { rows } = await sql<{ readonly at: number; readonly power: number | null }>`
    select (extract(epoch from fall.at) * 1000)::float8 as at, (
      select max(abs(m.active_power))::float8 from measurement m
      where m.tenant_id = ${tenantId} and m.device_key = ${deviceKey}
        and m.ts > fall.at - ${DAY_MS} * interval '1 millisecond' and m.ts <= fall.at
    ) as power
    from unnest(${instants.map((at) => new Date(at))}::timestamptz[]) as fall (at)`.execute(db)
  return new Map(rows.flatMap(({ at, power }) => (power === null ? [] : [[at, power]])))
}
