import type { Metric, MetricColumn, SampleColumns } from '../../../core/sample-chunks/index.ts'
import { at, byteAt, floatAt } from '../../../kernel/checked.ts'
import { isRegister } from '../../../kernel/metrics.ts'
import type { RowReader } from '../../../platform/db/copy-out.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'

/** Rows of `measurement` from a binary COPY as columns of a chunk. No value is rounded on the way. */

/** What is read of the rows: some columns, or all with the extra values. */
interface Fields {
  readonly metrics: readonly Metric[]
  readonly withExtra: boolean
}
const ALL_FIELDS: Fields = { metrics: VALUE_COLUMNS, withExtra: true }

/** SQL: what a row consists of. */
export const rowFields = ({ metrics, withExtra }: Fields = ALL_FIELDS): string =>
  ['ts', ...metrics.map((name) => `"${name}"`), ...(withExtra ? ['extra::text'] : [])].join(', ')

const TWO_32 = 4_294_967_296
/** The server counts microseconds from 2000. */
const EPOCH_US = Date.UTC(2000, 0, 1) * 1000
const ROWS_AT_FIRST = 1_024
const GROWTH = 4

/** A column that grows. Values beyond 2^53 make it one of BigInt. */
class Cells {
  private values = new Float64Array(0)
  private wide: BigInt64Array | undefined
  /** Absent while each row has a value. */
  private nulls: Uint8Array | undefined
  private present = 0

  private grow(room: number): void {
    const { values, nulls, wide } = this
    this.values = new Float64Array(room)
    this.values.set(values)
    if (wide) {
      this.wide = new BigInt64Array(room)
      this.wide.set(wide)
    }
    if (nulls) {
      this.nulls = new Uint8Array(room).fill(1)
      this.nulls.set(nulls)
    }
  }

  /** Makes room for the value of a row, and counts it. */
  private add(row: number): void {
    if (row >= this.values.length) this.grow(Math.max(ROWS_AT_FIRST, this.values.length * GROWTH, row + 1))
    if (row !== this.present) this.nulls ??= new Uint8Array(this.values.length).fill(1, this.present)
    if (this.nulls) this.nulls[row] = 0
    this.present += 1
  }

  set(row: number, value: number): void {
    this.add(row)
    this.values[row] = value
    if (this.wide) this.wide[row] = BigInt(value)
  }

  setWide(row: number, value: bigint): void {
    this.add(row)
    this.wide ??= BigInt64Array.from(this.values, BigInt)
    this.wide[row] = value
  }

  /** Undefined when no sample has a value. */
  column(rows: number): MetricColumn | undefined {
    if (this.present === 0) return undefined
    if (this.present < rows) {
      this.nulls ??= new Uint8Array(this.values.length).fill(1, this.present)
      if (this.values.length < rows) this.grow(rows)
    }
    const values = this.wide ?? this.values
    return { nulls: this.nulls?.subarray(0, rows), values: values.subarray(0, rows) }
  }
}

export interface ColumnsReader {
  readonly readRow: RowReader
  /** The rows by time; undefined without any. */
  columns(): SampleColumns | undefined
}

/** Reads rows of `rowFields`. */
export function readColumns({ metrics: names, withExtra }: Fields = ALL_FIELDS): ColumnsReader {
  let rows = 0
  let times = new Float64Array(ROWS_AT_FIRST)
  const cells = names.map(() => new Cells())
  const isWhole = names.map(isRegister)
  let view: DataView = new DataView(new ArrayBuffer(0))
  /** Absent until a row has extra values. */
  let extra: (string | null)[] | undefined

  function addTime(time: number): void {
    if (rows === times.length) {
      const longer = new Float64Array(rows * GROWTH)
      longer.set(times)
      times = longer
    }
    times[rows] = time
  }

  /** The whole number at an offset, exact up to 2^53. */
  const wholeAt = (offset: number): number => view.getInt32(offset) * TWO_32 + view.getUint32(offset + 4)

  function readRow(bytes: Buffer, begin: number): void {
    // Reading through a view of all that was received is several times as fast as through the methods of a Buffer.
    if (view.buffer !== bytes.buffer) view = new DataView(bytes.buffer)
    let offset = bytes.byteOffset + begin + 4
    addTime(wholeAt(offset) + EPOCH_US)
    offset += 8
    for (let index = 0; index < cells.length; index++) {
      const length = view.getInt32(offset)
      offset += 4
      if (length < 0) continue
      const column = at(cells, index)
      if (isWhole[index] === false) column.set(rows, view.getFloat64(offset))
      else {
        const value = wholeAt(offset)
        if (Number.isSafeInteger(value)) column.set(rows, value)
        else column.setWide(rows, view.getBigInt64(offset))
      }
      offset += length
    }
    if (withExtra) readExtra(bytes, offset - bytes.byteOffset)
    rows += 1
  }

  function readExtra(bytes: Buffer, offset: number): void {
    const length = bytes.readInt32BE(offset)
    if (length >= 0) extra ??= Array.from({ length: rows }, () => null)
    extra?.push(length < 0 ? null : bytes.toString('utf8', offset + 4, offset + 4 + length))
  }

  function columns(): SampleColumns | undefined {
    if (rows === 0) return undefined
    const metrics = new Map<Metric, MetricColumn>()
    for (const [index, metric] of names.entries()) {
      const column = cells[index]?.column(rows)
      if (column) metrics.set(metric, column)
    }
    return sorted({ rows, times: times.subarray(0, rows), metrics, extra })
  }
  return { readRow, columns }
}

