import { at } from '../../../kernel/checked.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import type { ReadDatabase } from '../../../platform/db/replica-reads.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import { type DeviceRef, type Interval, type RollState, toIntervalMs, weightedMean } from '../rollup/index.ts'
import { epochMs } from '../sample-columns.ts'
import { type BucketRow, hourFields, REGISTER, readHours, type Variant } from './bucket-row.ts'

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
const DEVICE_COLUMNS = `select d.id, d.key,
      'inverter' in (d.device_type, d.device_role) and d.inverter_type is distinct from 'ess_inverter',
      ${epochMs('s.rolled_to')}, coalesce(s.registers, 0), m.froms, m.tos, d.reporting_interval_s
    from device d
    left join rollup_state s on s.tenant_id = d.tenant_id and s.device_key = d.key`
const MARKS = `array_agg(${epochMs('from_hour')}) as froms, array_agg(${epochMs('to_hour')}) as tos
      from rollup_dirty_range where tenant_id = $1`
const DEVICE_QUERY = `${DEVICE_COLUMNS}
    left join lateral (select ${MARKS} and device_key = d.key) m on true
    where d.tenant_id = $1 and d.id`
const ONE_DEVICE = { name: 'measurement_head', text: `${DEVICE_QUERY} = $2` }
const MANY_DEVICES = { name: 'measurement_heads', text: `${DEVICE_QUERY} = any($2::uuid[])` }

const OF_GATEWAY = '($2::uuid is null or $2 in (d.gateway_id, d.mqtt_gateway_id))'
// The marks of the whole tenant are few, and cost less than a search for each device.
const PAGE_OF_DEVICES = {
  name: 'measurement_heads_page',
  text: `${DEVICE_COLUMNS} left join (select device_key, ${MARKS} group by device_key) m on m.device_key = d.key
    where d.tenant_id = $1 and ${OF_GATEWAY} order by d.id offset $3 limit $4`,
}
const COUNT_OF_DEVICES = {
  name: 'measurement_heads_count',
  text: `select count(*)::int from device d where d.tenant_id = $1 and ${OF_GATEWAY}`,
}

interface DevicePage {
  readonly gatewayId?: string | null | undefined
  readonly skip: number
  readonly limit: number
}

export interface DeviceOfPage extends MeteredDevice {
  readonly id: string
}

/** Reads a page of the devices of a tenant or of a gateway by id, and their number. */
export async function readDevicePage(
  db: Queryable,
  tenantId: number,
  { gatewayId = null, skip, limit }: DevicePage,
): Promise<{ readonly devices: DeviceOfPage[]; readonly total: number }> {
  const [rows, [count]] = await Promise.all([
    readRows(db, { ...PAGE_OF_DEVICES, values: [tenantId, gatewayId, skip, limit] }),
    readRows(db, { ...COUNT_OF_DEVICES, values: [tenantId, gatewayId] }),
  ])
  const devices = rows.map((row) => ({ id: String(row[0]), ...toMeteredDevice(tenantId, row) }))
  return { devices, total: Number(count?.[0]) }
}

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

const IN_RANGE = 'tenant_id = $1 and device_key = $2 and hour >= $3 and hour < $4'
/** The same for COPY, which takes no parameters: keys are numbers, and instants are written by the service. */
const inRange = ({ tenantId, deviceKey }: DeviceRef, { from, to }: Range): string =>
  `tenant_id = ${tenantId} and device_key = ${deviceKey} and hour >= '${iso(from)}' and hour < '${iso(to)}'`
const REACTIVE = `case when inductive_varh is null and capacitive_varh is null then null
    else coalesce(inductive_varh, 0) + coalesce(capacitive_varh, 0) end`

const isComplete = ([column, register]: readonly [string, number]): string =>
  `${column} is not null and ((estimated_bits | partial_bits) & ${1 << register}) = 0`

function statementOf(variant: Variant, unit: 'day' | 'month') {
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

/** The statement of a grouped interval; the benchmark runs it directly. */
export const groupedStatement = (variant: Variant, interval: Exclude<Interval, 'hourly'>) =>
  statementOf(variant, interval === 'daily' ? 'day' : 'month')

export interface BucketQuery {
  readonly variant: Variant
  readonly interval: Interval
  /** Whole buckets. */
  readonly range: Range
}

/** Receives buckets one after the other. */
interface BucketReceiver {
  add(bucket: BucketRow): void
}

export class BucketList implements BucketReceiver {
  readonly buckets: BucketRow[] = []

  add(bucket: BucketRow): void {
    this.buckets.push(bucket)
  }
}

/**
 * Reads the buckets of a range from roll-up rows, ascending; hours are passed on as they arrive. `begin` returns what
 * receives them; it is called again when the statement is repeated on another server.
 */
export async function readBuckets<Receiver extends BucketReceiver>(
  { pool, copyOut }: ReadDatabase,
  device: DeviceRef,
  { variant, interval, range }: BucketQuery,
  begin: () => Receiver,
): Promise<Receiver> {
  if (interval === 'hourly') {
    const text = `select ${hourFields(variant)} from measurement_hour where ${inRange(device, range)} order by hour`
    const read = await copyOut(`copy (${text}) to stdout (format binary)`, () => {
      const receiver = begin()
      return { receiver, readRow: readHours(variant, (hour) => receiver.add(hour)) }
    })
    return read.receiver
  }
  const values = [device.tenantId, device.deviceKey, iso(range.from), iso(range.to)]
  const rows = await readRows(pool, { ...groupedStatement(variant, interval), values })
  const receiver = begin()
  for (const row of rows) receiver.add(row as BucketRow)
  return receiver
}
