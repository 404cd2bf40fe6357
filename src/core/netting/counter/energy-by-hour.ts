import assert from 'node:assert/strict'
import { floatAt } from '../../../kernel/checked.ts'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, hoursOf, type Range } from '../../../kernel/time.ts'
import { type Interval, intervalsOf, type MeterLimits, type Reading, trueReadings } from './readings.ts'

export interface CounterHour {
  /** The start of the hour, epoch milliseconds. */
  readonly hour: number
  /**
   * Includes the linear share of an hour without a reading; null where no two readings are in or around the
   * hour.
   */
  readonly energy: Kwh | null
  readonly coveredMs: number
  /** Covered minutes / 60 × 100, to 2 decimals. */
  readonly completenessPct: number
  /**
   * A reading inside the hour or on its edges. Without one a netting fact is missing, an aggregate an
   * estimate.
   */
  readonly hasReading: boolean
  /** A reset or a false reading touches the hour. */
  readonly isSuspect: boolean
  /** No reading at or after its end yet: the last reading is used, and a later build repairs the hour. */
  readonly isOpen: boolean
}

export interface CounterInput extends MeterLimits {
  /** Ascending, one for an instant; see `rangeToLoad` for how far they reach beyond the range. */
  readonly readings: readonly Reading[]
  /** On whole hours. */
  readonly range: Range
  /** The device's setting; without it the interval is learnt from the readings (see `isRegular`). */
  readonly reportingIntervalMs?: number | undefined
}

/** However rarely a device should report, readings this close together leave no hole. */
const COVERED_ALWAYS_MS = 15 * 60_000
/** A reading may be late by half an interval before the time counts as not covered. */
const COVERED_INTERVALS = 1.5

/** The state of each hour, column by column. */
interface HourColumns {
  readonly range: Range
  readonly wh: Float64Array
  readonly coveredMs: Float64Array
  readonly isKnown: Uint8Array
  readonly isSuspect: Uint8Array
  readonly hasReading: Uint8Array
}

/**
 * Converts a register into hourly energy. Between two readings the register is interpolated linearly; the
 * energy of an hour is the difference of that line at its edges, each rounded half up to Wh. The hours
 * between two readings of a register that never fell thus sum to the difference of the two rounded readings,
 * for every requested range. Returns one row for every hour of the range.
 */
export function energyByHour(input: CounterInput): CounterHour[] {
  const { range, readings, reportingIntervalMs } = input
  assert(range.from % HOUR_MS === 0 && range.to % HOUR_MS === 0, 'the range lies on hour boundaries')
  const known = trueReadings(readings)
  const columns = newColumns(range)
  const isCovered = (hour: number, lengthMs: number): boolean =>
    lengthMs <= COVERED_ALWAYS_MS ||
    (reportingIntervalMs === undefined
      ? isRegular(known.kept, hour, lengthMs)
      : lengthMs <= reportingIntervalMs * COVERED_INTERVALS)
  for (const interval of intervalsOf(known, input)) {
    if (interval.to > range.from && interval.from < range.to) distributeInterval(columns, interval, isCovered)
  }
  for (const { at } of known.kept) markReading(columns, at)
  return rowsOf(columns, known.kept.at(-1)?.at ?? Number.NEGATIVE_INFINITY)
}

function newColumns(range: Range): HourColumns {
  const length = Math.max(0, (range.to - range.from) / HOUR_MS)
  return {
    range,
    wh: new Float64Array(length),
    coveredMs: new Float64Array(length),
    isKnown: new Uint8Array(length),
    isSuspect: new Uint8Array(length),
    hasReading: new Uint8Array(length),
  }
}

/** Adds its share to each hour that an interval overlaps. */
function distributeInterval(
  columns: HourColumns,
  interval: Interval,
  isCovered: (hour: number, lengthMs: number) => boolean,
): void {
  const { range, wh, coveredMs, isKnown, isSuspect } = columns
  const lengthMs = interval.to - interval.from
  const end = Math.min(interval.to, range.to)
  let from = Math.max(interval.from, range.from)
  let before = whAt(interval, from)
  while (from < end) {
    const index = Math.floor((from - range.from) / HOUR_MS)
    const hour = range.from + index * HOUR_MS
    const to = Math.min(end, hour + HOUR_MS)
    const after = whAt(interval, to)
    wh[index] = floatAt(wh, index) + after - before
    if (isCovered(hour, lengthMs)) coveredMs[index] = floatAt(coveredMs, index) + to - from
    isKnown[index] = 1
    if (interval.isSuspect) isSuspect[index] = 1
    from = to
    before = after
  }
}

