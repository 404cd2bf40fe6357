import { sql } from 'kysely'
import { at as elementAt } from '../../../kernel/checked.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type NearestSide, selectNearest } from '../history/index.ts'

/** An instant of a device and the range to search. Epoch milliseconds, inclusive. */
export interface NearestReadingsQuery {
  readonly deviceId: string
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface RegisterReading {
  readonly at: number
  readonly wh: number
}

export interface NearestReadings {
  /** The last reading at or before the instant. */
  readonly before: RegisterReading | undefined
  /** The first reading after the instant. */
  readonly after: RegisterReading | undefined
}

interface NearestRow {
  readonly ordinal: number
  readonly key: number
  readonly before_at: Date | null
  readonly before_value: string | null
  readonly after_at: Date | null
  readonly after_value: string | null
}

/** The searches for readings that are nearer than those of the rows. */
function sidesOf(
  { ordinal, key, before_at, after_at }: NearestRow,
  queries: readonly NearestReadingsQuery[],
): NearestSide[] {
  const { at, from, to } = elementAt(queries, ordinal - 1)
  const register = { deviceKey: key, metric: 'import_active_energy', at, count: 1 }
  return [
    { ...register, isAfter: false, found: before_at ? [before_at.getTime()] : [], until: from },
    { ...register, isAfter: true, found: after_at ? [after_at.getTime()] : [], until: to },
  ]
}

const MILLIONTHS_PER_WH = 1000

const toReading = (at: Date | null, value: string | null): RegisterReading | undefined =>
  at === null || value === null
    ? undefined
    : { at: at.getTime(), wh: Math.round(Number(value) / MILLIONTHS_PER_WH) }

/**
 * Reads the import register before and after many instants, in the order of the queries; two index look-ups
 * each.
 */
export async function readNearestReadings(
  { db, tenantId }: TenantDb,
  queries: readonly NearestReadingsQuery[],
): Promise<NearestReadings[]> {
  const nearest = queries.map((): NearestReadings => ({ before: undefined, after: undefined }))
  if (queries.length === 0) return nearest
  const times = (pick: (one: NearestReadingsQuery) => number) => queries.map((one) => new Date(pick(one)))
  const ofDevice = sql`m.tenant_id = ${tenantId} and m.device_key = d.key and m.import_active_energy is not null`
  const query = sql<NearestRow>`
    select w.ordinal::int, d.key, b.ts as before_at, b.import_active_energy as before_value,
      a.ts as after_at, a.import_active_energy as after_value
    from unnest(${queries.map(({ deviceId }) => deviceId)}::uuid[], ${times(({ at }) => at)}::timestamptz[],
      ${times(({ from }) => from)}::timestamptz[], ${times(({ to }) => to)}::timestamptz[])
      with ordinality as w (device_id, at, begins, ends, ordinal)
    join device d on d.tenant_id = ${tenantId} and d.id = w.device_id
    left join lateral (select ts, import_active_energy from measurement m
      where ${ofDevice} and m.ts >= w.begins and m.ts <= w.at order by m.ts desc limit 1) b on true
    left join lateral (select ts, import_active_energy from measurement m
      where ${ofDevice} and m.ts > w.at and m.ts <= w.ends order by m.ts limit 1) a on true`
  const rows = await selectNearest({ db, tenantId }, query, (found) =>
    found.flatMap((row) => sidesOf(row, queries)),
  )
  for (const { ordinal, before_at, before_value, after_at, after_value } of rows) {
    nearest[ordinal - 1] = {
      before: toReading(before_at, before_value),
      after: toReading(after_at, after_value),
    }
  }
  return nearest
}
