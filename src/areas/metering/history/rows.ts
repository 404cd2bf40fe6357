import type { DecodeOptions, Metric, MetricColumn } from '../../../core/sample-chunks/index.ts'
import { columnNumber, EXTRA_NUMBER, type SampleColumns } from '../../../core/sample-chunks/index.ts'
import { byteAt, floatAt } from '../../../kernel/checked.ts'
import { isRegister } from '../../../kernel/metrics.ts'
import type { Range } from '../../../kernel/time.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'

/** Samples of chunks as cells and parameters of statements. No value is rounded on the way. */

/** The bits of the columns that occur. */
export function metricBits({ metrics, extra }: SampleColumns): number {
  let bits = extra ? 1 << EXTRA_NUMBER : 0
  for (const metric of metrics.keys()) bits |= 1 << columnNumber(metric)
  return bits
}

/** The same cells as the driver returns them, for comparisons and merges: text or null. */
export function cellTexts({ times, metrics, extra }: SampleColumns, row: number): (string | null)[] {
  const cells: (string | null)[] = [String(floatAt(times, row))]
  for (const metric of VALUE_COLUMNS) {
    const column = metrics.get(metric)
    cells.push(column ? textAt(column, row) : null)
  }
  cells.push(extra?.[row] ?? null)
  return cells
}

/** The text of a value from which PostgreSQL and JavaScript read the same value: -0 keeps its sign. */
function textAt({ nulls, values }: MetricColumn, row: number): string | null {
  if (nulls && byteAt(nulls, row) === 1) return null
  const value = values[row] ?? 0
  return Object.is(value, -0) ? '-0' : String(value)
}

const MICROSECONDS = 1000

export interface DeviceSamples {
  readonly deviceKey: number
  readonly samples: SampleColumns
}

/** The indexes of the first `limit` samples at or after an instant, and none after another. */
function firstIndexes(times: Float64Array, { from, to }: Range, limit: number): [begin: number, end: number] {
  let begin = 0
  while (begin < times.length && floatAt(times, begin) < from * MICROSECONDS) begin += 1
  let end = begin
  while (end < times.length && end - begin < limit && floatAt(times, end) <= to * MICROSECONDS) end += 1
  return [begin, end]
}

/** Decodes a chunk as far as `firstSamples` needs it. */
export const untilFirst = (range: Range, limit: number): DecodeOptions => ({
  countWanted: (times) => firstIndexes(times, range, limit)[1],
})

/** The first `limit` samples at or after an instant, and none after another; they share the memory of the chunk. */
export function firstSamples(
  { deviceKey, samples }: DeviceSamples,
  range: Range,
  limit: number,
): DeviceSamples {
  const { times, metrics, extra } = samples
  const [begin, end] = firstIndexes(times, range, limit)
  const columns = [...metrics].map(([metric, { nulls, values }]): [Metric, MetricColumn] => [
    metric,
    { nulls: nulls?.subarray(begin, end), values: values.subarray(begin, end) },
  ])
  return {
    deviceKey,
    samples: {
      rows: end - begin,
      times: times.subarray(begin, end),
      metrics: new Map(columns),
      extra: extra?.slice(begin, end),
    },
  }
}

/** Parameters with the samples of several chunks: arrays of the same length, as text. */
export interface SampleArrays {
  readonly values: unknown[]
  /**
   * SQL: the rows of the arrays with the columns of `measurement` but the tenant; `first` is the number of the first
   * parameter.
   */
  text(first: number): string
}

const arrayText = (cells: readonly (string | number | null)[]): string =>
  `{${cells.map((cell) => cell ?? 'NULL').join(',')}}`

const typeOf = (metric: Metric): string => (isRegister(metric) ? 'bigint' : 'float8')

export function toArrays(chunks: readonly DeviceSamples[]): SampleArrays {
  const used = VALUE_COLUMNS.filter((metric) => chunks.some(({ samples }) => samples.metrics.has(metric)))
  const keys: number[] = []
  const times: number[] = []
  const cells = used.map((): (string | null)[] => [])
  const extras: (string | null)[] = []
  for (const { deviceKey, samples } of chunks) {
    for (let row = 0; row < samples.rows; row++) {
      keys.push(deviceKey)
      times.push(floatAt(samples.times, row))
      extras.push(samples.extra?.[row] ?? null)
    }
    for (const [index, metric] of used.entries()) {
      const column = samples.metrics.get(metric)
      for (let row = 0; row < samples.rows; row++) cells[index]?.push(column ? textAt(column, row) : null)
    }
  }
  return {
    values: [arrayText(keys), arrayText(times), ...cells.map(arrayText), extras],
    text(first) {
      const types = ['int', 'bigint', ...used.map(typeOf), 'text']
      const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ')
      const names = ['device_key', 'at', ...used, 'extra'].map((name) => `"${name}"`).join(', ')
      const columns = VALUE_COLUMNS.map((metric) =>
        used.includes(metric) ? `h."${metric}"` : `null::${typeOf(metric)} as "${metric}"`,
      )
      return `select h.device_key, timestamptz 'epoch' + h.at * interval '1 microsecond' as ts, ${columns.join(', ')},
        h.extra::jsonb as extra from unnest(${arrays}) as h (${names})`
    },
  }
}
