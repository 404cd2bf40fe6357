import { DAY_MS, floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { computeHourRows, type HourRow } from './hour-rows.ts'
import { ROLLUP_CHUNK_MS, ROLLUP_SAMPLES_AT_ONCE } from './limits.ts'
import {
  type DeviceRef,
  type NeighbourReadings,
  readExtent,
  readHourCounts,
  readNeighbours,
  readSamples,
  type SampleExtent,
} from './store.ts'

/** Ascending ranges without overlap; those that meet are one. */
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

/** The stretches of a device that its roll-up rows do not speak for. */
export const dirtyRanges = ({
  marks,
  rolledTo,
}: {
  readonly marks: readonly Range[]
  readonly rolledTo: number | undefined
}): Range[] => [...marks, { from: rolledTo ?? Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]

/** Pieces of at most ROLLUP_CHUNK_MS, so that a year of samples is never in memory at once. */
export function splitIntoChunks({ from, to }: Range): Range[] {
  const chunks: Range[] = []
  for (let at = from; at < to; at += ROLLUP_CHUNK_MS) {
    chunks.push({ from: at, to: Math.min(to, at + ROLLUP_CHUNK_MS) })
  }
  return chunks
}

export interface DirtyHours {
  /** Hours that samples of the dirty stretches change, ascending. */
  readonly ranges: Range[]
  /** The registers of the device, those of the dirty stretches included. */
  readonly registers: number
}

/**
 * The hours that new samples change: their own, and of each register they carry those between the third reading
 * before and the third reading after them, since the line between two readings crosses every hour of a gap, and
 * a reading can show that its neighbour was false.
 */
export async function findDirtyHours(
  db: Queryable,
  device: DeviceRef,
  { dirty, registers: known }: { dirty: readonly Range[]; registers: number },
): Promise<DirtyHours> {
  const ranges: Range[] = []
  let registers = known
  for (const dirtyRange of mergeRanges(dirty)) {
    const extent = await readExtent(db, device, dirtyRange)
    if (!extent) continue
    registers |= extent.registers
    const range = wholeHours(extent)
    ranges.push(
      widenToNeighbours(range, await readNeighbours(db, device, { range, registers: extent.registers })),
    )
  }
  return { ranges: mergeRanges(ranges), registers }
}

/** The whole hours that an extent lies in. */
export const wholeHours = ({ from, to }: Pick<SampleExtent, 'from' | 'to'>): Range => ({
  from: floorHour(from),
  to: floorHour(to) + HOUR_MS,
})

/** A range of hours and what changes with it: see `findTouched`. */
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
}

/** The roll-up rows of a range of whole hours, from the samples themselves; piece by piece where these are many. */
export async function computeHours(
  db: Queryable,
  device: DeviceRef,
  { range, registers }: HoursQuery,
): Promise<HourRow[]> {
  const rows: HourRow[] = []
  for (const piece of await splitBySampleCount(db, device, range)) {
    for (const row of await computePiece(db, device, { range: piece, registers })) rows.push(row)
  }
  return rows
}

async function computePiece(db: Queryable, device: DeviceRef, { range, registers }: HoursQuery) {
  const samples = await readSamples(db, device, range)
  const neighbours = await readNeighbours(db, device, { range, registers })
  return computeHourRows({ range, samples, ...neighbours })
}

/** Whole hours with at most ROLLUP_SAMPLES_AT_ONCE samples together, or one hour. A day is never too much. */
async function splitBySampleCount(db: Queryable, device: DeviceRef, range: Range): Promise<Range[]> {
  if (range.to - range.from <= DAY_MS) return [range]
  return splitByCount(range, await readHourCounts(db, device, range))
}

/** Cuts a range before each hour with which a piece would have too many samples. */
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
