import assert from 'node:assert/strict'
import { DAY_MS, type Range } from '../../../kernel/time.ts'

/** One reading of a cumulative register. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly at: number
  /** The register in whole millionths of a kWh (or kvarh); a safe integer. */
  readonly value: number
}

/**
 * Two neighbouring readings, with the register at both ends counted from one base, so that it never falls.
 */
export interface Interval {
  readonly from: number
  readonly to: number
  readonly startValue: number
  readonly endValue: number
  /** A reset, a step back or a reading that was passed over. */
  readonly isSuspect: boolean
}

/**
 * This number of readings at or before the start of the loaded range, and at or after its end, makes every hour
 * independent of the requested range. It is three because a false reading is only recognized two readings later (or
 * earlier), and one more replaces it if it is false. Conversely, a new reading can change the energy from the third
 * reading before it to the third after it, and, where the reporting interval is derived, the completeness of the day on
 * either side.
 */
export const NEIGHBOUR_READINGS = 3

/**
 * The readings that `energyByHour` needs for a range: those inside it, and NEIGHBOUR_READINGS at or before
 * its start and at or after its end. Where fewer exist, all of them. A device without a configured reporting
 * interval needs an additional day on either side, from which the interval is derived.
 */
export const rangeToLoad = (range: Range, reportingIntervalMs?: number): Range =>
  reportingIntervalMs === undefined ? { from: range.from - DAY_MS, to: range.to + DAY_MS } : range

/**
 * Fell, and the next reading is back where it was or above: a 0 sent while the meter started, for example.
 */
function isDip(readings: readonly Reading[], index: number): boolean {
  const before = readings[index - 1]
  const reading = readings[index]
  const after = readings[index + 1]
  if (!before || !reading || !after) return false
  return reading.value < before.value && before.value <= after.value
}

/**
 * True for a reading that rose while the next one is back between its neighbours: two halves of a register
 * read at different instants, for example. False when the next reading is at least twice the one before,
 * because such a young register may really have restarted. False next to a dip, which explains the same fall
 * by itself; so two false readings never follow each other.
 */
function isSpike(readings: readonly Reading[], index: number): boolean {
  const before = readings[index - 1]
  const reading = readings[index]
  const after = readings[index + 1]
  if (!before || !reading || !after) return false
  if (after.value >= reading.value || after.value < before.value) return false
  if (after.value - before.value >= before.value) return false
  return !isDip(readings, index - 1) && !isDip(readings, index + 1)
}

/**
 * The readings that count. A single reading out of line with both its neighbours is skipped: counted as a
 * reset it would add the whole register. Two readings in a row below the register confirm a reset. The very
 * last reading counts unchanged until the next one arrives.
 */
export function trueReadings(readings: readonly Reading[]): { kept: Reading[]; isBridged: boolean[] } {
  const kept: Reading[] = []
  const isBridged: boolean[] = []
  let wasPassedOver = false
  for (const [index, reading] of readings.entries()) {
    const previous = readings[index - 1]
    assert(!previous || previous.at < reading.at, 'readings must ascend, one for an instant')
    if (isDip(readings, index) || isSpike(readings, index)) {
      wasPassedOver = true
      continue
    }
    kept.push(reading)
    isBridged.push(wasPassedOver)
    wasPassedOver = false
  }
  return { kept, isBridged }
}

/**
 * A restarted meter begins near zero. A register that retained more than this share of its value was
 * corrected.
 */
const STEP_BACK_MAX_SHARE = 0.1

/**
 * The register at the earlier reading, relative to the later one.
 * - It rose: its value.
 * - It fell by more than half of its configured width: a rollover; its value less the width.
 * - It fell by a tenth or less: a manual correction; no energy (counted as a reset the whole register would
 *   be added again).
 * - Otherwise a reset: zero, so the energy is the later reading itself.
 */
function baseOf(before: number, after: number, rolloverAt: number | undefined): number {
  if (after >= before) return before
  if (isRollover(before, after, rolloverAt)) return before - rolloverAt
  if (before - after <= before * STEP_BACK_MAX_SHARE) return after
  return Math.min(0, after)
}

function isRollover(before: number, after: number, width: number | undefined): width is number {
  return width !== undefined && before <= width && after >= 0 && before - after > width / 2
}

/** The stretches between the readings that count; `rolloverAt` is the width of the register in millionths. */
export function intervalsOf(
  { kept, isBridged }: ReturnType<typeof trueReadings>,
  rolloverAt: number | undefined,
): Interval[] {
  const intervals: Interval[] = []
  let before: Reading | undefined
  for (const [index, after] of kept.entries()) {
    if (before) {
      const startValue = baseOf(before.value, after.value, rolloverAt)
      const isFall = after.value < before.value && !isRollover(before.value, after.value, rolloverAt)
      intervals.push({
        from: before.at,
        to: after.at,
        startValue,
        endValue: after.value,
        isSuspect: isFall || isBridged[index] === true,
      })
    }
    before = after
  }
  return intervals
}
