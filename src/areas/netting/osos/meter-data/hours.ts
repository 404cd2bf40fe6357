import { type CounterHour, energyByHour } from '../../../../core/netting/counter/energy-by-hour.ts'
import { applyMeterChanges, type MeterChange } from '../../../../core/netting/counter/meter-changes.ts'
import type { Reading } from '../../../../core/netting/counter/readings.ts'
import { type Kwh, roundDiv, wh } from '../../../../kernel/decimal.ts'
import { floorHour, HOUR_MS, iso, type Range } from '../../../../kernel/time.ts'
import type { SentHour } from '../energy.ts'
import { OSOS_HOUR_KWH_MAX } from '../limits.ts'
import { ROW_TEXTS } from './messages.ts'
import type { MeterRow, RowFault } from './rows.ts'
import type { Unit } from './settings.ts'

/** An hour of the file; `row` is the first row of the hour. */
export interface FileHour extends SentHour {
  readonly row: number
}

export interface FileHours {
  readonly hours: readonly FileHour[]
  readonly faults: readonly RowFault[]
}

export interface ScaleOfFile {
  readonly unit: Unit
  /** In millionths. */
  readonly multiplier: bigint
}

const MILLION = 1_000_000n
const MILLIONTHS_PER_WH = 1000n
/** A unit as a fraction of a kWh. */
const UNIT_SCALE: Readonly<Record<Unit, { readonly times: bigint; readonly over: bigint }>> = {
  Wh: { times: 1n, over: 1000n },
  kWh: { times: 1n, over: 1n },
  MWh: { times: 1000n, over: 1n },
}

/** The millionths of a kWh of a value in millionths of the unit: multiplied exactly, then rounded once. */
function millionthsOfKwh(value: bigint, { unit, multiplier }: ScaleOfFile, step: bigint): bigint {
  const { times, over } = UNIT_SCALE[unit]
  return roundDiv(value * multiplier * times, MILLION * over * step) * step
}

/**
 * Sums the intervals of each hour; the sum is multiplied and rounded to the Wh. An hour that lacks an interval
 * has no value: what was used in the meantime is not known. A negative interval makes the hour suspect.
 */
export function hoursOfIntervals(
  rows: readonly MeterRow[],
  { intervalMs, ...scale }: ScaleOfFile & { readonly intervalMs: number },
): FileHours {
  const perHour = HOUR_MS / intervalMs
  const byHour = new Map<number, MeterRow[]>()
  for (const row of rows) {
    const hour = floorHour(row.at)
    const known = byHour.get(hour)
    if (known) known.push(row)
    else byHour.set(hour, [row])
  }
  const hours: FileHour[] = []
  const faults: RowFault[] = []
  for (const [hour, parts] of byHour) {
    const [first] = parts
    if (!first || parts.length < perHour) continue
    const imported = sumOf(parts, 'imported', scale)
    const exported = sumOf(parts, 'exported', scale)
    if (imported === null && exported === null) continue
    if (isTooLarge(imported) || isTooLarge(exported)) {
      faults.push({ row: first.row, fault: ROW_TEXTS.ROW_HOUR_TOO_LARGE({ limit_kwh: OSOS_HOUR_KWH_MAX }) })
    } else hours.push({ row: first.row, hour, imported, exported, rawText: rawTextOf(parts) })
  }
  return { hours, faults }
}

const isTooLarge = (value: bigint | null): boolean =>
  value !== null && value > BigInt(OSOS_HOUR_KWH_MAX) * MILLION

function sumOf(
  parts: readonly MeterRow[],
  column: 'imported' | 'exported',
  scale: ScaleOfFile,
): bigint | null {
  let sum = 0n
  let isNegative = false
  for (const { [column]: value } of parts) {
    if (value === null) return null
    isNegative ||= value < 0n
    sum += value
  }
  // A negative part must not disappear in the sum of its hour.
  return isNegative ? -1n : millionthsOfKwh(sum, scale, MILLIONTHS_PER_WH)
}

const rawTextOf = (parts: readonly MeterRow[]): string =>
  parts
    .map(({ rawText }) => rawText)
    .join('; ')
    .slice(0, 200)

/** How the registers of a file are counted. */
export interface RegisterRules extends ScaleOfFile {
  readonly reportingIntervalMs: number | undefined
  /** The recorded meter changes of each direction, in kWh with the multiplier applied. */
  readonly changes: Readonly<Record<'imported' | 'exported', readonly MeterChange[]>>
  /** The power of the facility, kW; undefined where none is recorded. */
  readonly maxPowerKw: number | undefined
}

