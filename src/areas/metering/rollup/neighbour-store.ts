import { NEIGHBOUR_READINGS, type Reading } from '../../../core/netting/counter/readings.ts'
import { toReading } from '../../../core/netting/counter/session-register.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { iso, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { type NearestSide, readNearest } from '../history/index.ts'
import { epochMs, SESSION_COLUMNS } from '../sample-columns.ts'
import { type DeviceRef, keyValues, numberOrNull, OF_DEVICE } from './store.ts'

export interface NeighbourReadings {
  /** By register, ascending: the readings before the range, and at or after its end, respectively. */
  readonly before: readonly (readonly Reading[])[]
  readonly after: readonly (readonly Reading[])[]
}

/** The statement for a set of registers; a device rarely has more than two sets. */
function neighbourStatement(registers: number): { name: string; text: string } {
  const side = (register: number, name: string, [test, order, isAfter]: readonly [string, string, boolean]) =>
    `(select ${register}, ${isAfter}, ${epochMs('ts')}, ${name}, ${SESSION_COLUMNS} from measurement
      where ${OF_DEVICE} and ts ${test} and ${name} is not null order by ts ${order} limit ${NEIGHBOUR_READINGS})`
  const parts = REGISTERS.flatMap((name, register) =>
    (registers & (1 << register)) === 0
      ? []
      : [side(register, name, ['< $3', 'desc', false]), side(register, name, ['>= $4', 'asc', true])],
  )
  return { name: `measurement_neighbours_${registers}`, text: parts.join(' union all ') }
}

/** The reading of a register by its index; `cells` are the instant, the value and SESSION_COLUMNS. */
export const readingOf = (register: number, [at, value, begin, end]: readonly unknown[]): Reading =>
  toReading(
    { at: Number(at), value: Number(value) },
    { register: REGISTERS[register] ?? '', beginKwh: numberOrNull(begin), endKwh: numberOrNull(end) },
  )

/** The searches for the neighbours of a range; the found rows are those of `neighbourStatement`. */
export const neighbourSides = (
  found: readonly (readonly unknown[])[],
  { deviceKey, range, registers }: { deviceKey: number; range: Range; registers: number },
): NearestSide[] =>
  REGISTERS.flatMap((metric, register) =>
    (registers & (1 << register)) === 0
      ? []
      : [false, true].map((isAfter) => ({
          deviceKey,
          metric,
          at: isAfter ? range.to : range.from,
          isAfter,
          count: NEIGHBOUR_READINGS,
          found: found.flatMap(([of, side, at]) =>
            Number(of) === register && side === isAfter ? [Number(at)] : [],
          ),
        })),
  )

/** Reads NEIGHBOUR_READINGS of each register on either side of the range, at any distance. */
export async function readNeighbours(
  db: Queryable,
  device: DeviceRef,
  { range, registers }: { range: Range; registers: number },
): Promise<NeighbourReadings> {
  const before: Reading[][] = REGISTERS.map(() => [])
  const after: Reading[][] = REGISTERS.map(() => [])
  if (registers === 0) return { before, after }
  const statement = neighbourStatement(registers)
  const values = [...keyValues(device), iso(range.from), iso(range.to)]
  const rows = await readNearest(db, device.tenantId, { ...statement, values }, (found) =>
    neighbourSides(found, { deviceKey: device.deviceKey, range, registers }),
  )
  for (const [register, isAfter, ...cells] of rows) {
    const side = isAfter === true ? after : before
    side[Number(register)]?.push(readingOf(Number(register), cells))
  }
  for (const readings of [...before, ...after]) readings.sort((a, b) => a.at - b.at)
  return { before, after }
}
