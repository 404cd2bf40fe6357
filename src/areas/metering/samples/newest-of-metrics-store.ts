import { isMetric, type Metric } from '../../../core/sample-chunks/index.ts'
import { fromMillionths, isRegister } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { epochMs, readValues, VALUE_COLUMNS } from '../sample-columns.ts'
import {
  LATEST_AHEAD_MAX_MS,
  LATEST_GROUPS_MAX,
  LATEST_NEAR_MS,
  LATEST_SAMPLES_PER_DEVICE,
} from './limits.ts'
import { COLUMNS, type NewestSample, readSamplesBy } from './newest-store.ts'

/** The column of values without a column of their own. */
const EXTRA = 'extra'

/** Bits of the columns that have a value. */
const PRESENT = VALUE_COLUMNS.map((name, bit) => `(("${name}" is not null)::int << ${bit})`).join(' | ')
// Of the newest samples of a device usually the first one has all its metrics, so that the others are not transferred.
const NEWEST_OF_METRICS = {
  name: 'measurement_newest_of_metrics',
  text: `
    select k.device_key, m.at, ${COLUMNS}
    from unnest($2::int[]) as k (device_key) cross join lateral (
      select * from (
        select s.*, bit_or(present) over (order by ts desc rows between unbounded preceding and 1 preceding) as newer
        from (
          select ${epochMs('ts')} as at, ${PRESENT} as present, * from measurement
          where tenant_id = $1 and device_key = k.device_key and ts >= $3 order by ts desc limit $4
        ) s
      ) c where extra is not null or present & ~coalesce(newer, 0) <> 0
    ) m`,
}

interface NewestOptions {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  /** Epoch milliseconds; included. */
  readonly from: number
  readonly now: number
  /** Undefined: every metric. */
  readonly metrics: ReadonlySet<string> | undefined
}

/**
 * Reads of each device the samples with the newest value of each metric, of its newest LATEST_SAMPLES_PER_DEVICE
 * samples. Others than the newest are read only where they have a metric that the newest one has not.
 */
export async function readNewestByDevice(
  db: Queryable,
  options: NewestOptions,
): Promise<Map<number, NewestSample[]>> {
  const found = new Map((await readNewest(db, options)).map((sample) => [sample.deviceKey, [sample]]))
  const searched = await listIncomplete(db, options, [...found.values()].flat())
  if (searched.length === 0) return found
  const search = { ...options, deviceKeys: searched, perDevice: LATEST_SAMPLES_PER_DEVICE }
  for (const key of searched) found.delete(key)
  for (const sample of await readSamplesBy(NEWEST_OF_METRICS, db, search)) {
    const known = found.get(sample.deviceKey)
    if (known) known.push(sample)
    else found.set(sample.deviceKey, [sample])
  }
  return found
}

/** The newest sample of each device, if it has one; with the values of the metrics at least where it has them. */
async function readNewest(db: Queryable, options: NewestOptions): Promise<NewestSample[]> {
  const { deviceKeys, from, now, metrics } = options
  const [metric = '', ...others] = metrics ?? []
  const read = others.length === 0 && isMetric(metric) ? readValue(metric) : readAll
  const to = now + LATEST_AHEAD_MAX_MS
  const nearFrom = Math.max(from, now - LATEST_NEAR_MS)
  const near = await read(db, options, { deviceKeys, range: { from: nearFrom, to } })
  if (near.length === deviceKeys.length || nearFrom === from) return near
  const known = new Set(near.map(({ deviceKey }) => deviceKey))
  const silent = deviceKeys.filter((key) => !known.has(key))
  return [...near, ...(await read(db, options, { deviceKeys: silent, range: { from, to: nearFrom } }))]
}

interface Searched {
  readonly deviceKeys: readonly number[]
  readonly range: Range
}
type ReadNewest = (
  db: Queryable,
  of: { readonly tenantId: number },
  searched: Searched,
) => Promise<NewestSample[]>

/**
 * The newest sample of each device in a range. The statement has no name: a plan for all values would sort the samples
 * of each device, because it does not know the range.
 */
const newestOf = (columns: string) => `
  select k.device_key, m.* from unnest($2::int[]) as k (device_key) cross join lateral (
    select ${epochMs('ts')}, ${columns} from measurement m
    where tenant_id = $1 and device_key = k.device_key and ts >= $3 and ts < $4 order by ts desc limit 1
  ) m`

async function readCells(
  db: Queryable,
  columns: string,
  { tenantId, deviceKeys, range }: Searched & { readonly tenantId: number },
): Promise<unknown[][]> {
  const values = [tenantId, deviceKeys, iso(range.from), iso(range.to)]
  return await readRows(db, { text: newestOf(columns), values })
}

const readAll: ReadNewest = async (db, { tenantId }, searched) =>
  (await readCells(db, COLUMNS, { ...searched, tenantId })).map(([key, at, ...cells]) => ({
    deviceKey: Number(key),
    at: Number(at),
    values: readValues(cells),
  }))

/** Only the value of one metric, because usually every sample of a device has it. */
const readValue =
  (metric: Metric): ReadNewest =>
  async (db, { tenantId }, searched) =>
    (await readCells(db, `"${metric}"::float8`, { ...searched, tenantId })).map(([key, at, value]) => ({
      deviceKey: Number(key),
      at: Number(at),
      values:
        value === null
          ? {}
          : { [metric]: isRegister(metric) ? fromMillionths(Number(value)) : Number(value) },
    }))

/** The columns that may have a newer value in another sample than the newest one: the wanted ones that it has not. */
function missingColumns({ values }: NewestSample, metrics: ReadonlySet<string> | undefined): string[] {
  const missing: string[] = VALUE_COLUMNS.filter((name) => (metrics?.has(name) ?? true) && !(name in values))
  const areExtrasKnown = metrics && [...metrics].every((name) => isMetric(name) || name in values)
  return areExtrasKnown ? missing : [...missing, EXTRA]
}

/**
 * The devices of which an older sample has one of the columns that the newest one has not. Devices with the same
 * missing columns are searched together; testing for these columns costs a third of comparing all of them.
 */
async function listIncomplete(
  db: Queryable,
  { tenantId, from, now, metrics }: NewestOptions,
  newest: readonly NewestSample[],
): Promise<number[]> {
  const byColumns = new Map<string, { columns: readonly string[]; deviceKeys: number[] }>()
  for (const sample of newest) {
    const columns = missingColumns(sample, metrics)
    if (columns.length === 0) continue
    const id = columns.join()
    const group = byColumns.get(id) ?? { columns, deviceKeys: [] }
    byColumns.set(id, group)
    group.deviceKeys.push(sample.deviceKey)
  }
  const groups = [...byColumns.values()].sort((a, b) => b.deviceKeys.length - a.deviceKeys.length)
  const incomplete = groups.slice(LATEST_GROUPS_MAX).flatMap(({ deviceKeys }) => deviceKeys)
  for (const { columns, deviceKeys } of groups.slice(0, LATEST_GROUPS_MAX)) {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const rows = await readRows(db, {
      text: `select k.device_key from unnest($2::int[]) as k (device_key) cross join lateral (
        select 1 from (
          select ${names} from measurement
          where tenant_id = $1 and device_key = k.device_key and ts >= $3 and ts < $4 order by ts desc limit $5
        ) s where num_nonnulls(${names}) > 0 limit 1
      ) m`,
      values: [tenantId, deviceKeys, iso(from), iso(now + LATEST_AHEAD_MAX_MS), LATEST_SAMPLES_PER_DEVICE],
    })
    incomplete.push(...rows.map(([key]) => Number(key)))
  }
  return incomplete
}
