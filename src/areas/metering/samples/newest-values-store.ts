import { GAUGES, REGISTERS } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { epochMs } from '../sample-columns.ts'

/** Requests the newest sample, whatever its metrics are. */
export const ANY_METRIC = '*'

const value = [
  `when '${ANY_METRIC}' then 0`,
  ...REGISTERS.map((name) => `when '${name}' then m.${name}::float8 / 1000000`),
  ...GAUGES.map((name) => `when '${name}' then m."${name}"`),
].join(' ')
const NEWEST = {
  name: 'measurement_newest_values',
  text: `select w.place, n.at, n.value
    from unnest($2::int[], $3::text[], $4::timestamptz[]) with ordinality as w (key, metric, begins, place)
    cross join lateral (
      select ${epochMs('ts')} as at, value from (
        select ts, case w.metric ${value}
          else case when jsonb_typeof(m.extra -> w.metric) = 'number' then (m.extra ->> w.metric)::float8 end
        end as value
        from measurement m where m.tenant_id = $1 and m.device_key = w.key and ts >= w.begins
      ) s where value is not null order by ts desc limit 1
    ) n`,
}

export interface NewestValueQuery {
  readonly deviceKey: number
  /** The name of any metric, known or extra, or ANY_METRIC. */
  readonly metric: string
  /** Epoch milliseconds; included. */
  readonly from: number
}
export interface NewestValue {
  readonly at: number
  readonly value: number
}

/**
 * Reads the newest value of each requested metric from its instant on, in the order of the queries; else
 * undefined.
 */
export async function readNewestValues(
  db: Queryable,
  tenantId: number,
  queries: readonly NewestValueQuery[],
): Promise<(NewestValue | undefined)[]> {
  const newest = queries.map((): NewestValue | undefined => undefined)
  if (queries.length === 0) return newest
  const values = [
    tenantId,
    queries.map(({ deviceKey }) => deviceKey),
    queries.map(({ metric }) => metric),
    queries.map(({ from }) => iso(from)),
  ]
  for (const [ordinal, at, found] of await readRows(db, { ...NEWEST, values })) {
    newest[Number(ordinal) - 1] = { at: Number(at), value: Number(found) }
  }
  return newest
}
