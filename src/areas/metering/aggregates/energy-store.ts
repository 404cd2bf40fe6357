import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { Interval } from '../rollup/index.ts'
import { AVERAGED, type DeviceRef, ENERGY_COLUMNS, weightedMean } from '../rollup/index.ts'

/** What all registers of a device gave in an hour, a day or a month. */
export interface EnergyBucket {
  /** Epoch milliseconds. */
  readonly start: number
  /** Wh (varh) by REGISTERS; null where nothing is known. */
  readonly energies: readonly (number | null)[]
  /** Bits of the registers of which more is known than a linear share across the bucket. */
  readonly readBits: number
  /** By AVERAGED, over the samples. */
  readonly averages: readonly (number | null)[]
  readonly samples: number
}

const KNOWN_BITS = ENERGY_COLUMNS.map(
  (column, register) => `case when ${column} is null then 0 else ${1 << register} end`,
).join(' | ')
const READ_BITS = `(${KNOWN_BITS}) & ~estimated_bits::int`
const OF_RANGE = 'tenant_id = $1 and device_key = $2 and hour >= $3 and hour < $4'
const averages = AVERAGED.map((name) => `${name}_avg`)

const byHour = (where: string) =>
  `select date_part('epoch', hour), ${ENERGY_COLUMNS.map((column) => `${column}::float8`).join(', ')},
      ${READ_BITS}, ${averages.join(', ')}, samples
    from measurement_hour where ${where} order by hour`

function grouped(unit: 'day' | 'month', where: string): string {
  const local = `date_trunc('${unit}', hour at time zone 'UTC' + interval '3 hours')`
  return `select date_part('epoch', ${local}) - 3 * 3600,
        ${ENERGY_COLUMNS.map((column) => `sum(${column})::float8`).join(', ')},
        bit_or(${READ_BITS}), ${averages.map(weightedMean).join(', ')}, sum(samples)::int
      from measurement_hour where ${where} group by ${local} order by 1`
}
const TEXTS = {
  hourly: byHour,
  daily: (where: string) => grouped('day', where),
  monthly: (where: string) => grouped('month', where),
} as const
const STATEMENTS = {
  hourly: { name: 'measurement_energy_hours', text: TEXTS.hourly(OF_RANGE) },
  daily: { name: 'measurement_energy_days', text: TEXTS.daily(OF_RANGE) },
  monthly: { name: 'measurement_energy_months', text: TEXTS.monthly(OF_RANGE) },
} as const

/** Devices and ranges as a table: the place in the list counts from 1. */
export const ASKED =
  'unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) with ordinality as w (key, begins, ends, place)'
const OF_ASKED = 'tenant_id = $1 and device_key = w.key and hour >= w.begins and hour < w.ends'
const many = (interval: Interval) => ({
  name: `measurement_energy_many_${interval}`,
  text: `select w.place, b.* from ${ASKED} cross join lateral (${TEXTS[interval](OF_ASKED)}) b`,
})
const MANY = { hourly: many('hourly'), daily: many('daily'), monthly: many('monthly') } as const

const READ_PLACE = 1 + REGISTERS.length
const AVERAGE_PLACE = READ_PLACE + 1
const SAMPLES_PLACE = AVERAGE_PLACE + AVERAGED.length
const numbers = (cells: readonly unknown[]) => cells as (number | null)[]

/** The buckets of a range of whole buckets, ascending, as far as roll-up rows tell. */
export async function readEnergyBuckets(
  db: Queryable,
  { tenantId, deviceKey }: DeviceRef,
  { interval, range }: { readonly interval: Interval; readonly range: Range },
): Promise<EnergyBucket[]> {
  const values = [tenantId, deviceKey, iso(range.from), iso(range.to)]
  const rows = await readRows(db, { ...STATEMENTS[interval], values })
  return rows.map(bucketOf)
}

const bucketOf = (cells: readonly unknown[]): EnergyBucket => ({
  start: Number(cells[0]) * 1000,
  energies: numbers(cells.slice(1, READ_PLACE)),
  readBits: Number(cells[READ_PLACE]),
  averages: numbers(cells.slice(AVERAGE_PLACE, SAMPLES_PLACE)),
  samples: Number(cells[SAMPLES_PLACE]),
})

export interface AskedRange {
  readonly deviceKey: number
  readonly range: Range
}

/** The same of many devices and ranges in one statement; a list for each that was asked for, in no order within. */
export async function readEnergyBucketsOfMany(
  db: Queryable,
  { tenantId, interval }: { readonly tenantId: number; readonly interval: Interval },
  asked: readonly AskedRange[],
): Promise<EnergyBucket[][]> {
  const lists = asked.map((): EnergyBucket[] => [])
  if (asked.length === 0) return lists
  const values = [
    tenantId,
    asked.map(({ deviceKey }) => deviceKey),
    asked.map(({ range }) => iso(range.from)),
    asked.map(({ range }) => iso(range.to)),
  ]
  for (const [place, ...cells] of await readRows(db, { ...MANY[interval], values })) {
    lists[Number(place) - 1]?.push(bucketOf(cells))
  }
  return lists
}
