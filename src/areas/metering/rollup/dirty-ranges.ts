import { fallsOf, type Reading } from '../../../core/netting/counter/readings.ts'
import { DAY_MS, floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { type RegisterChanges, readMeterChanges } from '../meter-changes/index.ts'
import { readMaxPower } from '../power/index.ts'
import { computeHourRows, type HourRow, readingsOfRegisters } from './hour-rows.ts'
import { ROLLUP_CHUNK_MS, ROLLUP_SAMPLES_AT_ONCE } from './limits.ts'
import { type NeighbourReadings, readNeighbours } from './neighbour-store.ts'
import { type DeviceRef, readExtent, readHourCounts, readSamples, type SampleExtent } from './store.ts'

/** Merges ranges: ascending, disjoint, adjacent ones joined. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else if (from < to) merged.push({ from, to })
  }
  return merged
}

export const overlap = (a: Range, b: Range): Range => ({
  from: Math.max(a.from, b.from),
  to: Math.min(a.to, b.to),
})

export const contains = ({ from, to }: Range, at: number): boolean => at >= from && at < to

/** The dirty ranges of a device: its marks, and everything after `rolledTo`. */
export const dirtyRanges = ({
  marks,
  rolledTo,
}: {
  readonly marks: readonly Range[]
  readonly rolledTo: number | undefined
}): Range[] => [...marks, { from: rolledTo ?? Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]

/** Splits a range into chunks of at most ROLLUP_CHUNK_MS. */
export function splitIntoChunks({ from, to }: Range): Range[] {
  const chunks: Range[] = []
  for (let at = from; at < to; at += ROLLUP_CHUNK_MS) {
    chunks.push({ from: at, to: Math.min(to, at + ROLLUP_CHUNK_MS) })
  }
  return chunks
}

export interface DirtyHours {
  /** Hours that samples of the dirty ranges change, ascending. */
  readonly ranges: Range[]
  /** Bits of the registers of the device, including those of the dirty ranges. */
  readonly registers: number
  /** The time outside of which the device has no samples; its ends are infinite where that is not known. */
  readonly known: Range
}

/**
 * Finds the hours that the samples of dirty ranges change: their own hours, and for each of their registers
 * the hours between the third reading before and the third reading after them. Energy between two readings
 * is shared linearly across every hour of the gap, and a reading can prove that its neighbour was false.
 */
export async function findDirtyHours(
  db: Queryable,
  device: DeviceRef,
  { dirty, registers: rolled }: { dirty: readonly Range[]; registers: number },
): Promise<DirtyHours> {
  const ranges: Range[] = []
  let registers = rolled
  const known = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  for (const dirtyRange of mergeRanges(dirty)) {
    const extent = await readExtent(db, device, dirtyRange)
    if (dirtyRange.from === Number.NEGATIVE_INFINITY) known.from = extent ? extent.from - 1 : dirtyRange.to
    if (dirtyRange.to === Number.POSITIVE_INFINITY) known.to = extent ? extent.to + 1 : dirtyRange.from
    if (!extent) continue
    registers |= extent.registers
    const range = wholeHours(extent)
    const query = { range, registers: extent.registers, known }
    ranges.push(widenToNeighbours(range, await readNeighbours(db, device, query)))
  }
  return { ranges: mergeRanges(ranges), registers, known }
}

/** The whole hours that contain an extent. */
export const wholeHours = ({ from, to }: Pick<SampleExtent, 'from' | 'to'>): Range => ({
  from: floorHour(from),
  to: floorHour(to) + HOUR_MS,
})

/** Widens a range of hours to everything that changes with it: see `findDirtyHours`. */
export function widenToNeighbours({ from, to }: Range, { before, after }: NeighbourReadings): Range {
  const starts = before.flatMap(([first]) => (first ? [floorHour(first.at)] : []))
  const ends = after.flatMap((readings) =>
    readings.slice(-1).map(({ at }) => Math.ceil(at / HOUR_MS) * HOUR_MS),
  )
  return { from: Math.min(from, ...starts), to: Math.max(to, ...ends) }
}

interface HoursQuery {
  /** On whole hours. */
  readonly range: Range
  readonly registers: number
  /** As in DirtyHours. */
  readonly known: Range
  /** The setting of the device. */
  readonly reportingIntervalMs: number | undefined
}

/**
 * Computes the roll-up rows of a range of whole hours from the samples, in parts when there are many
 * samples.
 */
export async function computeHours(
  db: Queryable,
  device: DeviceRef,
  { range, ...rest }: HoursQuery,
): Promise<HourRow[]> {
  const rows: HourRow[] = []
  const changes = (await readMeterChanges(db, device.tenantId, [device.deviceKey])).get(device.deviceKey)
  for (const piece of await splitBySampleCount(db, device, range)) {
    const query = { ...rest, range: piece, changes }
    for (const row of await computePiece(db, device, query)) rows.push(row)
  }
  return rows
}

async function computePiece(
  db: Queryable,
  device: DeviceRef,
  {
    range,
    registers,
    known,
    reportingIntervalMs,
    changes,
  }: HoursQuery & { readonly changes: RegisterChanges | undefined },
) {
  const { tenantId, deviceKey } = device
  const samples = await readSamples(db, device, range)
  const neighbours = await readNeighbours(db, device, { range, registers, known })
  const readings = readingsOfRegisters({ samples, ...neighbours, changes })
  const falls = listFalls(readings).map((at) => ({ deviceKey, at }))
  const maxPowerKw = (await readMaxPower(db, tenantId, falls))(deviceKey)
  return computeHourRows({ range, samples, readings, maxPowerKw, reportingIntervalMs })
}

/** The instants of all registers at which the power of the device may be needed. */
export const listFalls = (readings: readonly (readonly Reading[])[]): number[] => [
  ...new Set(readings.flatMap(fallsOf)),
]

/**
 * Splits a range into parts of at most ROLLUP_SAMPLES_AT_ONCE samples, or one hour. A single day is never
 * split.
 */
async function splitBySampleCount(db: Queryable, device: DeviceRef, range: Range): Promise<Range[]> {
  if (range.to - range.from <= DAY_MS) return [range]
  return splitByCount(range, await readHourCounts(db, device, range))
}

/** Splits a range before each hour with which a part would exceed ROLLUP_SAMPLES_AT_ONCE. */
export function splitByCount(
  { from, to }: Range,
  counts: readonly { readonly hour: number; readonly samples: number }[],
): Range[] {
  const pieces: Range[] = []
  let start = from
  let inPiece = 0
  for (const { hour, samples } of counts) {
    if (inPiece > 0 && inPiece + samples > ROLLUP_SAMPLES_AT_ONCE) {
      pieces.push({ from: start, to: hour })
      start = hour
      inPiece = 0
    }
    inPiece += samples
  }
  pieces.push({ from: start, to })
  return pieces
}