/** Rows that DELETE returns have no order, though usually that of the index. */
function sorted(samples: SampleColumns): SampleColumns {
  const { rows, times } = samples
  let isSorted = true
  for (let row = 1; row < rows && isSorted; row++) isSorted = floatAt(times, row - 1) < floatAt(times, row)
  if (isSorted) return samples
  const order = Array.from({ length: rows }, (_, row) => row)
  order.sort((a, b) => floatAt(times, a) - floatAt(times, b))
  return pick(
    [samples],
    order.map((row) => [0, row]),
  )
}

/** Where a sample is: the number of its source, and its row there. */
type Place = readonly [source: number, row: number]

/** The samples at places, in their order. Columns that none of them has are left out. */
function pick(sources: readonly SampleColumns[], places: readonly Place[]): SampleColumns {
  const metrics = new Map<Metric, MetricColumn>()
  for (const metric of VALUE_COLUMNS) {
    const columns = sources.map((source) => source.metrics.get(metric))
    const column = columns.some((found) => found) ? pickColumn(columns, places) : undefined
    if (column) metrics.set(metric, column)
  }
  const extra = places.map(([source, row]) => sources[source]?.extra?.[row] ?? null)
  return {
    rows: places.length,
    times: Float64Array.from(places, ([source, row]) => sources[source]?.times[row] ?? 0),
    metrics,
    extra: extra.some((text) => text !== null) ? extra : undefined,
  }
}

function pickColumn(
  columns: readonly (MetricColumn | undefined)[],
  places: readonly Place[],
): MetricColumn | undefined {
  const isWide = columns.some((column) => column?.values instanceof BigInt64Array)
  const values = new (isWide ? BigInt64Array : Float64Array)(places.length)
  const nulls = new Uint8Array(places.length)
  let present = 0
  for (const [index, [source, row]] of places.entries()) {
    const column = columns[source]
    if (!column || (column.nulls && byteAt(column.nulls, row) === 1)) {
      nulls[index] = 1
      continue
    }
    const value = column.values[row] ?? 0
    values[index] = (isWide ? BigInt(value) : value) as never
    present += 1
  }
  if (present === 0) return undefined
  return { nulls: present < places.length ? nulls : undefined, values }
}

/** The samples of both, ascending; `newer` takes precedence at the same instant. */
export function mergeSamples(older: SampleColumns, newer: SampleColumns | undefined): SampleColumns {
  if (!newer) return older
  const places: Place[] = []
  for (let [a, b] = [0, 0]; a < older.rows || b < newer.rows; ) {
    const left = a < older.rows ? floatAt(older.times, a) : Number.POSITIVE_INFINITY
    const right = b < newer.rows ? floatAt(newer.times, b) : Number.POSITIVE_INFINITY
    places.push(right <= left ? [1, b] : [0, a])
    if (left <= right) a += 1
    if (right <= left) b += 1
  }
  return pick([older, newer], places)
}

/** The samples at the instants of others; undefined when one of the instants is missing. Both are ascending. */
export function samplesAt(samples: SampleColumns, instants: Float64Array): SampleColumns | undefined {
  const places: Place[] = []
  let row = 0
  for (const instant of instants) {
    while (row < samples.rows && floatAt(samples.times, row) < instant) row += 1
    if (row === samples.rows || floatAt(samples.times, row) !== instant) return undefined
    places.push([0, row])
  }
  return pick([samples], places)
}

/** The samples after one instant until another, epoch microseconds; undefined when there is none. */
export function samplesBetween(
  samples: SampleColumns,
  { after, until }: { readonly after: number; readonly until: number },
): SampleColumns | undefined {
  const { times, rows } = samples
  if (floatAt(times, 0) > after && floatAt(times, rows - 1) <= until) return samples
  const places: Place[] = []
  for (const [row, time] of times.entries()) if (time > after && time <= until) places.push([0, row])
  return places.length === 0 ? undefined : pick([samples], places)
}
