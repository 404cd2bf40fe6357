import { NEIGHBOUR_READINGS, type Reading } from '../../../../core/netting/counter/readings.ts'
import { at } from '../../../../kernel/checked.ts'
import { REGISTERS } from '../../../../kernel/metrics.ts'
import { dayStart } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import { readNearest, readRanges, readSummarised } from '../../history/index.ts'
import {
  AVERAGED,
  type NeighbourReadings,
  neighbourSides,
  type RawSample,
  readingOf,
  registersOf,
  type SampleExtent,
  toSqlInstant,
} from '../../rollup/index.ts'
import { epochMs, SESSION_COLUMNS } from '../../sample-columns.ts'
import { type DeviceRange, REQUESTED_RANGES } from '../energy-store.ts'

/**
 * Bulk variants of the reads in rollup/store.ts: one statement for many devices. Results keep the order of
 * the requests.
 */
const OF_DEVICE = 'm.tenant_id = $1 and m.device_key = w.key'
const names = (columns: readonly string[]) => columns.map((name) => `m."${name}"`).join(', ')

const valuesOf = (tenantId: number, ranges: readonly DeviceRange[]) => [
  tenantId,
  ranges.map(({ deviceKey }) => deviceKey),
  ranges.map(({ range }) => toSqlInstant(range.from)),
  ranges.map(({ range }) => toSqlInstant(range.to)),
]

const EXTENTS = {
  name: 'measurement_many_extents',
  text: `select w.ordinal, e.* from ${REQUESTED_RANGES} cross join lateral (
      select ${epochMs('min(ts)')}, ${epochMs('max(ts)')}, count(*)::int,
        ${REGISTERS.map((name) => `count(${name}) > 0`).join(', ')}
      from measurement m where ${OF_DEVICE} and ts >= w.begins and ts < w.ends
    ) e`,
}

export interface CountedExtent extends SampleExtent {
  readonly samples: number
}

/** Extent of the samples of each range, whose ends may be infinite; undefined for a range without samples. */
export async function readExtentsBulk(
  db: Queryable,
  tenantId: number,
  ranges: readonly DeviceRange[],
): Promise<(CountedExtent | undefined)[]> {
  const extents = ranges.map((): CountedExtent | undefined => undefined)
  if (ranges.length === 0) return extents
  const statement = { ...EXTENTS, values: valuesOf(tenantId, ranges) }
  const { rows, summaries } = await readSummarised(db, { tenantId, ranges }, statement)
  for (const [ordinal, from, to, samples, ...has] of rows) {
    if (from === null) continue
    const { deviceKey, range } = at(ranges, Number(ordinal) - 1)
    const inRange = summaries.filter(
      (summary) =>
        summary.deviceKey === deviceKey &&
        dayStart(summary.day) >= range.from &&
        dayStart(summary.day) < range.to,
    )
    extents[Number(ordinal) - 1] = {
      from: Number(from),
      to: Number(to),
      samples: inRange.reduce((sum, summary) => sum + summary.samples, Number(samples)),
      registers: has.reduce<number>(
        (bits, isThere, bit) => (isThere === true ? bits | (1 << bit) : bits),
        registersOf(inRange),
      ),
    }
  }
  return extents
}

/** The statement for a set of registers, as for a single device. */
function neighbourStatement(registers: number): { name: string; text: string } {
  const side = (register: number, name: string, [test, order, isAfter]: readonly [string, string, boolean]) =>
    `(select ${register}, ${isAfter}, ${epochMs('ts')}, ${name}, ${SESSION_COLUMNS} from measurement m
      where ${OF_DEVICE} and ts ${test} and ${name} is not null order by ts ${order} limit ${NEIGHBOUR_READINGS})`
  const parts = REGISTERS.flatMap((name, register) =>
    (registers & (1 << register)) === 0
      ? []
      : [
          side(register, name, ['< w.begins', 'desc', false]),
          side(register, name, ['>= w.ends', 'asc', true]),
        ],
  )
  return {
    name: `measurement_many_neighbours_${registers}`,
    text: `select w.ordinal, n.* from ${REQUESTED_RANGES} cross join lateral (${parts.join(' union all ')}) n`,
  }
}

export interface NeighbourRange extends DeviceRange {
  /** Bits. */
  readonly registers: number
}

/**
 * Reads NEIGHBOUR_READINGS of each register on either side of each range: one statement per set of
 * registers.
 */
export async function readNeighboursBulk(
  db: Queryable,
  tenantId: number,
  ranges: readonly NeighbourRange[],
): Promise<NeighbourReadings[]> {
  const found = ranges.map(() => ({
    before: REGISTERS.map((): Reading[] => []),
    after: REGISTERS.map((): Reading[] => []),
  }))
  const byRegisters = new Map<number, number[]>()
  for (const [index, { registers }] of ranges.entries()) {
    if (registers !== 0) byRegisters.set(registers, [...(byRegisters.get(registers) ?? []), index])
  }
  for (const [registers, indexes] of byRegisters) {
    const values = valuesOf(
      tenantId,
      indexes.map((index) => at(ranges, index)),
    )
    const statement = { ...neighbourStatement(registers), values }
    const rows = await readNearest(db, tenantId, statement, (found) => {
      const byOrdinal = new Map<number, unknown[][]>(indexes.map((_, ordinal) => [ordinal + 1, []]))
      for (const [ordinal, ...cells] of found) byOrdinal.get(Number(ordinal))?.push(cells)
      return indexes.flatMap((index, ordinal) =>
        neighbourSides(byOrdinal.get(ordinal + 1) ?? [], at(ranges, index)),
      )
    })
    for (const row of rows) {
      const [ordinal, register, isAfter, ...cells] = row
      const { before, after } = at(found, at(indexes, Number(ordinal) - 1))
      const side = isAfter === true ? after : before
      at(side, Number(register)).push(readingOf(Number(register), cells))
    }
  }
  for (const { before, after } of found) {
    for (const readings of [...before, ...after]) readings.sort((a, b) => a.at - b.at)
  }
  return found
}

const SAMPLES = {
  name: 'measurement_many_samples',
  text: `select w.ordinal, ${epochMs('m.ts')}, ${SESSION_COLUMNS}, ${names(REGISTERS)}, ${names(AVERAGED)}
    from ${REQUESTED_RANGES} join measurement m on ${OF_DEVICE} and m.ts >= w.begins and m.ts < w.ends
    order by w.ordinal, m.ts`,
}
const FIRST_REGISTER = 3
const FIRST_GAUGE = FIRST_REGISTER + REGISTERS.length
const numberOrNull = (cell: unknown): number | null => (cell === null ? null : Number(cell))

/** Reads the samples of each range, ascending. */
export async function readSamplesBulk(
  db: Queryable,
  tenantId: number,
  ranges: readonly DeviceRange[],
): Promise<RawSample[][]> {
  const lists = ranges.map((): RawSample[] => [])
  if (ranges.length === 0) return lists
  const statement = { ...SAMPLES, values: valuesOf(tenantId, ranges) }
  const rows = await readRanges(db, { tenantId, ranges }, statement)
  for (const [ordinal, ...cells] of rows) {
    lists[Number(ordinal) - 1]?.push({
      at: Number(cells[0]),
      registers: cells.slice(FIRST_REGISTER, FIRST_GAUGE).map(numberOrNull),
      gauges: cells.slice(FIRST_GAUGE).map(numberOrNull),
      beginKwh: numberOrNull(cells[1]),
      endKwh: numberOrNull(cells[2]),
    })
  }
  return lists
}
