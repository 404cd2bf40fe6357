import { GAUGES, REGISTERS } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { type NearestSide, readNearest } from '../history/index.ts'
import type { SampleValues } from '../intake-contract/index.ts'
import { epochMs, readValues, VALUE_COLUMNS } from '../sample-columns.ts'

/** SQL: the values of a sample `m`. */
export const COLUMNS = [...VALUE_COLUMNS, 'extra'].map((name) => `m."${name}"`).join(', ')
// One index scan per device, so that the cost follows the number of returned rows and not of stored ones.
const NEWEST_SAMPLES = {
  name: 'measurement_newest',
  text: `
    select k.device_key, m.at, ${COLUMNS}
    from unnest($2::int[]) as k (device_key) cross join lateral (
      select ${epochMs('ts')} as at, * from measurement
      where tenant_id = $1 and device_key = k.device_key and ts >= $3 order by ts desc limit $4
    ) m`,
}

export interface NewestSamplesOptions {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  /** Epoch milliseconds; included. */
  readonly from: number
  readonly perDevice: number
}

export interface NewestSample {
  readonly deviceKey: number
  readonly at: number
  readonly values: SampleValues
}

/**
 * Reads the newest stored samples of each device from an instant on, at most `perDevice` of each, unordered. The
 * instant is not older than COMPRESSED_AGE_MIN_MS: only rows are read.
 */
export const readNewestSamples = (db: Queryable, options: NewestSamplesOptions): Promise<NewestSample[]> =>
  readSamplesBy(NEWEST_SAMPLES, db, options)

/** Runs a statement that returns key, instant and COLUMNS of samples. */
export async function readSamplesBy(
  statement: { readonly name: string; readonly text: string },
  db: Queryable,
  { tenantId, deviceKeys, from, perDevice }: NewestSamplesOptions,
): Promise<NewestSample[]> {
  const rows = await readRows(db, { ...statement, values: [tenantId, deviceKeys, iso(from), perDevice] })
  return rows.map(([key, at, ...cells]) => ({
    deviceKey: Number(key),
    at: Number(at),
    values: readValues(cells),
  }))
}

/** Requests the newest sample, whatever its metrics are. */
export const ANY_METRIC = '*'

const value = [
  `when '${ANY_METRIC}' then 0`,
  ...REGISTERS.map((name) => `when '${name}' then m.${name}::float8 / 1000000`),
  ...GAUGES.map((name) => `when '${name}' then m."${name}"`),
].join(' ')
const NEWEST_VALUES = {
  name: 'measurement_newest_values',
  text: `select w.ordinal, n.at, n.value
    from unnest($2::int[], $3::text[], $4::timestamptz[]) with ordinality as w (key, metric, begins, ordinal)
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

/** Chunks with extra values need not have the wanted one, so all of them are searched. */
const EVERY_CHUNK = 1_000_000

/** The searches for values that are newer than those of the rows, or that the rows do not have. */
const searchesOf = (
  queries: readonly NewestValueQuery[],
  rows: readonly (readonly unknown[])[],
): NearestSide[] =>
  queries.map(({ deviceKey, metric, from }, index) => {
    const isExtra = metric !== ANY_METRIC && !VALUE_COLUMNS.some((name) => name === metric)
    const found = rows.flatMap(([ordinal, at]) => (Number(ordinal) === index + 1 ? [Number(at)] : []))
    return {
      deviceKey,
      metric: metric === ANY_METRIC ? undefined : metric,
      at: Number.POSITIVE_INFINITY,
      isAfter: false,
      count: isExtra && found.length === 0 ? EVERY_CHUNK : 1,
      found,
      until: from,
    }
  })

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
  const statement = { ...NEWEST_VALUES, values }
  const rows = await readNearest(db, tenantId, statement, (found) => searchesOf(queries, found))
  for (const [ordinal, at, found] of rows) {
    newest[Number(ordinal) - 1] = { at: Number(at), value: Number(found) }
  }
  return newest
}
