import { energyByHour } from '../../../core/netting/counter/energy-by-hour.ts'
import type { Reading } from '../../../core/netting/counter/readings.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'

/** What roll-ups average, in the order of the columns. */
export const AVERAGED = ['voltage', 'current', 'active_power', 'power_factor'] as const

/** A stored sample as roll-ups read it. */
export interface RawSample {
  readonly at: number
  /** Millionths by register, null where it sent none. */
  readonly registers: readonly (number | null)[]
  /** By AVERAGED. */
  readonly gauges: readonly (number | null)[]
}

/** One device and hour. */
export interface HourRow {
  readonly hour: number
  /** Wh (varh) by register. */
  readonly energies: readonly (number | null)[]
  /** The mean of the samples of the hour by AVERAGED, to 6 decimals. */
  readonly averages: readonly (number | null)[]
  readonly samples: number
  /** Registers whose energy is a linear share without a reading in the hour. */
  readonly estimatedBits: number
  /** Registers with a reset or a false reading in the hour. */
  readonly suspectBits: number
}

export interface HoursInput {
  /** On whole hours. */
  readonly range: Range
  /** Those of the range, ascending. */
  readonly samples: readonly RawSample[]
  /** By register: the readings just outside the range, ascending. */
  readonly before: readonly (readonly Reading[])[]
  readonly after: readonly (readonly Reading[])[]
}

/** Completeness is not kept in roll-ups, and learning the interval would cost more than all the rest. */
const ANY_INTERVAL_MS = HOUR_MS

/**
 * The roll-up rows of a range, for every hour with a sample or between two readings. A pure function of the samples,
 * used by the roll-up job and by reads of what is not rolled up yet, so that both say the same.
 */
export function computeHourRows(input: HoursInput): HourRow[] {
  const { range, samples } = input
  const columns = REGISTERS.map((_, register) => registerHours(input, register))
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
    })
  }
  return rows
}

function registerHours({ range, samples, before, after }: HoursInput, register: number) {
  const readings: Reading[] = [...(before[register] ?? [])]
  for (const { at, registers } of samples) {
    const value = registers[register]
    if (value !== null && value !== undefined) readings.push({ at, value })
  }
  readings.push(...(after[register] ?? []))
  return readings.length > 0
    ? energyByHour({ readings, range, reportingIntervalMs: ANY_INTERVAL_MS })
    : undefined
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
  for (const { at, gauges } of samples) {
    const index = (floorHour(at) - range.from) / HOUR_MS
    counts[index] = (counts[index] ?? 0) + 1
    for (const [index, { sum, count }] of sums.entries()) {
      const value = gauges[index]
      if (value === null || value === undefined) continue
      sum[index] = (sum[index] ?? 0) + value
      count[index] = (count[index] ?? 0) + 1
    }
  }
  return Array.from(counts, (count, index) => ({
    samples: count,
    averages: sums.map(({ sum, count }) => mean(sum[index] ?? 0, count[index] ?? 0)),
  }))
}

const mean = (sum: number, count: number): number | null => (count === 0 ? null : round6(sum / count))
/** An average of real readings has no meaning beyond a millionth, and prints in a third of the characters. */
export const round6 = (value: number): number => {
  const rounded = Math.round(value * 1e6) / 1e6
  return Number.isFinite(rounded) ? rounded : value
}

/**
 * The average of averages, each weighed by its samples. They are added as whole millionths, which is exact in any order:
 * the same hours give the same average to the last bit, whichever statement or loop adds them up.
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

/** The same of a column of roll-up rows, as SQL. */
export const weightedMean = (column: string): string =>
  `sum(round(${column} * 1e6::float8) * samples)
    / nullif(1e6::float8 * sum(samples) filter (where ${column} is not null), 0)`
