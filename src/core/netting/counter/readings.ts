import assert from 'node:assert/strict'
import { DAY_MS, type Range } from '../../../kernel/time.ts'

/** One reading of a cumulative register. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly at: number
  /** The register in whole millionths of a kWh (or kvarh); a safe integer. */
  readonly value: number
}

/** Two neighbouring readings, with the register at both ends counted from one base, so that it never falls. */
export interface Interval {
  readonly from: number
  readonly to: number
  readonly startValue: number
  readonly endValue: number
  /** A reset, a step back or a reading that was passed over. */
  readonly isSuspect: boolean
}

/**
 * So many readings at or before the start of what is loaded, and at or after its end, make every hour independent
 * of the range asked for. Three, because whether a reading is false shows two readings later (and earlier), and
 * one more stands in for it if it is. The same the other way round: a new reading can change the energy from the
 * third reading before it to the third after it, and, where the reporting interval is learnt, the completeness of
 * the day on either side.
 */
export const NEIGHBOUR_READINGS = 3

/**
 * The readings that `energyByHour` needs for a range: those inside the answer, and NEIGHBOUR_READINGS at or before
 * its start and at or after its end. Where fewer exist, all there are. A device without a reporting interval in
 * its settings needs a day more on either side, from which the interval is learnt.
 */
export const rangeToLoad = (range: Range, reportingIntervalMs?: number): Range =>
  reportingIntervalMs === undefined ? { from: range.from - DAY_MS, to: range.to + DAY_MS } : range

/** Fell, and the next reading is back where it was or above: a 0 sent while the meter started, for example. */
function isDip(readings: readonly Reading[], index: number): boolean {
  const before = readings[index - 1]
  const reading = readings[index]
  const after = readings[index + 1]
  if (!before || !reading || !after) return false
  return reading.value < before.value && before.value <= after.value
}

/**
 * Rose, and the next reading is back between: two halves of a register read at different instants, for example.
 * Not when that next reading is at least twice the one before: such a young register may really have started anew.
 * Nor beside a dip, which explains the same fall by itself; so no two false readings ever follow each other.
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
 * The readings that count. A single reading out of line with both its neighbours is passed over: counted as a reset
 * it would add the whole register. Two in a row below the register confirm a reset; the last reading of all counts
 * as it stands until the next one tells.
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

/** A meter that starts anew starts near zero. A register that kept more than this share of itself was corrected. */
const STEP_BACK_MAX_SHARE = 0.1

/**
 * Where the register stood at the earlier reading, counted so that the later reading is the end.
 * - It rose: where it stood.
 * - It fell by more than half of its configured width: it rolled over, and stood so far below zero.
 * - It fell by a tenth or less: corrected by somebody; nothing grew (counted as a reset it would add it all again).
 * - Else a reset: it began at zero, so the growth is the later reading itself.
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
