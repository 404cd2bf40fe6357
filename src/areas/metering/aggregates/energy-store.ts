import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { Interval } from '../rollup/index.ts'
import { AVERAGED, type DeviceRef, ENERGY_COLUMNS, weightedMean } from '../rollup/index.ts'

/** Energy of all registers of a device in an hour, a day or a month. */
export interface EnergyBucket {
  /** Epoch milliseconds. */
  readonly start: number
  /** Wh (varh) in the order of REGISTERS; null when unknown. */
  readonly energies: readonly (number | null)[]
  /** Bits of the registers whose energy is more than a linear share of a gap. */
  readonly readBits: number
  /** Bits of the registers whose energy is measured and covers the whole of each hour. */
  readonly wholeBits: number
  /** Bits of the registers that a reset or a false reading affects. */
  readonly suspectBits: number
  /** The number of hours with a row. */
  readonly hours: number
  /** Means of the samples, in the order of AVERAGED. */
  readonly averages: readonly (number | null)[]
  readonly samples: number
}

const KNOWN_BITS = ENERGY_COLUMNS.map(
  (column, register) => `case when ${column} is null then 0 else ${1 << register} end`,
).join(' | ')
/** SQL: bits of the registers whose energy is more than a linear share of a gap. */
export const READ_BITS = `(${KNOWN_BITS}) & ~estimated_bits::int`
const WHOLE_BITS = `${READ_BITS} & ~partial_bits::int`
const IN_RANGE = 'tenant_id = $1 and device_key = $2 and hour >= $3 and hour < $4'
const averages = AVERAGED.map((name) => `${name}_avg`)

const byHour = (where: string) =>
  `select date_part('epoch', hour), ${ENERGY_COLUMNS.map((column) => `${column}::float8`).join(', ')},
      ${READ_BITS}, ${averages.join(', ')}, samples, ${WHOLE_BITS}, suspect_bits, 1
    from measurement_hour where ${where} order by hour`

function grouped(unit: 'day' | 'month', where: string): string {
  const local = `date_trunc('${unit}', hour at time zone 'UTC' + interval '3 hours')`
  return `select date_part('epoch', ${local}) - 3 * 3600,
        ${ENERGY_COLUMNS.map((column) => `sum(${column})::float8`).join(', ')},
        bit_or(${READ_BITS}), ${averages.map(weightedMean).join(', ')}, sum(samples)::int,
        bit_and(${WHOLE_BITS}), bit_or(suspect_bits), count(*)::int
      from measurement_hour where ${where} group by ${local} order by 1`
}
const QUERIES = {
  hourly: byHour,
  daily: (where: string) => grouped('day', where),
  monthly: (where: string) => grouped('month', where),
} as const
const STATEMENTS = {
  hourly: { name: 'measurement_energy_hours', text: QUERIES.hourly(IN_RANGE) },
  daily: { name: 'measurement_energy_days', text: QUERIES.daily(IN_RANGE) },
  monthly: { name: 'measurement_energy_months', text: QUERIES.monthly(IN_RANGE) },
} as const

/** Devices and ranges as a table; `ordinal` is the position in the list, from 1. */
export const REQUESTED_RANGES =
  'unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) with ordinality as w (key, begins, ends, ordinal)'
const IN_REQUESTED_RANGE = 'tenant_id = $1 and device_key = w.key and hour >= w.begins and hour < w.ends'
const bulkStatement = (interval: Interval) => ({
  name: `measurement_energy_many_${interval}`,
  text: `select w.ordinal, b.* from ${REQUESTED_RANGES} cross join lateral (${QUERIES[interval](IN_REQUESTED_RANGE)}) b`,
})
const BULK_STATEMENTS = {
  hourly: bulkStatement('hourly'),
  daily: bulkStatement('daily'),
  monthly: bulkStatement('monthly'),
} as const

const READ_BITS_INDEX = 1 + REGISTERS.length
const AVERAGES_INDEX = READ_BITS_INDEX + 1
const SAMPLES_INDEX = AVERAGES_INDEX + AVERAGED.length
const numbers = (cells: readonly unknown[]) => cells as (number | null)[]

/** Reads the buckets of a range of whole buckets from roll-up rows, ascending. */
export async function readEnergyBuckets(
  db: Queryable,
  { tenantId, deviceKey }: DeviceRef,
  { interval, range }: { readonly interval: Interval; readonly range: Range },
): Promise<EnergyBucket[]> {
  const values = [tenantId, deviceKey, iso(range.from), iso(range.to)]
  const rows = await readRows(db, { ...STATEMENTS[interval], values })
  return rows.map(toBucket)
}

const toBucket = (cells: readonly unknown[]): EnergyBucket => ({
  start: Number(cells[0]) * 1000,
  energies: numbers(cells.slice(1, READ_BITS_INDEX)),
  readBits: Number(cells[READ_BITS_INDEX]),
  averages: numbers(cells.slice(AVERAGES_INDEX, SAMPLES_INDEX)),
  samples: Number(cells[SAMPLES_INDEX]),
  wholeBits: Number(cells[SAMPLES_INDEX + 1]),
  suspectBits: Number(cells[SAMPLES_INDEX + 2]),
  hours: Number(cells[SAMPLES_INDEX + 3]),
})

export interface DeviceRange {
  readonly deviceKey: number
  readonly range: Range
}

/** Reads the buckets of many devices and ranges in one statement; one unordered list per requested range. */
export async function readEnergyBucketsBulk(
  db: Queryable,
  { tenantId, interval }: { readonly tenantId: number; readonly interval: Interval },
  ranges: readonly DeviceRange[],
): Promise<EnergyBucket[][]> {
  const lists = ranges.map((): EnergyBucket[] => [])
  if (ranges.length === 0) return lists
  const values = [
    tenantId,
    ranges.map(({ deviceKey }) => deviceKey),
    ranges.map(({ range }) => iso(range.from)),
    ranges.map(({ range }) => iso(range.to)),
  ]
  for (const [ordinal, ...cells] of await readRows(db, { ...BULK_STATEMENTS[interval], values })) {
    lists[Number(ordinal) - 1]?.push(toBucket(cells))
  }
  return lists
}