/**
 * Converts register readings into hours by the rules of netting.md 2.0. Hours at the ends of the file that it
 * covers in part are not stored, because the neighbouring file covers them; so two files share a reading.
 */
export function hoursOfRegisters(rows: readonly MeterRow[], rules: RegisterRules): FileHours {
  const faults = rows.flatMap(({ row, imported, exported }) =>
    [imported, exported].some((value) => value !== null && !isSafe(millionthsOfKwh(value, rules, 1n)))
      ? [{ row, fault: ROW_TEXTS.ROW_REGISTER_TOO_LARGE() }]
      : [],
  )
  if (faults.length > 0) return { hours: [], faults }
  const imported = countedHours(rows, 'imported', rules)
  const exported = countedHours(rows, 'exported', rules)
  const rowOf = firstRows(rows)
  const hours = [...new Set([...imported.keys(), ...exported.keys()])].map((hour): FileHour => {
    const [drawn, fed] = [imported.get(hour), exported.get(hour)]
    const both = [drawn, fed].filter((part) => part !== undefined)
    return {
      row: rowOf.get(hour) ?? rowOf.get(hour - HOUR_MS) ?? 0,
      hour,
      imported: millionthsOf(drawn?.energy),
      exported: millionthsOf(fed?.energy),
      rawText: iso(hour),
      completenessPct: Math.min(...both.map(({ completenessPct }) => completenessPct)),
      isReset: both.some(({ isSuspect }) => isSuspect),
    }
  })
  return { hours: hours.sort((a, b) => a.hour - b.hour), faults }
}

const isSafe = (value: bigint): boolean => value <= BigInt(Number.MAX_SAFE_INTEGER)
const millionthsOf = (energy: Kwh | null | undefined): bigint | null =>
  energy === null || energy === undefined ? null : wh(energy) * MILLIONTHS_PER_WH

function countedHours(
  rows: readonly MeterRow[],
  column: 'imported' | 'exported',
  { reportingIntervalMs, changes, maxPowerKw, ...scale }: RegisterRules,
): Map<number, CounterHour> {
  const readings = rows.flatMap(({ at, [column]: value }): Reading[] =>
    value === null ? [] : [{ at, value: Number(millionthsOfKwh(value, scale, 1n)) }],
  )
  const range = coveredHours(readings)
  if (range.from >= range.to) return new Map()
  const [first, last] = [readings[0]?.at ?? 0, readings.at(-1)?.at ?? 0]
  const between = changes[column].filter(({ at }) => at > first && at < last)
  const hours = energyByHour({
    readings: applyMeterChanges(readings, between),
    range,
    reportingIntervalMs,
    maxPowerKw: () => maxPowerKw,
  })
  return new Map(
    hours.filter(({ energy, hasReading }) => energy !== null && hasReading).map((hour) => [hour.hour, hour]),
  )
}

/** The whole hours between the first and the last reading. */
const coveredHours = (readings: readonly Reading[]): Range => ({
  from: floorHour((readings[0]?.at ?? 0) + HOUR_MS - 1),
  to: floorHour(readings.at(-1)?.at ?? 0),
})

function firstRows(rows: readonly MeterRow[]): Map<number, number> {
  const first = new Map<number, number>()
  for (const { row, at } of rows) {
    const hour = floorHour(at)
    if (!first.has(hour)) first.set(hour, row)
  }
  return first
}

export interface Gap extends Range {
  readonly hours: number
}

/** The hours between the first and the last one of a file that have no value, as ranges. */
export function gapsOf(rows: readonly MeterRow[], hours: readonly FileHour[], isRegister: boolean): Gap[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return []
  const range = isRegister
    ? coveredHours([
        { at: first.at, value: 0 },
        { at: last.at, value: 0 },
      ])
    : { from: floorHour(first.at), to: floorHour(last.at) + HOUR_MS }
  const gaps: Gap[] = []
  let at = range.from
  const known = [...hours.map(({ hour }) => hour)].sort((a, b) => a - b)
  for (const hour of [...known, range.to]) {
    if (hour > at) gaps.push({ from: at, to: hour, hours: (hour - at) / HOUR_MS })
    at = Math.max(at, hour + HOUR_MS)
  }
  return gaps
}
