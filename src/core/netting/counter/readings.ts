import assert from 'node:assert/strict'
import { DAY_MS, HOUR_MS, type Range } from '../../../kernel/time.ts'

/** One reading of a cumulative register. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly at: number
  /** The register in whole millionths of a kWh (or kvarh); a safe integer. */
  readonly value: number
  /**
   * A charging session began with this value, from which the next reading counts. It differs from `value`
   * where another session ended at the same instant.
   */
  readonly restartsAt?: number
  /** A charging session ended. */
  readonly isSessionEnd?: true
  /** A recorded meter change: `value` is the end of the old register, and this is the beginning of the new one. */
  readonly newMeterStart?: number
}

/** A reading as the one after it sees it: at a meter change, the beginning of the new register. */
const startOf = (reading: Reading): Reading =>
  reading.newMeterStart === undefined ? reading : { at: reading.at, value: reading.newMeterStart }

/**
 * The most energy between the beginning of a charging session and the next reading, in millionths of a kWh. A
 * register that restarts with every session and one that counts on are distinguished by it: at a 0 between two
 * high values the latter was misread.
 */
const SESSION_ENERGY_MAX = 1_000_000_000
/**
 * A station may report one beginning or end twice, once as a meter value and once in its message. Their
 * rounding differs by at most this, in millionths of a kWh.
 */
const SESSION_ROUNDING_MAX = 100_000

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

/** The value from which the reading after another one counts. */
function departure(before: Reading, after: Reading): number {
  const { value, restartsAt = value } = startOf(before)
  return after.value - restartsAt <= SESSION_ENERGY_MAX ? restartsAt : value
}

/**
 * Fell, and the next reading is back where it was or above: a 0 sent while the meter started, for example.
 * Not where a charging session begins, or may begin because the reading before is the end of one.
 */
function isDip(readings: readonly Reading[], index: number): boolean {
  const before = readings[index - 1]
  const reading = readings[index]
  const after = readings[index + 1]
  if (!before || !reading || !after || reading.newMeterStart !== undefined) return false
  const left = departure(before, reading)
  if (reading.value >= left || left > after.value) return false
  const isRestart = reading.restartsAt !== undefined || (before.isSessionEnd === true && left < after.value)
  return !(isRestart && after.value - (reading.restartsAt ?? 0) <= SESSION_ENERGY_MAX)
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
  if (!before || !reading || !after || reading.newMeterStart !== undefined) return false
  const left = departure(before, reading)
  if (after.value >= reading.value || after.value < left) return false
  if (after.value - left >= left) return false
  return !isDip(readings, index - 1) && !isDip(readings, index + 1)
}

export interface TrueReadings {
  readonly kept: Reading[]
  /** By index in `kept`: a reading before it was skipped. */
  readonly isBridged: boolean[]
  /** By index in `kept`: the reading before it, skipped or not, has the same value. */
  readonly isStill: boolean[]
}

/**
 * The readings that count. A single reading out of line with both its neighbours is skipped: counted as a
 * reset it would add the whole register. Two readings in a row below the register confirm a reset. The very
 * last reading counts unchanged until the next one arrives.
 */
export function trueReadings(readings: readonly Reading[]): TrueReadings {
  const kept: Reading[] = []
  const isBridged: boolean[] = []
  const isStill: boolean[] = []
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
    isStill.push(previous !== undefined && startOf(previous).value === reading.value)
    wasPassedOver = false
  }
  return { kept, isBridged, isStill }
}

/**
 * A restarted meter begins near zero. A register that retained more than this share of its value was
 * corrected.
 */
const STEP_BACK_MAX_SHARE = 0.1

/** The properties of a meter that decide how much a register has grown since a reading. */
export interface MeterLimits {
  /** The width of the register in millionths: after this value it shows 0 again. */
  readonly rolloverAt?: number | undefined
  /** The largest power, kW, in the time up to a reading; undefined where none is known. */
  readonly maxPowerKw?: ((at: number) => number | undefined) | undefined
}

/** The growth after a reset is plausible up to this multiple of the power. */
const PLAUSIBLE_SHARE = 1.5

/** True where the power allows the register to have counted from 0 to the later reading. */
function isPlausible(before: Reading, after: Reading, { maxPowerKw }: MeterLimits): boolean {
  const powerKw = maxPowerKw?.(after.at)
  if (powerKw === undefined) return true
  return after.value <= (powerKw * PLAUSIBLE_SHARE * 1e6 * (after.at - before.at)) / HOUR_MS
}

/**
 * True for a session that began at 0 and has more energy than the power allows: the 0 may be a false reading of a
 * register that counts on. A power of 0 says nothing, because the station may not measure its power.
 */
