import { at } from '../../../kernel/checked.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { Interval } from '../rollup/index.ts'
import { type DeviceRef, type HourRow, type RollState, toIntervalMs, weightedMean } from '../rollup/index.ts'
import { epochMs } from '../sample-columns.ts'

export type Variant = 'consumption' | 'production'

export interface MeteredDevice extends DeviceRef, RollState {
  /**
   * True for a device that produces and never consumes, so the sign of its power only depends on the wiring.
   */
  readonly isInverter: boolean
  /** Hours before `rolledTo` that are not rolled up. */
  readonly marks: readonly Range[]
}

// A single statement, so that its parts are consistent. It runs before the rows are read, because an hour
// that is rolled up stays rolled up.
const DEVICE_QUERY = `select d.id, d.key,
      'inverter' in (d.device_type, d.device_role) and d.inverter_type is distinct from 'ess_inverter',
      ${epochMs('s.rolled_to')}, coalesce(s.registers, 0), m.froms, m.tos, d.reporting_interval_s
    from device d
    left join rollup_state s on s.tenant_id = d.tenant_id and s.device_key = d.key
    left join lateral (
      select array_agg(${epochMs('from_hour')}) as froms, array_agg(${epochMs('to_hour')}) as tos
      from rollup_dirty_range where tenant_id = $1 and device_key = d.key
    ) m on true
    where d.tenant_id = $1 and d.id`
const ONE_DEVICE = { name: 'measurement_head', text: `${DEVICE_QUERY} = $2` }
const MANY_DEVICES = { name: 'measurement_heads', text: `${DEVICE_QUERY} = any($2::uuid[])` }

export async function readMeteredDevice(
  db: Queryable,
  tenantId: number,
  id: string,
): Promise<MeteredDevice | undefined> {
  const [row] = await readRows(db, { ...ONE_DEVICE, values: [tenantId, id] })
  return row && toMeteredDevice(tenantId, row)
}

/** Reads many devices by id in one statement; unknown ones are left out. */
export async function readMeteredDevices(
  db: Queryable,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, MeteredDevice>> {
  const rows = await readRows(db, { ...MANY_DEVICES, values: [tenantId, ids] })
  return new Map(rows.map((row) => [String(row[0]), toMeteredDevice(tenantId, row)]))
}

function toMeteredDevice(tenantId: number, row: readonly unknown[]): MeteredDevice {
  const [, key, isInverter, rolledTo, registers, froms, tos, intervalS] = row
  const ends = (tos ?? []) as number[]
  return {
    tenantId,
    deviceKey: Number(key),
    isInverter: isInverter === true,
    rolledTo: rolledTo === null ? undefined : Number(rolledTo),
    registers: Number(registers),
    reportingIntervalMs: toIntervalMs(intervalS),
    marks: ((froms ?? []) as number[]).map((from, index) => ({ from, to: at(ends, index) })),
  }
}

/**
 * A bucket as the driver returns its row, before the rules of the interface are applied. It is not
 * converted to an object, because a year of hours has eight thousand rows. float8 and int4 are numbers.
 */
export type BucketRow = [
  /** Epoch seconds of the bucket's start. */
  start: number,
  /** Wh of the variant's register. */
  energyWh: number | null,
  /** False when the energy is only a linear share of a longer gap. */
  hasReading: boolean,
  /** varh, inductive and capacitive together. */
  reactiveVarh: number | null,
  voltage: number | null,
  current: number | null,
  power: number | null,
  powerFactor: number | null,
  samples: number,
  /** The number of hours with a measured energy that covers the whole hour. */
  completeHours: number,
  /** A reset or a false reading affects the energy. */
  isSuspect: boolean,
]
export const bucketStartMs = ([seconds]: BucketRow): number => seconds * 1000

/** The register of a variant: its column and its index in REGISTERS. */
const REGISTER = { consumption: ['import_wh', 0], production: ['production_wh', 2] } as const
const INDUCTIVE = 5
const CAPACITIVE = 6

/** Converts a freshly computed roll-up row. */
export function toBucketRow(row: HourRow, variant: Variant): BucketRow {
  const [, register] = REGISTER[variant]
  const bit = 1 << register
  const energy = row.energies[register] ?? null
  const [voltage = null, current = null, power = null, powerFactor = null] = row.averages
  const inductive = row.energies[INDUCTIVE] ?? null
  const capacitive = row.energies[CAPACITIVE] ?? null
  return [
    row.hour / 1000,
    energy,
    (row.estimatedBits & bit) === 0,
    inductive === null && capacitive === null ? null : (inductive ?? 0) + (capacitive ?? 0),
    voltage,
    current,
    power,
    powerFactor,
    row.samples,
    energy !== null && ((row.estimatedBits | row.partialBits) & bit) === 0 ? 1 : 0,
    (row.suspectBits & bit) !== 0,
  ]
}

const IN_RANGE = 'tenant_id = $1 and device_key = $2 and hour >= $3 and hour < $4'
const REACTIVE = `case when inductive_varh is null and capacitive_varh is null then null
    else coalesce(inductive_varh, 0) + coalesce(capacitive_varh, 0) end`

const isComplete = ([column, register]: readonly [string, number]): string =>
  `${column} is not null and ((estimated_bits | partial_bits) & ${1 << register}) = 0`

function hourStatement(variant: Variant) {
  const [column, register] = REGISTER[variant]
  return {
    name: `measurement_hours_${variant}`,
    text: `select date_part('epoch', hour), ${column}::float8, (estimated_bits & ${1 << register}) = 0, (${REACTIVE})::float8,
      voltage_avg, current_avg, active_power_avg, power_factor_avg, samples,
      (${isComplete(REGISTER[variant])})::int, (suspect_bits & ${1 << register}) <> 0
    from measurement_hour where ${IN_RANGE} order by hour`,
  }
}

function groupedStatement(variant: Variant, unit: 'day' | 'month') {
  const [column, register] = REGISTER[variant]
  const local = `date_trunc('${unit}', hour at time zone 'UTC' + interval '3 hours')`
  return {
    name: `measurement_${unit}s_${variant}`,
    text: `select date_part('epoch', ${local}) - 3 * 3600, sum(${column})::float8,
      coalesce(bool_or(${column} is not null and (estimated_bits & ${1 << register}) = 0), false),
      sum(${REACTIVE})::float8, ${weightedMean('voltage_avg')}, ${weightedMean('current_avg')},
      ${weightedMean('active_power_avg')}, ${weightedMean('power_factor_avg')}, sum(samples)::int,
      count(*) filter (where ${isComplete(REGISTER[variant])})::int, bool_or((suspect_bits & ${1 << register}) <> 0)
    from measurement_hour where ${IN_RANGE} group by ${local} order by 1`,
  }
}

/** The statement of an interval; the benchmark runs it directly. */
export const bucketStatement = (variant: Variant, interval: Interval) =>
  interval === 'hourly'
    ? hourStatement(variant)
    : groupedStatement(variant, interval === 'daily' ? 'day' : 'month')

export interface BucketQuery {
  readonly variant: Variant
  readonly interval: Interval
  /** Whole buckets. */
  readonly range: Range
}

/** Reads the buckets of a range from roll-up rows, ascending. */
export async function readBuckets(
  db: Queryable,
  { tenantId, deviceKey }: DeviceRef,
  { variant, interval, range }: BucketQuery,
): Promise<BucketRow[]> {
  const values = [tenantId, deviceKey, iso(range.from), iso(range.to)]
  return (await readRows(db, { ...bucketStatement(variant, interval), values })) as BucketRow[]
}
