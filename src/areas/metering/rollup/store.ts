import { columnNumber } from '../../../core/sample-chunks/index.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { floorHour, iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { instantsOf, readRanges, readSummarised, type Summary } from '../history/index.ts'
import { epochMs, SESSION_COLUMNS } from '../sample-columns.ts'
import { AVERAGED, type HourRow, type RawSample } from './hour-rows.ts'

export interface DeviceRef {
  readonly tenantId: number
  readonly deviceKey: number
  /** All samples from this instant on are rows (see `DeviceRange`). */
  readonly rowsFrom?: number | undefined
}

/** As epochMs, without a function that depends on the time zone: a distributed database refuses these in RETURNING. */
const msSinceEpoch = (column: string) => `round(date_part('epoch', ${column} - timestamptz 'epoch') * 1000)`

export const OF_DEVICE = 'tenant_id = $1 and device_key = $2'
const names = (columns: readonly string[]) => columns.map((name) => `"${name}"`).join(', ')

const EXTENT = {
  name: 'measurement_extent',
  text: `select ${epochMs('min(ts)')}, ${epochMs('max(ts)')}, ${REGISTERS.map((name) => `count(${name}) > 0`).join(', ')}
    from measurement where ${OF_DEVICE} and ts >= $3 and ts < $4`,
}

export interface SampleExtent {
  /** From the first sample to the last one. */
  readonly from: number
  readonly to: number
  /** A bit for each register that occurs. */
  readonly registers: number
}

/** Extent of the samples of a range; undefined when it has none. `to` may be infinite. */
export async function readExtent(
  db: Queryable,
  device: DeviceRef,
  range: Range,
): Promise<SampleExtent | undefined> {
  const { rows, summaries } = await readSummarised(db, wantedOf(device, range), {
    ...EXTENT,
    values: [...keyValues(device), toSqlInstant(range.from), toSqlInstant(range.to)],
  })
  const [row] = rows
  const [from, to, ...has] = row ?? []
  if (from === null || from === undefined) return undefined
  return {
    from: Number(from),
    to: Number(to),
    registers: has.reduce<number>(
      (bits, isThere, register) => bits | (isThere === true ? 1 << register : 0),
      registersOf(summaries),
    ),
  }
}

/** The bits of the registers that occur in summaries. */
export const registersOf = (summaries: readonly Summary[]): number =>
  REGISTERS.reduce(
    (bits, register, index) =>
      summaries.some(({ metrics }) => (metrics & (1 << columnNumber(register))) !== 0)
        ? bits | (1 << index)
        : bits,
    0,
  )

const wantedOf = ({ tenantId, deviceKey, rowsFrom }: DeviceRef, range: Range) => ({
  tenantId,
  ranges: [{ deviceKey, range, rowsFrom }],
})
export const keyValues = ({ tenantId, deviceKey }: DeviceRef) => [tenantId, deviceKey]
/** An instant as text for PostgreSQL; it may be infinite. */
export const toSqlInstant = (at: number): string =>
  at === Number.POSITIVE_INFINITY ? 'infinity' : at === Number.NEGATIVE_INFINITY ? '-infinity' : iso(at)

const COUNTS = {
  name: 'measurement_hour_counts',
  text: `select floor(date_part('epoch', ts) / 3600) * 3600000, count(*)::int
    from measurement where ${OF_DEVICE} and ts >= $3 and ts < $4 group by 1 order by 1`,
}

