import { floatAt } from '../../kernel/checked.ts'
import { type ByteReader, type ByteWriter, ChunkError } from './bytes.ts'
import { readIntegers, writeIntegers } from './integers.ts'
import { readFloatWords, writeWords } from './words.ts'

/**
 * Values of float64 as decimals: whole numbers with a common number of decimals.
 *
 * A value scales when its whole number, divided by the power of ten, is the same value to the bit; this holds for every
 * value that was sent as a decimal of up to 15 digits. Values that do not scale (a third, NaN, infinities, -0, 1e100)
 * are exceptions, which are written unchanged with their indexes. A column with many exceptions is written unchanged as
 * a whole.
 */
const UNCHANGED = 255
const DECIMALS_MAX = 9
const WHOLE_MAX = 2 ** 49
const POWERS = Float64Array.from({ length: DECIMALS_MAX + 1 }, (_, decimals) => 10 ** decimals)

const powerOf = (decimals: number): number => floatAt(POWERS, decimals)

/** The whole number of a value that scales; undefined for one that does not. */
function scaled(value: number, power: number): number | undefined {
  const whole = Math.round(value * power)
  if (!(whole <= WHOLE_MAX && whole >= -WHOLE_MAX) || whole / power !== value) return undefined
  return whole === 0 && Object.is(value, -0) ? undefined : whole
}

const exceptionsMax = (count: number): number => Math.max(4, Math.floor(count / 8))

interface Decimals {
  readonly decimals: number
  /** The whole numbers; that of an exception is the one before it. */
  readonly wholes: Float64Array
  /** The indexes of the values that do not scale. */
  readonly exceptions: readonly number[]
}

/** The fewest decimals with which a value scales; undefined when none does. */
function decimalsOf(value: number): number | undefined {
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals++)
    if (scaled(value, powerOf(decimals)) !== undefined) return decimals
  return undefined
}

/** Scales all values but the exceptions with as few decimals as they need; undefined with too many exceptions. */
function scaleAll(values: Float64Array): Decimals | undefined {
  const wholes = new Float64Array(values.length)
  const exceptions: number[] = []
  let [decimals, power, previous] = [0, 1, 0]
  for (let index = 0; index < values.length; index++) {
    const value = floatAt(values, index)
    const whole = scaled(value, power)
    if (whole !== undefined) {
      wholes[index] = previous = whole
      continue
    }
    const needed = decimalsOf(value)
    if (needed !== undefined && needed > decimals) {
      // From the first value again.
      decimals = needed
      power = powerOf(decimals)
      exceptions.length = 0
      previous = 0
      index = -1
      continue
    }
    if (exceptions.length === exceptionsMax(values.length)) return undefined
    exceptions.push(index)
    wholes[index] = previous
  }
  return { decimals, wholes, exceptions }
}

export function writeDecimals(writer: ByteWriter, values: Float64Array): void {
  if (values.length === 0) return
  const scaling = scaleAll(values)
  if (!scaling) {
    writer.byte(UNCHANGED)
    writeWords(writer, values)
    return
  }
  const { decimals, wholes, exceptions } = scaling
  writer.byte(decimals)
  writer.unsigned(exceptions.length)
  for (const index of exceptions) writer.unsigned(index)
  writeWords(
    writer,
    Float64Array.from(exceptions, (index) => floatAt(values, index)),
  )
  writeIntegers(writer, wholes)
}

/** Reads the first `wanted` of `count` values. */
export function readDecimals(reader: ByteReader, count: number, wanted = count): Float64Array {
  if (count === 0) return new Float64Array(0)
  const decimals = reader.byte()
  if (decimals === UNCHANGED) return readFloatWords(reader, count).subarray(0, wanted)
  if (decimals > DECIMALS_MAX) throw new ChunkError(`the chunk has values with ${decimals} decimals`)
  const indexes = Array.from({ length: reader.count(count) }, () => reader.count(count - 1))
  const exceptions = readFloatWords(reader, indexes.length)
  const values = readIntegers(reader, count, wanted)
  if (values instanceof BigInt64Array) throw new ChunkError('the chunk has values that are too large')
  const power = powerOf(decimals)
  if (decimals > 0)
    for (let index = 0; index < wanted; index++) values[index] = floatAt(values, index) / power
  for (const [position, index] of indexes.entries())
    if (index < wanted) values[index] = floatAt(exceptions, position)
  return values
}
