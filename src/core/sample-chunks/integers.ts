import { floatAt } from '../../kernel/checked.ts'
import { type ByteReader, type ByteWriter, ChunkError } from './bytes.ts'
import { readIntegerWords, writeWords } from './words.ts'

/**
 * Whole numbers as differences.
 *
 * Every value minus the first one is a multiple of a unit (the greatest common divisor), so registers that are stored
 * in millionths and counted in tenths, and times of whole minutes, become small numbers. Written are these numbers
 * (order 0), their differences (order 1: registers, noisy gauges), or the differences of the differences (order 2:
 * time, steady registers, smooth curves), whichever needs the fewest bits.
 */
const WORDS = 0
const CONSTANT = 1
/** The kind of order 0; orders 1 and 2 follow. */
const FIRST_ORDER = 2
const LAST_ORDER = FIRST_ORDER + 2

/** Differences of differences of values within this span are exact numbers. */
const SPAN_MAX = 2 ** 50

/** Whole numbers: exact as float64, or BigInt when one of them is beyond 2^53. */
export type Integers = Float64Array | BigInt64Array

const MIN_SAFE = BigInt(Number.MIN_SAFE_INTEGER)
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Converts to float64 when all values are exact as such. */
function narrow(values: BigInt64Array): Integers {
  for (const value of values) if (value < MIN_SAFE || value > MAX_SAFE) return values
  return Float64Array.from(values, Number)
}

const widen = (values: Integers): BigInt64Array =>
  values instanceof Float64Array ? BigInt64Array.from(values, BigInt) : values

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b]
  while (small !== 0) [large, small] = [small, large % small]
  return large
}

/** 0: all values are equal. Undefined: they are too far apart for differences. */
function unitOf(values: Float64Array): number | undefined {
  const first = floatAt(values, 0)
  let [low, high, unit] = [first, first, 0]
  for (const value of values) {
    if (value < low) low = value
    else if (value > high) high = value
    if (high - low > SPAN_MAX) return undefined
    if (unit === 1) continue
    const distance = Math.abs(value - first)
    if (distance === 0) continue
    if (unit === 0 || Math.round(distance / unit) * unit !== distance)
      unit = greatestCommonDivisor(distance, unit)
  }
  return unit
}

/** Maps 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 …, so that small numbers of both signs need one byte. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (code: number): number => (code % 2 === 0 ? code / 2 : -(code + 1) / 2)

const TWO_32 = 2 ** 32
const bitsOf = (code: number): number =>
  code < TWO_32 ? 32 - Math.clz32(code) : 64 - Math.clz32(code / TWO_32)

/** Units between each value and the first one. */
function multiplesOf(values: Float64Array, unit: number): Float64Array {
  const first = floatAt(values, 0)
  const multiples = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++)
    multiples[index] = (floatAt(values, index) - first) / unit
  return multiples
}

/** The order whose numbers have the fewest bits. */
function cheapestOrder(multiples: Float64Array): number {
  let [previous, difference] = [0, 0]
  let [plain, once, twice] = [0, 0, 0]
  for (let index = 1; index < multiples.length; index++) {
    const current = floatAt(multiples, index)
    const step = current - previous
    plain += bitsOf(zigzag(current))
    once += bitsOf(zigzag(step))
    twice += bitsOf(zigzag(step - difference))
    previous = current
    difference = step
  }
  const least = Math.min(plain, once, twice)
  return least === plain ? 0 : least === once ? 1 : 2
}

export function writeIntegers(writer: ByteWriter, values: Integers): void {
  if (values.length === 0) return
  const safe = values instanceof BigInt64Array ? narrow(values) : values
  const unit = safe instanceof Float64Array ? unitOf(safe) : undefined
  if (unit === undefined || safe instanceof BigInt64Array) {
    writer.byte(WORDS)
    writeWords(writer, widen(values))
    return
  }
  const first = floatAt(safe, 0)
  if (unit === 0) {
    writer.byte(CONSTANT)
    writer.signed(first)
    return
  }
  const multiples = multiplesOf(safe, unit)
  const order = cheapestOrder(multiples)
  writer.byte(FIRST_ORDER + order)
  writer.signed(first)
  writer.unsigned(unit)
  let [previous, difference] = [0, 0]
  for (let index = 1; index < multiples.length; index++) {
    const current = floatAt(multiples, index)
    const expected = order === 0 ? 0 : order === 1 ? previous : previous + difference
    writer.unsigned(zigzag(current - expected))
    difference = current - previous
    previous = current
  }
}

/** Reads the first `wanted` of `count` values; the reader is behind the last value only if all are wanted. */
export function readIntegers(reader: ByteReader, count: number, wanted = count): Integers {
  if (count === 0) return new Float64Array(0)
  const kind = reader.byte()
  if (kind === WORDS) return narrow(readIntegerWords(reader, count).subarray(0, wanted))
  if (kind > LAST_ORDER) throw new ChunkError(`the chunk has whole numbers of the unknown kind ${kind}`)
  const values = new Float64Array(wanted)
  const first = reader.signed()
  if (kind === CONSTANT) return values.fill(first)
  const order = kind - FIRST_ORDER
  const unit = reader.unsigned()
  if (wanted > 0) values[0] = first
  let [previous, difference] = [0, 0]
  for (let index = 1; index < wanted; index++) {
    const expected = order === 0 ? 0 : order === 1 ? previous : previous + difference
    const current = expected + unzigzag(reader.unsigned())
    values[index] = first + current * unit
    difference = current - previous
    previous = current
  }
  return values
}
