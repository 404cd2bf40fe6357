import { isMetric, type Metric } from '../../../core/sample-chunks/index.ts'
import { fromMillionths, isRegister } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { epochMs, VALUE_COLUMNS } from '../sample-columns.ts'
import { LATEST_SAMPLES_PER_DEVICE } from './limits.ts'
import { COLUMNS, type NewestSample, readNewestSamples, readSamplesBy } from './newest-store.ts'

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

/** The newest sample of each device with one metric: usually every sample of a device has it. */
const newestOf = (metric: Metric) => ({
  name: `measurement_newest_${metric}`,
  text: `
    select k.device_key, m.at, m.value from unnest($2::int[]) as k (device_key) cross join lateral (
      select ${epochMs('ts')} as at, "${metric}"::float8 as value from measurement
      where tenant_id = $1 and device_key = k.device_key and ts >= $3 order by ts desc limit 1
    ) m`,
})

interface NewestOptions {
  readonly tenantId: number
  readonly deviceKeys: readonly number[]
  /** Epoch milliseconds; included. */
  readonly from: number
  /** Undefined: every metric. */
  readonly metrics: ReadonlySet<string> | undefined
}

/**
 * Reads of each device the samples with the newest value of each metric, of its newest LATEST_SAMPLES_PER_DEVICE
 * samples. Others than the newest are read only where that one has not all the metrics.
 */
export async function readNewestByDevice(
  db: Queryable,
  options: NewestOptions,
): Promise<Map<number, NewestSample[]>> {
  const { metrics, deviceKeys } = options
  const found = new Map<number, NewestSample[]>()
  if (metrics)
    for (const sample of await readOneOfEach(db, options, [...metrics]))
      if ([...metrics].every((metric) => metric in sample.values)) found.set(sample.deviceKey, [sample])
  const searched = deviceKeys.filter((key) => !found.has(key))
  if (searched.length === 0) return found
  const search = { ...options, deviceKeys: searched, perDevice: LATEST_SAMPLES_PER_DEVICE }
  for (const sample of await readSamplesBy(NEWEST_OF_METRICS, db, search)) {
    const known = found.get(sample.deviceKey)
    if (known) known.push(sample)
    else found.set(sample.deviceKey, [sample])
  }
  return found
}

/** The newest sample of each device, with the values of the metrics at least where it has them. */
async function readOneOfEach(
  db: Queryable,
  { tenantId, deviceKeys, from }: NewestOptions,
  [metric = '', ...others]: readonly string[],
): Promise<NewestSample[]> {
  if (others.length > 0 || !isMetric(metric))
    return readNewestSamples(db, { tenantId, deviceKeys, from, perDevice: 1 })
  const rows = await readRows(db, { ...newestOf(metric), values: [tenantId, deviceKeys, iso(from)] })
  return rows.map(([key, at, value]) => ({
    deviceKey: Number(key),
    at: Number(at),
    values:
      value === null ? {} : { [metric]: isRegister(metric) ? fromMillionths(Number(value)) : Number(value) },
  }))
}
