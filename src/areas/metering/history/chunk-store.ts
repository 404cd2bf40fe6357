import { CompiledQuery, type Kysely } from 'kysely'
import {
  columnNumber,
  type DecodeOptions,
  decodeChunk,
  EXTRA_NUMBER,
  isMetric,
  type SampleColumns,
} from '../../../core/sample-chunks/index.ts'
import { DAY_MS, dayStart, type LocalDate, localDate, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/types.ts'

/** Runs a statement and returns its rows as lists of cells. */
export type RunRows = (text: string, values: readonly unknown[]) => Promise<unknown[][]>

export const runOnConnection =
  (db: Queryable): RunRows =>
  async (text, values) =>
    (await db.query({ text, values: [...values], rowMode: 'array' })).rows

export const runOnKysely =
  (db: Kysely<DB>): RunRows =>
  async (text, values) => {
    const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))
    return rows.map((row) => Object.values(row))
  }

/** A device and a range of instants, whose ends may be infinite. */
export interface DeviceRange {
  readonly deviceKey: number
  readonly range: Range
  /** All samples from this instant on are rows, so that no chunk is looked for; absent: it is not known. */
  readonly rowsFrom?: number | undefined
}

export interface ChunkHead {
  readonly deviceKey: number
  readonly day: LocalDate
  readonly samples: number
  /** A bit for each column that occurs. */
  readonly metrics: number
  /** Whether the day also has rows, which take precedence. */
  readonly hasRows: boolean
}

export interface DeviceSamples {
  readonly deviceKey: number
  readonly samples: SampleColumns
}

/** The local day of an instant as a date of PostgreSQL. */
const dateOf = (at: number): string =>
  at === Number.POSITIVE_INFINITY ? 'infinity' : at === Number.NEGATIVE_INFINITY ? '-infinity' : localDate(at)

export const dayRange = (day: LocalDate): Range => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })

const DAY_BEGIN = "(c.day::timestamp - interval '3 hours') at time zone 'UTC'"
/** SQL: whether the day of a chunk `c` has rows; the tenant is the first parameter. */
export const HAS_ROWS = `exists (select 1 from measurement m where m.tenant_id = $1 and m.device_key = c.device_key
  and m.ts >= ${DAY_BEGIN} and m.ts < ${DAY_BEGIN} + interval '1 day')`

const HEADS = `select distinct c.device_key, c.day::text, c.samples, c.metrics, ${HAS_ROWS}
  from unnest($2::int[], $3::date[], $4::date[]) as w (key, first, last)
  join measurement_chunk c on c.tenant_id = $1 and c.device_key = w.key and c.day >= w.first and c.day <= w.last
  order by 1, 2`

/** The chunks whose days overlap one of the ranges, by device and day. */
export async function listChunks(
  run: RunRows,
  tenantId: number,
  ranges: readonly DeviceRange[],
): Promise<ChunkHead[]> {
  const old = ranges.filter(({ range, rowsFrom = Number.POSITIVE_INFINITY }) => range.from < rowsFrom)
  if (old.length === 0) return []
  const rows = await run(HEADS, [
    tenantId,
    old.map(({ deviceKey }) => deviceKey),
    old.map(({ range }) => dateOf(range.from)),
    old.map(({ range }) => dateOf(range.to)),
  ])
  return rows.map(toHead)
}

/** The chunks with the first `limit` samples of a range, by device. */
export function firstOf(heads: readonly ChunkHead[], limit: number): ChunkHead[] {
  const counted = new Map<number, number>()
  return heads.filter(({ deviceKey, samples }) => {
    const before = counted.get(deviceKey)
    if (before !== undefined && before >= limit) return false
    // The range may begin anywhere in the first day, so that its samples are not counted.
    counted.set(deviceKey, before === undefined ? 0 : before + samples)
    return true
  })
}

const toHead = ([key, day, samples, metrics, hasRows]: readonly unknown[]): ChunkHead => ({
  deviceKey: Number(key),
  day: String(day),
  samples: Number(samples),
  metrics: Number(metrics),
  hasRows: hasRows === true,
})

const ANY_ROWS = `select 1 from unnest($2::int[], $3::date[]) as c (device_key, day) where ${HAS_ROWS} limit 1`

/** Whether one of the days has rows by now. */
export async function haveRows(
  run: RunRows,
  tenantId: number,
  heads: readonly Pick<ChunkHead, 'deviceKey' | 'day'>[],
): Promise<boolean> {
  const values = [tenantId, heads.map(({ deviceKey }) => deviceKey), heads.map(({ day }) => day)]
  return (await run(ANY_ROWS, values)).length > 0
}