function isDoubtfulStart(before: Reading, after: Reading, limits: MeterLimits): boolean {
  if (before.restartsAt !== 0 || (limits.maxPowerKw?.(after.at) ?? 0) <= 0) return false
  return !isPlausible(before, after, limits)
}

/**
 * The readings at which the power may be needed: those lower than one of the two before them, and those after the
 * beginning of a session at 0. It is two because the reading between them may be skipped as a false one.
 */
export function fallsOf(readings: readonly Reading[]): number[] {
  const needsPower = ({ value }: Reading, before: Reading | undefined): boolean =>
    before !== undefined &&
    (before.restartsAt === 0 ||
      value < Math.max(before.value, before.restartsAt ?? 0, before.newMeterStart ?? 0))
  const falls: number[] = []
  for (const [index, reading] of readings.entries()) {
    // A register that shows 0, or the beginning of a session, has grown by nothing.
    if (reading.value <= 0 || reading.restartsAt === reading.value) continue
    if (needsPower(reading, readings[index - 1]) || needsPower(reading, readings[index - 2]))
      falls.push(reading.at)
  }
  return falls
}

/**
 * The register at the earlier reading, relative to the later one.
 * - It rose: its value.
 * - It fell by more than half of its configured width: a rollover; its value less the width.
 * - It fell by a tenth or less: a manual correction; no energy (counted as a reset the whole register would
 *   be added again).
 * - Otherwise a reset: zero, so the energy is the later reading itself; no energy where the power does not
 *   allow it.
 */
function baseOf(
  before: number,
  after: number,
  { rolloverAt, isPossible }: { readonly rolloverAt: number | undefined; readonly isPossible: boolean },
): number {
  if (after >= before) return before
  if (isRollover(before, after, rolloverAt)) return before - rolloverAt
  if (before - after <= before * STEP_BACK_MAX_SHARE) return after
  return isPossible ? Math.min(0, after) : after
}

function isRollover(before: number, after: number, width: number | undefined): width is number {
  return width !== undefined && before <= width && after >= 0 && before - after > width / 2
}

/** True for two readings of one beginning or of one end of a session. */
function isSameMoment(before: Reading, after: Reading): boolean {
  if (Math.abs(after.value - before.value) > SESSION_ROUNDING_MAX) return false
  if (before.isSessionEnd && after.isSessionEnd) return true
  return before.restartsAt !== undefined && after.restartsAt !== undefined
}

/** Where the register stood at the earlier of two readings, relative to the later one, and whether it is in doubt. */
interface Growth {
  readonly startValue: number
  readonly isSuspect: boolean
}

/** `isStill`: the register stood still before `before`, so that no session was charging. */
function growthOf(
  {
    before,
    after,
    isStill,
  }: { readonly before: Reading; readonly after: Reading; readonly isStill: boolean },
  limits: MeterLimits,
): Growth {
  const { rolloverAt } = limits
  const left = departure(before, after)
  const isAfterEnd = before.isSessionEnd === true
  const isUnknownStart = before.restartsAt === undefined || left !== before.restartsAt
  if (after.value >= left) {
    // Between two ends a session began; a register that restarts has lost the energy up to the first end.
    const hasTwoEnds = isAfterEnd && after.isSessionEnd === true && isUnknownStart
    const isLost = hasTwoEnds && !isSameMoment(before, after) && after.value <= SESSION_ENERGY_MAX
    const isSkippedStart = left !== (before.restartsAt ?? left)
    return { startValue: left, isSuspect: isLost || isSkippedStart || isDoubtfulStart(before, after, limits) }
  }
  if (isSameMoment(before, after)) return { startValue: after.value, isSuspect: false }
  // The register restarted with a session, and what it shows is not energy of that session.
  if (after.restartsAt === after.value) {
    return { startValue: after.value, isSuspect: after.value !== 0 || !(isAfterEnd || isStill) }
  }
  if (isAfterEnd && isUnknownStart && after.value === 0) return { startValue: 0, isSuspect: false }
  return {
    startValue: baseOf(left, after.value, {
      rolloverAt,
      isPossible: isPlausible(before, after, limits),
    }),
    isSuspect: !isRollover(left, after.value, rolloverAt),
  }
}

/** The stretches between the readings that count. */
export function intervalsOf({ kept, isBridged, isStill }: TrueReadings, limits: MeterLimits): Interval[] {
  const intervals: Interval[] = []
  let before: Reading | undefined
  for (const [index, after] of kept.entries()) {
    if (before) {
      const growth = growthOf({ before, after, isStill: isStill[index - 1] === true }, limits)
      intervals.push({
        from: before.at,
        to: after.at,
        startValue: growth.startValue,
        endValue: after.value,
        isSuspect: growth.isSuspect || isBridged[index] === true,
      })
    }
    before = startOf(after)
  }
  return intervals
}