/** Counts the samples of each hour of a range, ascending; hours without samples are left out. */
export async function readHourCounts(
  db: Queryable,
  device: DeviceRef,
  range: Range,
): Promise<{ hour: number; samples: number }[]> {
  const { rows, summaries } = await readSummarised(db, wantedOf(device, range), {
    ...COUNTS,
    values: [...keyValues(device), iso(range.from), iso(range.to)],
  })
  if (summaries.length === 0)
    return rows.map(([hour, samples]) => ({ hour: Number(hour), samples: Number(samples) }))
  const counts = new Map(rows.map(([hour, samples]) => [Number(hour), Number(samples)]))
  for await (const instants of instantsOf(db, device.tenantId, summaries))
    for (const instant of instants) counts.set(floorHour(instant), (counts.get(floorHour(instant)) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a - b).map(([hour, samples]) => ({ hour, samples }))
}

const SAMPLES = {
  name: 'measurement_rollup_samples',
  text: `select ${epochMs('ts')}, ${SESSION_COLUMNS}, ${names(REGISTERS)}, ${names(AVERAGED)}
    from measurement where ${OF_DEVICE} and ts >= $3 and ts < $4 order by ts`,
}
const FIRST_REGISTER = 3
const FIRST_GAUGE = FIRST_REGISTER + REGISTERS.length
export const numberOrNull = (cell: unknown): number | null => (cell === null ? null : Number(cell))

export async function readSamples(db: Queryable, device: DeviceRef, range: Range): Promise<RawSample[]> {
  const rows = await readRanges(db, wantedOf(device, range), {
    ...SAMPLES,
    values: [...keyValues(device), iso(range.from), iso(range.to)],
  })
  return rows.map((cells) => ({
    at: Number(cells[0]),
    registers: cells.slice(FIRST_REGISTER, FIRST_GAUGE).map(numberOrNull),
    gauges: cells.slice(FIRST_GAUGE).map(numberOrNull),
    beginKwh: numberOrNull(cells[1]),
    endKwh: numberOrNull(cells[2]),
  }))
}

export const ENERGY_COLUMNS = [
  'import_wh',
  'export_wh',
  'production_wh',
  'battery_charge_wh',
  'battery_discharge_wh',
  'inductive_varh',
  'capacitive_varh',
] as const
const VALUE_COLUMNS = [
  ...ENERGY_COLUMNS,
  ...AVERAGED.map((name) => `${name}_avg`),
  'samples',
  'estimated_bits',
  'suspect_bits',
  'partial_bits',
]
const TYPES = [
  ...ENERGY_COLUMNS.map(() => 'bigint'),
  ...AVERAGED.map(() => 'float8'),
  ...['integer', 'smallint', 'smallint', 'smallint'],
]

// The last condition makes a repeated roll-up a no-op.
const UPSERT = `
  insert into measurement_hour as known (tenant_id, device_key, hour, ${VALUE_COLUMNS.join(', ')})
  select $1::int, $2::int, * from unnest($3::timestamptz[], ${TYPES.map((type, at) => `$${at + 4}::${type}[]`).join(', ')})
  on conflict (tenant_id, device_key, hour) do update
    set ${VALUE_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${VALUE_COLUMNS.map((name) => `known.${name}`).join(', ')})
      is distinct from (${VALUE_COLUMNS.map((name) => `excluded.${name}`).join(', ')})`

export async function upsertHours(db: Queryable, device: DeviceRef, rows: readonly HourRow[]): Promise<void> {
  if (rows.length === 0) return
  await db.query({
    text: UPSERT,
    rowMode: 'array',
    values: [
      ...keyValues(device),
      rows.map(({ hour }) => iso(hour)),
      ...ENERGY_COLUMNS.map((_, register) => rows.map(({ energies }) => energies[register])),
      ...AVERAGED.map((_, index) => rows.map(({ averages }) => averages[index])),
      rows.map(({ samples }) => samples),
      rows.map(({ estimatedBits }) => estimatedBits),
      rows.map(({ suspectBits }) => suspectBits),
      rows.map(({ partialBits }) => partialBits),
    ],
  })
}

export interface RollState {
  /** The end of the last hour that is rolled up; undefined when none is. */
  readonly rolledTo: number | undefined
  /** Bits of the registers that roll-ups have seen of the device so far. */
  readonly registers: number
  /** The setting of the device. */
  readonly reportingIntervalMs: number | undefined
}

/**
 * Locks the device until the transaction ends and deletes its marks. Undefined when another roll-up holds
 * the lock.
 */
export async function lockAndTakeMarks(
  db: Queryable,
  device: DeviceRef,
): Promise<{ state: RollState; marks: Range[] } | undefined> {
  // An advisory lock also works for a device without a state row; both numbers fit its two halves.
  const [lock] = await readRows(db, {
    name: 'rollup_lock',
    text: 'select pg_try_advisory_xact_lock($1, $2)',
    values: keyValues(device),
  })
  if (lock?.[0] !== true) return undefined
  const [state] = await readRows(db, {
    name: 'rollup_state',
    text: `select ${epochMs('s.rolled_to')}, s.registers, d.reporting_interval_s
      from (select 1) one
      left join rollup_state s on s.tenant_id = $1 and s.device_key = $2
      left join device d on d.tenant_id = $1 and d.key = $2`,
    values: keyValues(device),
  })
  const marks = await readRows(db, {
    name: 'rollup_take_marks',
    text: `delete from rollup_dirty_range where ${OF_DEVICE} returning ${msSinceEpoch('from_hour')}, ${msSinceEpoch('to_hour')}`,
    values: keyValues(device),
  })
  return {
    state: {
      rolledTo: numberOrNull(state?.[0] ?? null) ?? undefined,
      registers: Number(state?.[1] ?? 0),
      reportingIntervalMs: toIntervalMs(state?.[2]),
    },
    marks: marks.map(([from, to]) => ({ from: Number(from), to: Number(to) })),
  }
}

/** Milliseconds of a column reporting_interval_s. */
export const toIntervalMs = (seconds: unknown): number | undefined =>
  seconds === null || seconds === undefined ? undefined : Number(seconds) * 1000

export async function upsertState(
  db: Queryable,
  device: DeviceRef,
  { rolledTo, registers }: { rolledTo: number; registers: number },
): Promise<void> {
  await readRows(db, {
    name: 'rollup_save_state',
    text: `insert into rollup_state as known (tenant_id, device_key, rolled_to, registers)
      values ($1, $2, $3, $4)
      on conflict (tenant_id, device_key) do update
        set rolled_to = greatest(known.rolled_to, excluded.rolled_to), registers = known.registers | excluded.registers`,
    values: [...keyValues(device), iso(rolledTo), registers],
  })
}

const toDeviceRefs = (rows: readonly unknown[][]): DeviceRef[] =>
  rows.map(([tenantId, deviceKey]) => ({ tenantId: Number(tenantId), deviceKey: Number(deviceKey) }))

/** Lists devices of active tenants with marks, those with the oldest mark first. */
export const listMarkedDevices = async (db: Queryable, limit: number): Promise<DeviceRef[]> =>
  toDeviceRefs(
    await readRows(db, {
      name: 'rollup_marked_devices',
      text: `select tenant_id, device_key from rollup_dirty_range r
        where exists (select 1 from tenant t where t.id = r.tenant_id and t.is_active)
        group by 1, 2 order by min(id) limit $1`,
      values: [limit],
    }),
  )

/** Lists devices of active tenants with samples since their last roll-up that has not reached `to`, by key. */
export const listUnrolledDevices = async (
  db: Queryable,
  { to, limit, after }: { to: number; limit: number; after: number },
): Promise<DeviceRef[]> =>
  toDeviceRefs(
    await readRows(db, {
      name: 'rollup_unrolled_devices',
      text: `select d.tenant_id, d.key from device d left join rollup_state s on s.tenant_id = d.tenant_id and s.device_key = d.key
        where d.key > $3 and d.last_seen is not null
          and exists (select 1 from tenant t where t.id = d.tenant_id and t.is_active)
          and (s.rolled_to is null or (s.rolled_to < $1 and d.last_seen >= s.rolled_to))
        order by d.key limit $2`,
      values: [iso(to), limit, after],
    }),
  )
