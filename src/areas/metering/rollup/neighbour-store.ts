import { NEIGHBOUR_READINGS, type Reading } from '../../../core/netting/counter/readings.ts'
import { toReading } from '../../../core/netting/counter/session-register.ts'
import { at } from '../../../kernel/checked.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { type NearestSide, readNearest } from '../history/index.ts'
import { epochMs, SESSION_COLUMNS } from '../sample-columns.ts'
import { NEIGHBOURS_NEAR_MS } from './limits.ts'
import { type DeviceRef, keyValues, numberOrNull, OF_DEVICE, toSqlInstant } from './store.ts'

export interface NeighbourReadings {
  /** By register, ascending: the readings before the range, and at or after its end, respectively. */
  readonly before: readonly (readonly Reading[])[]
  readonly after: readonly (readonly Reading[])[]
}

type Side = 'before' | 'after'

interface Search {
  /** Bits. */
  readonly registers: number
  readonly range: Range
  /** The time that is searched on both sides of the range; its ends may be infinite. */
  readonly within: Range
}

const UNBOUNDED: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** The sides on which something is searched. */
const sidesOf = ({ range, within }: Pick<Search, 'range' | 'within'>): Side[] => [
  ...(within.from < range.from ? (['before'] as const) : []),
  ...(within.to > range.to ? (['after'] as const) : []),
]
const listRegisters = (bits: number): number[] =>
  [...REGISTERS.keys()].filter((register) => (bits & (1 << register)) !== 0)

/** The statement for a set of registers and sides; a device rarely has more than a few of them. */
function neighbourStatement(search: Search): { name: string; text: string; values: string[] } {
  const { registers, range, within } = search
  const sides = sidesOf(search)
  const values = sides.flatMap((side) =>
    side === 'before'
      ? [toSqlInstant(within.from), iso(range.from)]
      : [iso(range.to), toSqlInstant(within.to)],
  )
  const parts = listRegisters(registers).flatMap((register) =>
    sides.map((side, index) => {
      const name = REGISTERS[register] ?? ''
      return `(select ${register}, ${side === 'after'}, ${epochMs('ts')}, ${name}, ${SESSION_COLUMNS} from measurement
        where ${OF_DEVICE} and ts >= $${2 * index + 3} and ts < $${2 * index + 4} and ${name} is not null
        order by ts ${side === 'after' ? 'asc' : 'desc'} limit ${NEIGHBOUR_READINGS})`
    }),
  )
  return {
    name: ['measurement_neighbours', registers, ...sides].join('_'),
    text: parts.join(' union all '),
    values,
  }
}

/** The reading of a register by its index; `cells` are the instant, the value and SESSION_COLUMNS. */
export const readingOf = (register: number, [ts, value, begin, end]: readonly unknown[]): Reading =>
  toReading(
    { at: Number(ts), value: Number(value) },
    { register: REGISTERS[register] ?? '', beginKwh: numberOrNull(begin), endKwh: numberOrNull(end) },
  )

interface SidesQuery extends Omit<Search, 'within'> {
  readonly deviceKey: number
  readonly within?: Range
  readonly rowsFrom?: number | undefined
}

/** The searches for the neighbours of a range; the found rows are those of `neighbourStatement`. */
export const neighbourSides = (
  found: readonly (readonly unknown[])[],
  { deviceKey, range, registers, within = UNBOUNDED, rowsFrom }: SidesQuery,
): NearestSide[] =>
  listRegisters(registers).flatMap((register) =>
    sidesOf({ range, within }).map((side) => {
      const isAfter = side === 'after'
      return {
        deviceKey,
        metric: REGISTERS[register],
        at: isAfter ? range.to : range.from,
        isAfter,
        count: NEIGHBOUR_READINGS,
        found: found.flatMap(([of, isRowAfter, ts]) =>
          Number(of) === register && isRowAfter === isAfter ? [Number(ts)] : [],
        ),
        until: isAfter ? within.to : within.from,
        rowsFrom,
      }
    }),
  )

interface NeighbourQuery {
  readonly range: Range
  /** Bits. */
  readonly registers: number
  /** The time outside of which the device has no samples; its ends may be infinite. */
  readonly known?: Range
}

/**
 * Reads NEIGHBOUR_READINGS of each register on either side of the range, at any distance. They are searched near the
 * range first, because a search at any distance is planned and executed for every month.
 */
export async function readNeighbours(
  db: Queryable,
  device: DeviceRef,
  { range, registers, known = UNBOUNDED }: NeighbourQuery,
): Promise<NeighbourReadings> {
  const near = {
    from: Math.max(known.from, range.from - NEIGHBOURS_NEAR_MS),
    to: Math.min(known.to, range.to + NEIGHBOURS_NEAR_MS),
  }
  const found = await search(db, device, { range, registers, within: near })
  const isShort = (register: number) =>
    (near.from > known.from && at(found.before, register).length < NEIGHBOUR_READINGS) ||
    (near.to < known.to && at(found.after, register).length < NEIGHBOUR_READINGS)
  const short = listRegisters(registers).filter(isShort)
  if (short.length === 0) return found
  const bits = short.reduce((all, register) => all | (1 << register), 0)
  const all = await search(db, device, { range, registers: bits, within: known })
  for (const register of short) {
    found.before[register] = at(all.before, register)
    found.after[register] = at(all.after, register)
  }
  return found
}

async function search(db: Queryable, device: DeviceRef, query: Search) {
  const before: Reading[][] = REGISTERS.map(() => [])
  const after: Reading[][] = REGISTERS.map(() => [])
  if (query.registers === 0 || sidesOf(query).length === 0) return { before, after }
  const statement = neighbourStatement(query)
  const values = [...keyValues(device), ...statement.values]
  const rows = await readNearest(db, device.tenantId, { ...statement, values }, (found) =>
    neighbourSides(found, { ...query, deviceKey: device.deviceKey, rowsFrom: device.rowsFrom }),
  )
  for (const [register, isAfter, ...cells] of rows) {
    const side = isAfter === true ? after : before
    side[Number(register)]?.push(readingOf(Number(register), cells))
  }
  for (const readings of [...before, ...after]) readings.sort((a, b) => a.at - b.at)
  return { before, after }
}
