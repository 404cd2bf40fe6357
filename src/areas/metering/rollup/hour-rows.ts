import { energyByHour } from '../../../core/netting/counter/energy-by-hour.ts'
import { applyMeterChanges } from '../../../core/netting/counter/meter-changes.ts'
import { COMPLETE_FROM_PCT } from '../../../core/netting/counter/quality.ts'
import type { MeterLimits, Reading } from '../../../core/netting/counter/readings.ts'
import { toReading } from '../../../core/netting/counter/session-register.ts'
import { at } from '../../../kernel/checked.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { RegisterChanges } from '../meter-changes/index.ts'

/** The averaged metrics of a roll-up row, in the order of its columns. */
export const AVERAGED = ['voltage', 'current', 'active_power', 'power_factor'] as const

/** The part of a stored sample that roll-ups use. */
export interface RawSample {
  readonly at: number
  /** Millionths in the order of REGISTERS; null when the sample has no value. */
  readonly registers: readonly (number | null)[]
  /** In the order of AVERAGED. */
  readonly gauges: readonly (number | null)[]
  /** SESSION_BEGIN_ENERGY and SESSION_END_ENERGY. */
  readonly beginKwh: number | null
  readonly endKwh: number | null
}

/** The roll-up row of one device and hour. */
export interface HourRow {
  readonly hour: number
  /** Wh (varh) in the order of REGISTERS. */
  readonly energies: readonly (number | null)[]
  /** Means of the samples of the hour in the order of AVERAGED, to 6 decimals. */
  readonly averages: readonly (number | null)[]
  readonly samples: number
  /** Bits of the registers whose energy is a linear share of a gap, without a reading in the hour. */
  readonly estimatedBits: number
  /** Bits of the registers with a reset or a false reading in the hour. */
  readonly suspectBits: number
  /** Bits of the registers whose readings cover less than COMPLETE_FROM_PCT of the hour. */
  readonly partialBits: number
}

export interface ReadingsInput {
  /** The samples of the range, ascending. */
  readonly samples: readonly RawSample[]
  /** By register: the nearest readings outside the range, ascending. */
  readonly before: readonly (readonly Reading[])[]
  readonly after: readonly (readonly Reading[])[]
  readonly changes: RegisterChanges | undefined
}

export interface HoursInput extends Pick<MeterLimits, 'maxPowerKw'> {
  /** Whole hours. */
  readonly range: Range
  /** The samples of the range, ascending. */
  readonly samples: readonly RawSample[]
  /** By register: see `readingsOfRegisters`. */
  readonly readings: readonly (readonly Reading[])[]
  readonly reportingIntervalMs: number | undefined
}

/**
 * The reporting interval of a device that has none configured. Facts derive it from the readings of a day, which would
 * cost more here than all the rest.
 */
const DEFAULT_INTERVAL_MS = HOUR_MS

/** The readings of each register in and around a range, with the recorded meter changes, ascending. */
export const readingsOfRegisters = ({
  samples,
  before,
  after,
  changes,
}: ReadingsInput): (readonly Reading[])[] =>
  REGISTERS.map((register, index) => {
    const readings: Reading[] = [...(before[index] ?? [])]
    for (const { at, registers, beginKwh, endKwh } of samples) {
      const value = registers[index]
      if (value === null || value === undefined) continue
      readings.push(toReading({ at, value }, { register, beginKwh, endKwh }))
    }
    readings.push(...(after[index] ?? []))
    return readings.length > 0 ? applyMeterChanges(readings, changes?.get(register) ?? []) : readings
  })

/**
 * Computes the roll-up rows of a range, for every hour with a sample or between two readings. A pure
 * function of its input. The roll-up job and reads of dirty hours both use it, so their results are
 * identical.
 */
export function computeHourRows(input: HoursInput): HourRow[] {
  const { range, samples, readings, maxPowerKw, reportingIntervalMs = DEFAULT_INTERVAL_MS } = input
  const columns = readings.map((list) =>
    list.length > 0 ? energyByHour({ readings: list, range, reportingIntervalMs, maxPowerKw }) : undefined,
  )
  const averages = averageHours(range, samples)
  const rows: HourRow[] = []
  for (let index = 0; index < averages.length; index++) {
    const hours = columns.map((column) => column?.[index])
    const energies = hours.map((hour) =>
      hour === undefined || hour.energy === null ? null : Number(hour.energy),
    )
    const average = averages[index]
    if (!average || (average.samples === 0 && energies.every((energy) => energy === null))) continue
    rows.push({
      hour: range.from + index * HOUR_MS,
      energies,
      ...average,
      estimatedBits: bits(hours, (hour) => hour.energy !== null && !hour.hasReading),
      suspectBits: bits(hours, (hour) => hour.isSuspect),
      partialBits: bits(hours, (hour) => hour.completenessPct < COMPLETE_FROM_PCT),
    })
  }
  return rows
}

function bits<T>(hours: readonly (T | undefined)[], test: (hour: T) => boolean): number {
  let sum = 0
  for (const [register, hour] of hours.entries()) if (hour !== undefined && test(hour)) sum |= 1 << register
  return sum
}

type Averages = Pick<HourRow, 'averages' | 'samples'>

function averageHours(range: Range, samples: readonly RawSample[]): Averages[] {
  const length = Math.max(0, (range.to - range.from) / HOUR_MS)
  const counts = new Int32Array(length)
  const sums = AVERAGED.map(() => ({ sum: new Float64Array(length), count: new Int32Array(length) }))
  for (const sample of samples) {
    const hour = (floorHour(sample.at) - range.from) / HOUR_MS
    counts[hour] = at(counts, hour) + 1
    for (const [metric, { sum, count }] of sums.entries()) {
      const value = sample.gauges[metric]
      if (value === null || value === undefined) continue
      sum[hour] = at(sum, hour) + value
      count[hour] = at(count, hour) + 1
    }
  }
  return Array.from(counts, (count, index) => ({
    samples: count,
    averages: sums.map(({ sum, count }) => mean(at(sum, index), at(count, index))),
  }))
}

const mean = (sum: number, count: number): number | null => (count === 0 ? null : round6(sum / count))
/**
 * Rounds to millionths: further digits of an average of measurements mean nothing, and triple the length of
 * its text.
 */
export const round6 = (value: number): number => {
  const rounded = Math.round(value * 1e6) / 1e6
  return Number.isFinite(rounded) ? rounded : value
}

/**
 * The mean of averages, weighted by their numbers of samples. It sums whole millionths, which is exact in
 * any order: the same hours yield the same mean to the last bit, whichever statement or loop sums them.
 */
export class WeightedMean {
  #millionths = 0
  #weight = 0

  add(average: number | null, samples: number): void {
    if (average === null) return
    this.#millionths += Math.round(average * 1e6) * samples
    this.#weight += samples
  }

  get value(): number | null {
    return this.#weight === 0 ? null : this.#millionths / (1e6 * this.#weight)
  }
}

/** SQL: the weighted mean of a column of roll-up rows, with the same result as WeightedMean. */
export const weightedMean = (column: string): string =>
  `sum(round(${column} * 1e6::float8) * samples)
    / nullif(1e6::float8 * sum(samples) filter (where ${column} is not null), 0)`
