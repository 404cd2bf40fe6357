import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { byteAt, floatAt } from '../../kernel/checked.ts'
import { isRegister } from '../../kernel/metrics.ts'
import { ByteReader, ByteWriter, ChunkError } from './bytes.ts'
import {
  columnNumber,
  EXTRA_NUMBER,
  type Metric,
  type MetricColumn,
  metricOfColumn,
  type SampleColumns,
} from './columns.ts'
import { readDecimals, writeDecimals } from './decimals.ts'
import { type Integers, readIntegers, writeIntegers } from './integers.ts'
import { CHUNK_BYTES_MAX, CHUNK_SAMPLES_MAX } from './limits.ts'
import { countPresent, type Nulls, readNulls, writeNulls } from './nulls.ts'
import { readTexts, writeTexts } from './texts.ts'

/** The layout is described in README.md of this folder. */
const VERSION = 1
const CHECKSUM_AT = 1
const CONTENT_AT = 5
/**
 * Few repeated bytes and many small ones: short matches are not worth their code. A small memory starts a new block,
 * with a code of its own, about every two columns of a device-day.
 */
const DEFLATE = { level: 6, memLevel: 6, strategy: constants.Z_FILTERED }

const checksumOf = (bytes: Uint8Array): number =>
  crc32(bytes.subarray(CONTENT_AT), crc32(bytes.subarray(0, CHECKSUM_AT)))

/** The values of the samples that have one. */
function presentOf({ nulls, values }: MetricColumn): Integers {
  if (!nulls) return values
  const present = new (values.constructor as new (length: number) => Integers)(
    countPresent(nulls, values.length),
  )
  let count = 0
  for (let row = 0; row < values.length; row++)
    if (byteAt(nulls, row) === 0) present[count++] = values[row] as never
  return present
}

/** The reverse of `presentOf`. */
function spread(nulls: Nulls, rows: number, present: Integers): Integers {
  if (!nulls) return present
  const values = new (present.constructor as new (length: number) => Integers)(rows)
  let count = 0
  for (let row = 0; row < rows; row++) if (byteAt(nulls, row) === 0) values[row] = present[count++] as never
  return values
}

function writeMetric(writer: ByteWriter, metric: Metric, column: MetricColumn): void {
  writeNulls(writer, column.nulls)
  const present = presentOf(column)
  if (isRegister(metric)) writeIntegers(writer, present)
  else if (present instanceof Float64Array) writeDecimals(writer, present)
  else throw new TypeError(`${metric} has values that are no float64`)
}

/** The number of samples of a chunk, and how many of them are read. */
interface Extent {
  readonly rows: number
  readonly wanted: number
}

function readMetric(reader: ByteReader, metric: Metric, { rows, wanted }: Extent): MetricColumn {
  const all = readNulls(reader, rows)
  const count = countPresent(all, rows)
  const nulls = all?.subarray(0, wanted)
  const read = isRegister(metric) ? readIntegers : readDecimals
  return { nulls, values: spread(nulls, wanted, read(reader, count, countPresent(nulls, wanted))) }
}

function writeExtra(writer: ByteWriter, extra: readonly (string | null)[]): void {
  const hasNull = extra.includes(null)
  writeNulls(writer, hasNull ? Uint8Array.from(extra, (text) => (text === null ? 1 : 0)) : undefined)
  writeTexts(
    writer,
    extra.filter((text) => text !== null),
  )
}

function readExtra(reader: ByteReader, { rows, wanted }: Extent): (string | null)[] {
  const all = readNulls(reader, rows)
  const nulls = all?.subarray(0, wanted)
  const texts = readTexts(reader, countPresent(all, rows), countPresent(nulls, wanted))
  if (!nulls) return texts
  const present = texts.values()
  return Array.from(nulls, (isNull) => (isNull === 1 ? null : (present.next().value ?? null)))
}

const LONE_SURROGATE = /\p{Surrogate}/u

function areWhole(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) if (!Number.isSafeInteger(floatAt(values, row))) return false
  return true
}

function assertEncodable({ rows, times, metrics, extra }: SampleColumns): void {
  if (rows < 1 || rows > CHUNK_SAMPLES_MAX)
    throw new RangeError(`a chunk has 1 to ${CHUNK_SAMPLES_MAX} samples, not ${rows}`)
  const lengths = [times.length, ...[...metrics.values()].map(({ values }) => values.length)]
  if (extra) lengths.push(extra.length)
  if (lengths.some((length) => length !== rows))
    throw new RangeError(`a column has another number of samples than ${rows}`)
  if (!areWhole(times)) throw new RangeError('a time is not in whole microseconds')
  for (const [metric, { values }] of metrics)
    if (isRegister(metric) && values instanceof Float64Array && !areWhole(values))
      throw new RangeError(`${metric} has values that are not whole and at most 2^53`)
  if (extra?.some((text) => text !== null && LONE_SURROGATE.test(text)))
    throw new RangeError('a text has a lone surrogate')
}