/**
 * The register at an instant of the interval, in whole Wh, half up. Exact: the fraction of a millionth that
 * the division leaves cannot change a rounding to thousands of millionths. Only products beyond 2^53 need
 * BigInt.
 */
function whAt({ from, to, startValue, endValue }: Interval, at: number): number {
  if (at === to) return roundToWh(endValue)
  if (at === from) return roundToWh(startValue)
  const span = to - from
  const growth = endValue - startValue
  const product = growth * (at - from)
  const grown = Number.isSafeInteger(product)
    ? (product - (product % span)) / span
    : Number((BigInt(growth) * BigInt(at - from)) / BigInt(span))
  return roundToWh(startValue + grown)
}

const MILLIONTHS_PER_WH = 1000

function roundToWh(millionths: number): number {
  const rest = millionths % MILLIONTHS_PER_WH
  const whole = (millionths - rest) / MILLIONTHS_PER_WH
  if (rest >= MILLIONTHS_PER_WH / 2) return whole + 1
  return rest < -MILLIONTHS_PER_WH / 2 ? whole - 1 : whole
}

/** A reading on the hour belongs to the hour that it ends as well as to the one that it begins. */
function markReading({ range, hasReading }: HourColumns, at: number): void {
  const position = (at - range.from) / HOUR_MS
  const index = Math.floor(position)
  if (index >= 0 && index < hasReading.length) hasReading[index] = 1
  if (index === position && index >= 1 && index <= hasReading.length) hasReading[index - 1] = 1
}

/**
 * True for a stretch of at most 1.5 reporting intervals, where the interval is derived from the readings. The
 * interval is the lower median of the spacings between the readings of the 24 hours before the hour. It
 * depends on the hour alone and does not change with later readings. Where those hours have fewer than two
 * readings (a new device, a day of silence), the 24 hours after the start of the hour are included. Without
 * any spacing the result is false.
 */
function isRegular(readings: readonly Reading[], hour: number, lengthMs: number): boolean {
  const first = indexAtOrAfter(readings, hour - DAY_MS)
  const before = countSpacings(readings, { first, to: hour, lengthMs })
  const spacings = before.all > 0 ? before : countSpacings(readings, { first, to: hour + DAY_MS, lengthMs })
  return spacings.tooShort <= (spacings.all - 1) / 2
}

/** Counts the spacings in a window, and those that are so short that the length exceeds 1.5 of them. */
function countSpacings(
  readings: readonly Reading[],
  window: { readonly first: number; readonly to: number; readonly lengthMs: number },
): { all: number; tooShort: number } {
  let all = 0
  let tooShort = 0
  let previousAt = readings[window.first]?.at ?? Number.POSITIVE_INFINITY
  for (let index = window.first + 1; index < readings.length; index++) {
    const at = readings[index]?.at ?? Number.POSITIVE_INFINITY
    if (at > window.to) break
    all += 1
    if ((at - previousAt) * COVERED_INTERVALS < window.lengthMs) tooShort += 1
    previousAt = at
  }
  return { all, tooShort }
}

function indexAtOrAfter(readings: readonly Reading[], at: number): number {
  let low = 0
  let high = readings.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((readings[middle]?.at ?? at) < at) low = middle + 1
    else high = middle
  }
  return low
}

function rowsOf(columns: HourColumns, lastAt: number): CounterHour[] {
  return hoursOf(columns.range).map((hour, index) => {
    const coveredMs = floatAt(columns.coveredMs, index)
    return {
      hour,
      energy: columns.isKnown[index] === 1 ? wh(BigInt(floatAt(columns.wh, index))) : null,
      coveredMs,
      completenessPct: completenessPct(coveredMs, 1),
      hasReading: columns.hasReading[index] === 1,
      isSuspect: columns.isSuspect[index] === 1,
      isOpen: lastAt < hour + HOUR_MS,
    }
  })
}

/** Covered time as a percentage of a number of hours, to 2 decimals. */
export const completenessPct = (coveredMs: number, hours: number): number =>
  Math.round((coveredMs / (hours * HOUR_MS)) * 10_000) / 100
