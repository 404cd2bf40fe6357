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

/** The fewest decimals with which all values scale but the exceptions; undefined when there are too many of those. */
function decimalsOf(values: Float64Array): number | undefined {
  let decimals = 0
  let exceptions = 0
  for (const value of values) {
    if (scaled(value, powerOf(decimals)) !== undefined) continue
    let more = decimals + 1
    while (more <= DECIMALS_MAX && scaled(value, powerOf(more)) === undefined) more += 1
    if (more <= DECIMALS_MAX) decimals = more
    else if (++exceptions > exceptionsMax(values.length)) return undefined
  }
  return decimals
}

export function writeDecimals(writer: ByteWriter, values: Float64Array): void {
  if (values.length === 0) return
  const decimals = decimalsOf(values)
  const power = powerOf(decimals ?? 0)
  const wholes = new Float64Array(values.length)
  const exceptions: number[] = []
  let previous = 0
  for (let index = 0; decimals !== undefined && index < values.length; index++) {
    const whole = scaled(floatAt(values, index), power)
    if (whole === undefined) exceptions.push(index)
    else previous = whole
    wholes[index] = previous
  }
  if (decimals === undefined || exceptions.length > exceptionsMax(values.length)) {
    writer.byte(UNCHANGED)
    writeWords(writer, values)
    return
  }
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