/** Compresses samples, in their order. Throws RangeError for what the format cannot hold. */
export function encodeChunk(samples: SampleColumns): Uint8Array {
  assertEncodable(samples)
  const { rows, times, metrics, extra } = samples
  const content = new ByteWriter(rows * (metrics.size + 1) * 2)
  writeIntegers(content, times)
  content.unsigned(metrics.size + (extra ? 1 : 0))
  const one = new ByteWriter(rows * 2)
  const append = (number: number, write: (writer: ByteWriter) => void): void => {
    one.clear()
    write(one)
    content.unsigned(number)
    content.unsigned(one.written.length)
    content.raw(one.written)
  }
  for (const [metric, column] of metrics)
    append(columnNumber(metric), (writer) => writeMetric(writer, metric, column))
  if (extra) append(EXTRA_NUMBER, (writer) => writeExtra(writer, extra))
  const raw = content.written
  if (raw.length > CHUNK_BYTES_MAX) throw new RangeError(`a chunk has at most ${CHUNK_BYTES_MAX} bytes`)
  const chunk = new ByteWriter(raw.length)
  chunk.byte(VERSION)
  chunk.raw(new Uint8Array(CONTENT_AT - CHECKSUM_AT))
  chunk.unsigned(rows)
  chunk.unsigned(raw.length)
  chunk.raw(deflateRawSync(raw, DEFLATE))
  const bytes = chunk.written
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(CHECKSUM_AT, checksumOf(bytes), true)
  return bytes.slice()
}

function inflate(bytes: Uint8Array, length: number): Uint8Array {
  try {
    const raw = inflateRawSync(bytes, { maxOutputLength: Math.max(1, length) })
    if (raw.length === length) return raw
  } catch (cause) {
    throw new ChunkError('the chunk cannot be inflated', { cause })
  }
  throw new ChunkError('the chunk has another length than it says')
}

/** Checks version and checksum, and returns a reader of what follows. */
function openChunk(bytes: Uint8Array): ByteReader {
  if (bytes.length <= CONTENT_AT) throw new ChunkError('the chunk ends too early')
  const version = byteAt(bytes, 0)
  if (version !== VERSION)
    throw new ChunkError(`the chunk has version ${version}; this program reads version ${VERSION}`)
  const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(CHECKSUM_AT, true)
  if (stored !== checksumOf(bytes))
    throw new ChunkError('the checksum of the chunk does not match its content')
  return new ByteReader(bytes.subarray(CONTENT_AT))
}

/** The number of samples of a chunk, without inflating it. */
export const countSamples = (bytes: Uint8Array): number => openChunk(bytes).count(CHUNK_SAMPLES_MAX)

/** What is decoded; the rest is skipped. */
export interface DecodeOptions {
  /** Undefined: all. */
  readonly metrics?: ReadonlySet<string>
  /** Default true. */
  readonly withExtra?: boolean
  /** How many of the first samples are decoded, by the times of all; undefined: all. */
  readonly countWanted?: (times: Float64Array) => number
}

/** Decompresses samples. Throws ChunkError for bytes that `encodeChunk` has not written. */
export function decodeChunk(bytes: Uint8Array, options: DecodeOptions = {}): SampleColumns {
  const { metrics: names, withExtra = true, countWanted } = options
  const head = openChunk(bytes)
  const rows = head.count(CHUNK_SAMPLES_MAX)
  const length = head.count(CHUNK_BYTES_MAX)
  const reader = new ByteReader(inflate(head.raw(head.remaining), length))
  const times = readIntegers(reader, rows)
  if (times instanceof BigInt64Array) throw new ChunkError('the chunk has a time that is too large')
  const wanted = countWanted ? countWanted(times) : rows
  const extent = { rows, wanted }
  const metrics = new Map<Metric, MetricColumn>()
  let extra: (string | null)[] | undefined
  for (let columns = reader.unsigned(); columns > 0; columns--) {
    const number = reader.unsigned()
    const column = new ByteReader(reader.raw(reader.count(reader.remaining)))
    const metric = metricOfColumn(number)
    if (number === EXTRA_NUMBER) {
      if (withExtra) extra = readExtra(column, extent)
    } else if (metric === undefined) throw new ChunkError(`the chunk has the unknown column ${number}`)
    else if (!names || names.has(metric)) metrics.set(metric, readMetric(column, metric, extent))
  }
  if (!reader.isAtEnd) throw new ChunkError('the chunk continues beyond its last column')
  return { rows: wanted, times: times.subarray(0, wanted), metrics, extra }
}

/** Whether two lists of samples are the same, to the bit, also in their order. */
export function areSameSamples(a: SampleColumns, b: SampleColumns): boolean {
  if (a.rows !== b.rows || a.metrics.size !== b.metrics.size) return false
  for (let row = 0; row < a.rows; row++) if (floatAt(a.times, row) !== floatAt(b.times, row)) return false
  for (const [metric, column] of a.metrics) {
    const other = b.metrics.get(metric)
    if (!other || !isSameColumn(column, other)) return false
  }
  const [left, right] = [a.extra ?? [], b.extra ?? []]
  return left.length === right.length && left.every((text, row) => text === right[row])
}

function isSameColumn(a: MetricColumn, b: MetricColumn): boolean {
  const [left, right] = [a.values, b.values]
  for (let row = 0; row < left.length; row++) {
    const isNull = a.nulls?.[row] === 1
    if (isNull !== (b.nulls?.[row] === 1)) return false
    if (!isNull && !isSameValue(left[row], right[row])) return false
  }
  return true
}

/** A whole number is the same as BigInt and as float64. */
const isSameValue = (a: number | bigint | undefined, b: number | bigint | undefined): boolean =>
  typeof a === typeof b ? Object.is(a, b) : BigInt(a ?? 0) === BigInt(b ?? 0)