const CONTENTS = `select c.device_key, c.content
  from unnest($2::int[], $3::date[]) as w (key, day)
  join measurement_chunk c on c.tenant_id = $1 and c.device_key = w.key and c.day = w.day order by c.device_key, c.day`

export async function loadChunks(
  run: RunRows,
  tenantId: number,
  heads: readonly ChunkHead[],
  options?: DecodeOptions,
): Promise<DeviceSamples[]> {
  if (heads.length === 0) return []
  const values = [tenantId, heads.map(({ deviceKey }) => deviceKey), heads.map(({ day }) => day)]
  const rows = await run(CONTENTS, values)
  return rows.map(([key, content]) => ({
    deviceKey: Number(key),
    samples: decodeChunk(content as Uint8Array, options),
  }))
}

/** The instants of chunks, epoch microseconds. */
export async function loadInstants(
  run: RunRows,
  tenantId: number,
  heads: readonly Pick<ChunkHead, 'deviceKey' | 'day'>[],
): Promise<Float64Array[]> {
  const values = [tenantId, heads.map(({ deviceKey }) => deviceKey), heads.map(({ day }) => day)]
  const rows = await run(CONTENTS, values)
  const nothing = { metrics: new Set<string>(), withExtra: false }
  return rows.map(([, content]) => decodeChunk(content as Uint8Array, nothing).times)
}

/** One side of a search for the readings that are nearest to an instant. */
export interface NearestSide {
  readonly deviceKey: number
  /** A known or an extra metric; undefined: samples with any values. */
  readonly metric: string | undefined
  /** The instant; it may be infinite. */
  readonly at: number
  readonly isAfter: boolean
  /** How many are searched for. */
  readonly count: number
  /** The instants of those that were found among the rows. */
  readonly found: readonly number[]
  /** The farthest instant of the search; absent: any. */
  readonly until?: number | undefined
  /** As in DeviceRange. */
  readonly rowsFrom?: number | undefined
}

const NEAREST = `select distinct c.device_key, c.day::text, 0, 0, false from
  unnest($2::int[], $3::int[], $4::date[], $5::date[], $6::bool[], $7::int[])
    as w (key, bits, first, last, is_after, count)
  cross join lateral (
    (select b.device_key, b.day from measurement_chunk b
      where not w.is_after and b.tenant_id = $1 and b.device_key = w.key and b.day >= w.first and b.day <= w.last
        and (b.metrics & w.bits) <> 0 order by b.day desc limit w.count)
    union all
    (select a.device_key, a.day from measurement_chunk a
      where w.is_after and a.tenant_id = $1 and a.device_key = w.key and a.day >= w.first and a.day <= w.last
        and (a.metrics & w.bits) <> 0 order by a.day limit w.count)
  ) c order by 1, 2`

const ANY_BITS = -1
/** The column of a metric; the others are among the extra values. */
const columnOf = (metric: string): number => (isMetric(metric) ? columnNumber(metric) : EXTRA_NUMBER)

/** The time between an instant and the farthest reading that can still be among the nearest. */
function searchedRange({ at, isAfter, count, found, until }: NearestSide): Range {
  const isComplete = found.length >= count
  const farthest = isAfter
    ? Math.min(until ?? Number.POSITIVE_INFINITY, isComplete ? Math.max(...found) : Number.POSITIVE_INFINITY)
    : Math.max(until ?? Number.NEGATIVE_INFINITY, isComplete ? Math.min(...found) : Number.NEGATIVE_INFINITY)
  return isAfter ? { from: at, to: farthest } : { from: farthest, to: at }
}

/**
 * The chunks that may hold one of the nearest readings. Each has a reading of the metric, so `count` of them are
 * enough, and one more for the day of the instant itself, whose readings may be on the other side.
 */
export async function nearestChunks(
  run: RunRows,
  tenantId: number,
  all: readonly NearestSide[],
): Promise<DeviceSamples[]> {
  const sides = all.filter((side) => side.rowsFrom === undefined || searchedRange(side).from < side.rowsFrom)
  if (sides.length === 0) return []
  const days = sides.map(searchedRange).map(({ from, to }) => [dateOf(from), dateOf(to)] as const)
  const rows = await run(NEAREST, [
    tenantId,
    sides.map(({ deviceKey }) => deviceKey),
    sides.map(({ metric }) => (metric === undefined ? ANY_BITS : 1 << columnOf(metric))),
    days.map(([first]) => first),
    days.map(([, last]) => last),
    sides.map(({ isAfter }) => isAfter),
    sides.map(({ count }) => count + 1),
  ])
  return loadChunks(run, tenantId, rows.map(toHead))
}
