import { at } from '../../../kernel/checked.ts'
import { add, type Kwh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { DAY_MS, periodOf, periodRange, type Range, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import { type CounterHour, completenessPct } from './energy-by-hour.ts'

/** Hours folded into a Turkey-local day or month. */
export interface EnergyBucket extends Omit<CounterHour, 'hour'>, Range {
  /** Number of given hours; completeness is a share of these. */
  readonly hours: number
}

const dayRange = (instant: number): Range => {
  const from = Math.floor((instant + TURKEY_OFFSET_MS) / DAY_MS) * DAY_MS - TURKEY_OFFSET_MS
  return { from, to: from + DAY_MS }
}
const monthRange = (instant: number): Range => periodRange(periodOf(instant))

/** Exact sums of ascending hours by Turkey-local day; null only where every hour is null. */
export const energyByDay = (hours: readonly CounterHour[]): EnergyBucket[] => fold(hours, dayRange)
/** Exact sums of ascending hours by Turkey-local month. */
export const energyByMonth = (hours: readonly CounterHour[]): EnergyBucket[] => fold(hours, monthRange)

function fold(hours: readonly CounterHour[], rangeOf: (instant: number) => Range): EnergyBucket[] {
  const buckets: EnergyBucket[] = []
  let start = 0
  while (start < hours.length) {
    const range = rangeOf(at(hours, start).hour)
    let end = start + 1
    while (end < hours.length && at(hours, end).hour < range.to) end += 1
    buckets.push(sumHours(hours.slice(start, end), range))
    start = end
  }
  return buckets
}

function sumHours(hours: readonly CounterHour[], range: Range): EnergyBucket {
  let energy: Kwh | null = null
  let coveredMs = 0
  for (const hour of hours) {
    if (hour.energy !== null) energy = add(energy ?? ZERO_KWH, hour.energy)
    coveredMs += hour.coveredMs
  }
  return {
    ...range,
    hours: hours.length,
    energy,
    coveredMs,
    completenessPct: completenessPct(coveredMs, hours.length),
    hasReading: hours.some((hour) => hour.hasReading),
    isSuspect: hours.some((hour) => hour.isSuspect),
    isOpen: hours.some((hour) => hour.isOpen),
  }
}

/** Energies are whole Wh (varh) below 2^53, which a number holds exactly. */
export interface AggregateInput {
  readonly variant: 'consumption' | 'production'
  /** The growth of the register in the bucket; null when it is unknown. */
  readonly energyWh: number | null
  /** A reading of the register in at least one hour of the bucket. */
  readonly hasReading: boolean
  /**
   * The mean of active_power in kW, positive in the direction of the variant; null when the device reports
   * none.
   */
  readonly powerKw: number | null
  /** The length of the bucket. */
  readonly hours: number
}

/** The part of a row of AggregatedResponse that has rules (1 to 4 of the interface). */
export interface AggregateRow {
  readonly energyWh: number | null
  readonly isEstimated: boolean
}

/**
 * Uses the register where possible, and the power otherwise. A register that does not move while power flows
 * is flat, and its 0 is not used. A register without a reading in the bucket still provides the linear share,
 * so that the buckets sum to the register, but marked as an estimate. Production is never below zero.
 */
export function aggregateRow({
  variant,
  energyWh,
  hasReading,
  powerKw,
  hours,
}: AggregateInput): AggregateRow {
  const isFlat = energyWh === 0 && powerKw !== null && powerKw > 0
  if (energyWh !== null && !isFlat) return { energyWh: clamp(variant, energyWh), isEstimated: !hasReading }
  if (powerKw === null) return { energyWh: null, isEstimated: false }
  return { energyWh: clamp(variant, Math.round(powerKw * hours * 1000)), isEstimated: true }
}

const clamp = (variant: AggregateInput['variant'], energyWh: number): number =>
  variant === 'production' && energyWh < 0 ? 0 : energyWh
