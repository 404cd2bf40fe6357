import assert from 'node:assert/strict'
import { type CounterHour, energyByHour } from '../../../core/netting/counter/energy-by-hour.ts'
import type { Reading } from '../../../core/netting/counter/readings.ts'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import { at } from '../../../kernel/checked.ts'
import { add, type Kwh, subtract, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, type Range } from '../../../kernel/time.ts'
import {
  chooseRegister,
  FORMULAS,
  type Formula,
  type KwhColumn,
  type Register,
  type RegisterTraits,
} from './roles.ts'

/** A device in a measurement role at a facility, in force in [from, to). */
export interface Assignment {
  readonly id: string
  readonly facilityId: string
  readonly deviceId: string
  readonly deviceKey: number
  readonly meteringPointId: string | null
  readonly role: MeasurementRole
  readonly from: number
  readonly to: number | null
  readonly reportingIntervalMs: number | undefined
  /** The register map of the device's template; null without a template. */
  readonly registerMap: unknown
}

/**
 * The contribution of one assignment to the hours of a range. The index in a list is the hour of the range.
 */
export interface Contribution {
  /** The time for which the assignment is in force, for each hour. */
  readonly inForceMs: readonly number[]
  readonly columns: readonly ColumnHours[]
}
export interface ColumnHours {
  readonly column: KwhColumn
  readonly hours: readonly ColumnHour[]
}
export type ColumnHour = Pick<CounterHour, 'energy' | 'coveredMs' | 'hasReading' | 'isSuspect'>

/** The channel counts each interval by itself (interval_delta), so no fact may be derived from it. */
export class IntervalDeltaError extends Error {}

export interface Meter {
  readonly assignment: Assignment
  readonly traits: ReadonlyMap<string, RegisterTraits> | undefined
  /** Ascending, reaching beyond the range on both sides as `energyByHour` needs it. */
  readonly readings: ReadonlyMap<Register, readonly Reading[]>
  /** By instant of a reading that fell: the largest power up to it. */
  readonly maxPowerKw: ReadonlyMap<number, number>
}

/** Throws IntervalDeltaError where the formula would read such a channel. */
export function contributionOf(meter: Meter, range: Range): Contribution {
  const { assignment } = meter
  return {
    inForceMs: inForce(assignment, range),
    columns: FORMULAS[assignment.role].map((formula) => ({
      column: formula.column,
      hours: hoursOfFormula(meter, formula, range),
    })),
  }
}

function inForce({ from, to }: Assignment, range: Range): number[] {
  const list: number[] = []
  for (let hour = range.from; hour < range.to; hour += HOUR_MS) {
    const end = Math.min(hour + HOUR_MS, to ?? Number.POSITIVE_INFINITY)
    list.push(Math.max(0, end - Math.max(hour, from)))
  }
  return list
}

function hoursOfFormula(meter: Meter, { plus, minus }: Formula, range: Range): ColumnHour[] {
  const counted = counterHours(meter, plus, range)
  if (!minus) return counted
  const other = counterHours(meter, minus, range)
  return counted.map((hour, index) => differenceOf(hour, other[index] ?? UNKNOWN_HOUR))
}

const UNKNOWN_HOUR: ColumnHour = { energy: null, coveredMs: 0, hasReading: false, isSuspect: false }

/** The difference is unknown unless both values are known. */
const differenceOf = (plus: ColumnHour, minus: ColumnHour): ColumnHour => ({
  energy: plus.energy === null || minus.energy === null ? null : subtract(plus.energy, minus.energy),
  coveredMs: Math.min(plus.coveredMs, minus.coveredMs),
  hasReading: plus.hasReading && minus.hasReading,
  isSuspect: plus.isSuspect || minus.isSuspect,
})

function counterHours(
  { assignment, traits, readings, maxPowerKw }: Meter,
  choice: readonly Register[],
  range: Range,
): ColumnHour[] {
  const register = chooseRegister(choice, traits, (name) => (readings.get(name)?.length ?? 0) > 0)
  if (register && traits?.get(register)?.isIntervalDelta) throw new IntervalDeltaError(register)
  const known = (register && readings.get(register)) ?? []
  assert(
    known.every((reading) => Number.isSafeInteger(reading.value)),
    'a register counts less than nine billion kWh',
  )
  return energyByHour({
    readings: clipToAssignment(known, assignment),
    range,
    reportingIntervalMs: assignment.reportingIntervalMs,
    rolloverAt: register && traits?.get(register)?.rolloverAt,
    maxPowerKw: (at) => maxPowerKw.get(at),
  })
}

/**
 * Restricts the readings to the time of the assignment. Where the assignment begins or ends inside an hour,
 * the register at that instant is interpolated linearly between the neighbouring readings. When one meter
 * replaces another at 10:20, the energy of the hour is therefore divided exactly to the Wh, and a meter that
 * moves to another facility does not transfer energy to it. An assignment that begins and ends on the hour
 * needs no clipping.
 */
function clipToAssignment(readings: readonly Reading[], { from, to }: Assignment): readonly Reading[] {
  let clipped = readings
  if (from % HOUR_MS !== 0) {
    clipped = [...registerAt(clipped, from), ...clipped.filter((reading) => reading.at > from)]
  }
  if (to !== null && to % HOUR_MS !== 0) {
    clipped = [...clipped.filter((reading) => reading.at < to), ...registerAt(clipped, to)]
  }
  return clipped
}

/**
 * Returns the register at an instant when readings surround it and the register did not decrease between
 * them.
 */
function registerAt(readings: readonly Reading[], at: number): Reading[] {
  const after = readings.find((reading) => reading.at >= at)
  const before = readings.findLast((reading) => reading.at <= at)
  if (!before || !after) return []
  if (before.at === after.at) return [before]
  const { restartsAt = before.value, newMeterStart: left = restartsAt } = before
  if (after.value < left) return []
  const share = (at - before.at) / (after.at - before.at)
  return [{ at, value: left + Math.round((after.value - left) * share) }]
}

/**
 * Sums one hour of a role over all its assignments: storage may have several meters, and one meter may
 * replace another. The completeness is the covered time as a share of the time in force, which is at least
 * the whole hour.
 */
export function sumHour(
  contributions: readonly Contribution[],
  column: KwhColumn,
  index: number,
): { energy: Kwh | null; completenessPct: number; hasReading: boolean; isSuspect: boolean } {
  let energy: Kwh | null = null
  let coveredMs = 0
  let expectedMs = 0
  let hasReading = false
  let isSuspect = false
  for (const { columns, inForceMs } of contributions) {
    const hour = columns.find((candidate) => candidate.column === column)?.hours[index]
    const inForceHere = at(inForceMs, index)
    if (!hour || inForceHere === 0) continue
    expectedMs += inForceHere
    if (!hour.hasReading || hour.energy === null) continue
    energy = add(energy ?? ZERO_KWH, hour.energy)
    coveredMs += Math.min(hour.coveredMs, inForceHere)
    hasReading = true
    isSuspect ||= hour.isSuspect
  }
  const share = coveredMs / Math.max(expectedMs, HOUR_MS)
  return { energy, completenessPct: Math.round(share * 10_000) / 100, hasReading, isSuspect }
}
