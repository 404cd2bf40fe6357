import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRegister, METRICS } from '../../kernel/metrics.ts'
import { DAY_MS } from '../../kernel/time.ts'
import { columnNumber, EXTRA_NUMBER, type Metric, metricOfColumn } from './columns.ts'
import {
  areSameSamples,
  ChunkError,
  countSamples,
  decodeChunk,
  encodeChunk,
  type MetricColumn,
  type SampleColumns,
} from './index.ts'
import { CHUNK_SAMPLES_MAX } from './limits.ts'

const DAY = Date.UTC(2026, 2, 1, -3) * 1000
const INT64 = 2n ** 63n

function columnOf(cells: readonly (number | bigint | null)[]): MetricColumn {
  const nulls = cells.includes(null) ? Uint8Array.from(cells, (cell) => (cell === null ? 1 : 0)) : undefined
  const isWide = cells.some((cell) => typeof cell === 'bigint')
  const values = isWide
    ? BigInt64Array.from(cells, (cell) => BigInt(cell ?? 0))
    : Float64Array.from(cells, (cell) => Number(cell ?? 0))
  return { nulls, values }
}

type Cells = Partial<Record<Metric, readonly (number | bigint | null)[]>>
const samplesOf = (times: readonly number[], cells: Cells, extra?: readonly (string | null)[]) => ({
  rows: times.length,
  times: Float64Array.from(times),
  metrics: new Map(METRICS.flatMap((metric) => (cells[metric] ? [[metric, columnOf(cells[metric])]] : []))),
  extra,
})
const everyMinute = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => DAY + index * 60_000_000)

