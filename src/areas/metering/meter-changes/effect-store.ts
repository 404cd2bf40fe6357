import { sql } from 'kysely'
import { NEIGHBOUR_READINGS } from '../../../core/netting/counter/readings.ts'
import type { Register } from '../../../kernel/metrics.ts'
import { DAY_MS, floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectNearest } from '../history/index.ts'
import { epochMs } from '../sample-columns.ts'

/** A stored reading of a register, in whole millionths of a kWh (kvarh). */
export interface StoredReading {
  readonly at: number
  readonly value: number
}

export interface ReadingsAround {
  /** Ascending, at most NEIGHBOUR_READINGS. */
  readonly before: readonly StoredReading[]
  readonly after: readonly StoredReading[]
}

interface RegisterAt {
  readonly register: Register
  readonly at: number
}

/** The readings of a register next to an instant; a reading at the instant itself is left out. */
export async function readAround(
  { db, tenantId }: TenantDb,
  deviceKey: number,
  { register, at }: RegisterAt,
): Promise<ReadingsAround> {
  const readings = sql`select ${sql.raw(epochMs('ts'))} as at, ${sql.ref(register)}::float8 as value from measurement
    where tenant_id = ${tenantId} and device_key = ${deviceKey} and ${sql.ref(register)} is not null`
  const query = sql<StoredReading>`
    (${readings} and ts < ${new Date(at)} order by ts desc limit ${NEIGHBOUR_READINGS})
    union all
    (${readings} and ts > ${new Date(at)} order by ts limit ${NEIGHBOUR_READINGS})
    order by at`
  const side = { deviceKey, metric: register, at, count: NEIGHBOUR_READINGS }
  const rows = await selectNearest({ db, tenantId }, query, (found) => [
    { ...side, isAfter: false, found: found.flatMap((row) => (row.at < at ? [row.at] : [])) },
    { ...side, isAfter: true, found: found.flatMap((row) => (row.at > at ? [row.at] : [])) },
  ])
  return { before: rows.filter((row) => row.at < at), after: rows.filter((row) => row.at > at) }
}

/**
 * The hours that a change of a meter affects: from the third reading before it to the third one after it, and the day
 * after it, whose completeness follows the spacing of the readings.
 */
export function affectedHours(at: number, { before, after }: ReadingsAround): Range {
  const last = Math.max(after.at(-1)?.at ?? at, at + DAY_MS)
  return { from: floorHour(before[0]?.at ?? at), to: Math.ceil(last / HOUR_MS) * HOUR_MS }
}

/** Marks the roll-ups of hours of a device to be computed again, in the transaction of the change. */
export async function markRollups(
  { db, tenantId }: TenantTx,
  deviceKey: number,
  { from, to }: Range,
): Promise<void> {
  await db
    .insertInto('rollup_dirty_range')
    .values({
      tenant_id: tenantId,
      device_key: deviceKey,
      from_hour: new Date(from),
      to_hour: new Date(to),
    })
    .execute()
}
