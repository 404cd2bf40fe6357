import { isMetric, type Metric } from '../../../core/sample-chunks/index.ts'
import { fromMillionths, isRegister } from '../../../kernel/metrics.ts'
import { iso } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { SampleValues } from '../intake-contract/index.ts'
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

/** The devices of a request: those of some ids, or a page by id of the tenant or of a gateway. */
type ChosenDevices =
  | { readonly ids: readonly string[] }
  | { readonly gatewayId: string | undefined; readonly skip: number; readonly limit: number }

export interface DeviceState {
  readonly id: string
  readonly key: number
  readonly is_online: boolean
  /** Epoch milliseconds. */
  readonly lastSeen: number | undefined
  readonly offline_threshold_s: number
}

/** A device with samples that have the newest value of each metric. */
export interface NewestOfDevice {
  readonly state: DeviceState
  readonly samples: readonly NewestSample[]
}

interface NewestOptions {
  readonly tenantId: number
  readonly devices: ChosenDevices
  /** Epoch milliseconds; included. */
  readonly from: number
  readonly now: number
  /** Undefined: every metric. */
  readonly metrics: ReadonlySet<string> | undefined
}

/**
 * Reads devices, and of each the samples with the newest value of each metric, of its newest LATEST_SAMPLES_PER_DEVICE
 * samples. Others than the newest are read only where they have a metric that the newest one has not.
 */
export async function readNewestByDevice(db: Queryable, options: NewestOptions): Promise<NewestOfDevice[]> {
  const { states, found } = await readNewest(db, options)
  const searched = await listIncomplete(db, options, [...found.values()].flat())
  if (searched.length > 0) {
    const search = { ...options, deviceKeys: searched, perDevice: LATEST_SAMPLES_PER_DEVICE }
    for (const key of searched) found.set(key, [])
    for (const sample of await readSamplesBy(NEWEST_OF_METRICS, db, search))
      found.get(sample.deviceKey)?.push(sample)
  }
  return states.map((state) => ({ state, samples: found.get(state.key) ?? [] }))
}

/** The number of devices of which a page is read. */
export async function countDevices(
  db: Queryable,
  tenantId: number,
  gatewayId: string | undefined,
): Promise<number> {
  const [row] = await readRows(db, {
    name: 'measurement_device_count',
    text: `select count(*)::int from device where tenant_id = $1
      and ($2::uuid is null or $2 in (gateway_id, mqtt_gateway_id))`,
    values: [tenantId, gatewayId ?? null],
  })
  return Number(row?.[0])
}

interface Newest {
  readonly states: readonly DeviceState[]
  /** The newest sample of each device that has one, by its key. */
  readonly found: Map<number, NewestSample[]>
}

/**
 * The devices, and the newest sample of each: near now in the statement of the devices, and then, of devices without
 * one, before that. It has the values of the metrics at least where it has them.
 */
async function readNewest(db: Queryable, options: NewestOptions): Promise<Newest> {
  const { tenantId, from, now, metrics } = options
  const [metric = '', ...others] = metrics ?? []
  const values = others.length === 0 && isMetric(metric) ? oneValue(metric) : ALL_VALUES
  const nearFrom = Math.max(from, now - LATEST_NEAR_MS)
  const rows = await readNearNow(db, options, { columns: values.columns, nearFrom })
  const found = new Map<number, NewestSample[]>()
  const add = (deviceKey: number, at: unknown, cells: readonly unknown[]) =>
    found.set(deviceKey, [{ deviceKey, at: Number(at), values: values.read(cells) }])
  const states: DeviceState[] = []
  const silent: number[] = []
  for (const [id, key, lastSeen, threshold, isOnline, at, ...cells] of rows) {
    const deviceKey = Number(key)
    states.push({
      id: String(id),
      key: deviceKey,
      is_online: isOnline === true,
      lastSeen: lastSeen === null ? undefined : Number(lastSeen),
      offline_threshold_s: Number(threshold),
    })
    if (at === null) silent.push(deviceKey)
    else add(deviceKey, at, cells)
  }
  if (silent.length > 0 && nearFrom > from)
    for (const [key, at, ...cells] of await readRows(db, {
      text: `select k.key, m.* from unnest($4::int[]) as k (key) cross join lateral (${newestOf(values.columns, 'k.key')}) m`,
      values: [tenantId, iso(from), iso(nearFrom), silent],
    }))
      add(Number(key), at, cells)
  return { states, found }
}

/**
 * SQL: the newest sample of a device from $2 until $3. Statements with it have no name: a plan for all values would
 * sort the samples of each device, because it does not know the range.
 */
const newestOf = (columns: string, key: string) => `
  select ${epochMs('ts')} as at, ${columns} from measurement m
  where tenant_id = $1 and device_key = ${key} and ts >= $2 and ts < $3 order by ts desc limit 1`

/** The devices by id, each with its newest sample near now. */
function readNearNow(
  db: Queryable,
  { tenantId, devices, now }: NewestOptions,
  { columns, nearFrom }: { readonly columns: string; readonly nearFrom: number },
): Promise<unknown[][]> {
  const [chosen, values] =
    'ids' in devices
      ? ['id = any($5::uuid[])', [devices.ids]]
      : [
          '($5::uuid is null or $5 in (gateway_id, mqtt_gateway_id)) order by id offset $6 limit $7',
          [devices.gatewayId ?? null, devices.skip, devices.limit],
        ]
  return readRows(db, {
    text: `select d.id, d.key, ${epochMs('d.last_seen')}, d.offline_threshold_s,
        coalesce(d.last_seen > $4::timestamptz - d.offline_threshold_s * interval '1 second', false), m.*
      from (
        select id, key, last_seen, offline_threshold_s from device where tenant_id = $1 and ${chosen}
      ) d left join lateral (${newestOf(columns, 'd.key')}) m on true order by d.id`,
    values: [tenantId, iso(nearFrom), iso(now + LATEST_AHEAD_MAX_MS), iso(now), ...values],
  })
}

/** The columns of a sample, and the values in their cells. */
interface Values {
  readonly columns: string
  readonly read: (cells: readonly unknown[]) => SampleValues
}

const ALL_VALUES: Values = { columns: COLUMNS, read: readValues }

/** Only the value of one metric, because usually every sample of a device has it. */
const oneValue = (metric: Metric): Values => ({
  columns: `"${metric}"::float8`,
  read([value]): SampleValues {
    if (value === null || value === undefined) return {}
    return { [metric]: isRegister(metric) ? fromMillionths(Number(value)) : Number(value) }
  },
})

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