/** Registers as a meter counts them, at the limits of the column, and of any size; gauges as sent, and of any bits. */
const register = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((tenths) => tenths * 100_000),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -INT64, max: INT64 - 1n }),
  fc.constantFrom(0, -INT64, INT64 - 1n, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
const gauge = fc.oneof(
  fc.integer({ min: -5_000, max: 5_000 }).map((tenths) => tenths / 10),
  fc.double(),
  fc.constantFrom(0, -0, 1 / 3, Number.MAX_VALUE, Number.MIN_VALUE, 1e100, 2 ** 53, Number.NaN),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1 + 0.2, 123456789.12345678),
)
/** Ascending, equal, reversed, with gaps, of any day. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 1440 }).map((minute) => DAY + minute * 60_000_000),
  fc.integer({ min: DAY, max: DAY + DAY_MS * 1000 }),
  fc.maxSafeInteger(),
)
const randomSamples = fc.integer({ min: 1, max: 40 }).chain((rows) => {
  const list = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: rows, maxLength: rows })
  const cells = Object.fromEntries(
    METRICS.map((metric) => [metric, fc.option(list(fc.option(isRegister(metric) ? register : gauge)))]),
  )
  return fc
    .record({
      times: list(time),
      cells: fc.record(cells),
      extra: fc.option(list(fc.option(fc.string({ unit: 'grapheme' }))), { nil: undefined }),
    })
    .map(({ times, cells, extra }) => samplesOf(times, cells as Cells, extra))
})

describe('a chunk', () => {
  it('holds exactly the samples that were encoded', () => {
    fc.assert(
      fc.property(randomSamples, (samples) => {
        const chunk = encodeChunk(samples)
        expect(areSameSamples(decodeChunk(chunk), samples)).toBe(true)
        expect(countSamples(chunk)).toBe(samples.rows)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    [
      'steady registers',
      { import_active_energy: everyMinute(200).map((_, index) => 10_000_217_000 * index) },
    ],
    ['a reset', { import_active_energy: [5e9, 5e9 + 1000, 0, 1000, 2000] }],
    ['exceptions among decimals', { voltage: [230.1, Number.NaN, 230.2, 1 / 3, -0, 231, 231.1, 229.9] }],
    ['only exceptions', { power_factor: [1 / 3, 2 / 3, 1 / 7, 1e300, 5e-324, 1 / 9, 1 / 11, -1 / 13] }],
    ['only nulls beside values', { voltage: [null, null, 1, null], current: [null, null, null, null] }],
    ['the limits of a register', { export_active_energy: [-INT64, INT64 - 1n, null, 0n] }],
    [
      'a span beyond differences',
      { export_active_energy: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] },
    ],
  ] as const)('keeps %s', (_, cells: Cells) => {
    const rows = Math.max(...Object.values(cells).map(({ length }) => length))
    const samples = samplesOf(everyMinute(rows), cells)
    expect(areSameSamples(decodeChunk(encodeChunk(samples)), samples)).toBe(true)
  })

  it('keeps repeated and missing instants, and the days with 23 and 25 hours before 2016', () => {
    for (const hours of [23, 25]) {
      const start = Date.UTC(2015, hours === 23 ? 2 : 9, hours === 23 ? 28 : 24, 22) * 1000
      const minutes = Array.from({ length: hours * 60 }, (_, minute) => start + minute * 60_000_000)
      const times = [...minutes.filter((_, minute) => minute % 97 > 3), ...minutes.slice(0, 5)]
      const samples = samplesOf(times, { temperature: times.map((_, index) => index / 10) })
      expect(areSameSamples(decodeChunk(encodeChunk(samples)), samples)).toBe(true)
    }
  })

  it('decodes only the columns that are asked for', () => {
    const cells = { voltage: [230, 231], import_active_energy: [1, 2], frequency: [50, 50.01] }
    const chunk = encodeChunk(samplesOf(everyMinute(2), cells, ['{"a": 1}', null]))
    const { metrics, extra } = decodeChunk(chunk, { metrics: new Set(['frequency']), withExtra: false })
    expect([...metrics.keys()]).toEqual(['frequency'])
    expect(extra).toBeUndefined()
    expect(decodeChunk(chunk).extra).toEqual(['{"a": 1}', null])
  })

  it('decodes only as many of the first samples as are asked for', () => {
    const first = (samples: SampleColumns, count: number): SampleColumns => ({
      rows: count,
      times: samples.times.slice(0, count),
      metrics: new Map(
        [...samples.metrics].map(([metric, { nulls, values }]) => [
          metric,
          { nulls: nulls?.slice(0, count), values: values.slice(0, count) },
        ]),
      ),
      extra: samples.extra?.slice(0, count),
    })
    fc.assert(
      fc.property(randomSamples, fc.nat({ max: 40 }), (samples, most) => {
        const count = Math.min(most, samples.rows)
        const decoded = decodeChunk(encodeChunk(samples), {
          countWanted: (times) => {
            expect(times).toEqual(samples.times)
            return count
          },
        })
        expect(decoded.rows).toBe(count)
        expect(areSameSamples(decoded, first(samples, count))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('needs fewer than 16 bytes a sample for a noisy meter of twelve values', () => {
    const noise = (seed: number, index: number) =>
      Math.floor(Math.abs(Math.sin(seed * 91.7 + index) * 1e4) % 9)
    const cells = Object.fromEntries(
      METRICS.slice(0, 12).map((metric, seed) => [
        metric,
        everyMinute(1440).map((_, index) =>
          isRegister(metric)
            ? 1e9 + index * 217_000 + noise(seed, index) * 1000
            : (2300 + noise(seed, index)) / 10,
        ),
      ]),
    )
    expect(encodeChunk(samplesOf(everyMinute(1440), cells)).length / 1440).toBeLessThan(16)
  })
})

describe('damaged bytes', () => {
  const samples = samplesOf(everyMinute(50), {
    voltage: everyMinute(50).map((_, index) => 230 + (index % 7) / 10),
  })
  const chunk = encodeChunk(samples)

  it('are refused, whichever byte is changed and wherever they end', () => {
    for (let index = 0; index < chunk.length; index++) {
      const changed = chunk.slice()
      changed[index] = (changed[index] ?? 0) ^ (1 << (index % 8))
      expect(() => decodeChunk(changed), `byte ${index}`).toThrow(ChunkError)
      expect(() => decodeChunk(chunk.subarray(0, index)), `${index} bytes`).toThrow(ChunkError)
    }
    expect(() => decodeChunk(new Uint8Array([...chunk, 0]))).toThrow(
      'the checksum of the chunk does not match',
    )
  })

  it('of another version are named', () => {
    const newer = chunk.slice()
    newer[0] = 2
    expect(() => decodeChunk(newer)).toThrow('the chunk has version 2; this program reads version 1')
  })

  it('that are random, or deflated and random, are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => decodeChunk(bytes)).toThrow(ChunkError)
        expect(() => decodeChunk(deflateRawSync(bytes))).toThrow(ChunkError)
      }),
    )
  })
})

describe('what the format cannot hold is refused', () => {
  const valid = samplesOf(everyMinute(2), { voltage: [1, 2] })
  it.each<[string, SampleColumns]>([
    ['no sample', { ...valid, rows: 0, times: new Float64Array(0) }],
    ['too many samples', { ...valid, rows: CHUNK_SAMPLES_MAX + 1 }],
    ['a column of another length', { ...valid, times: Float64Array.of(1) }],
    ['a time between microseconds', { ...valid, times: Float64Array.of(1, 1.5) }],
    ['a register that is no whole number', samplesOf(everyMinute(2), { import_active_energy: [1, 1.5] })],
    ['a lone surrogate', { ...valid, extra: ['\ud800', null] }],
  ])('%s', (_, samples) => {
    expect(() => encodeChunk(samples)).toThrow(RangeError)
  })
})

it('each metric has a number of its own, which stored chunks rely on', () => {
  const numbers = METRICS.map(columnNumber)
  expect(new Set([...numbers, EXTRA_NUMBER]).size).toBe(METRICS.length + 1)
  expect(numbers.map(metricOfColumn)).toEqual([...METRICS])
  expect([
    columnNumber('import_active_energy'),
    columnNumber('voltage'),
    columnNumber('temperature'),
  ]).toEqual([1, 8, 25])
})

it('reads a chunk that an earlier program has written', () => {
  const stored =
    'AQXqsdYDRWNhaHixcEbX30nMDX3nZJgYmBl5GZmYGFY837NAdcV8XiYObiZGRkYGJoa/gkyMDGLMDIyMjLzVSiUZKUpWCoZ6Rga1jAwMAA=='
  const cells = {
    import_active_energy: [10_000_217_000, 10_000_434_000, null],
    voltage: [230.1, null, 229.9],
  }
  const samples = samplesOf(everyMinute(3), cells, [null, '{"thd": 1.20}', null])
  expect(areSameSamples(decodeChunk(Buffer.from(stored, 'base64')), samples)).toBe(true)
})
