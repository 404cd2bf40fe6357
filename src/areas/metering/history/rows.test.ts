import { expect, it } from 'vitest'
import type { Metric, MetricColumn } from '../../../core/sample-chunks/index.ts'
import { firstSamples } from './rows.ts'

const times = [0, 10, 20, 30, 40]
const metrics = new Map<Metric, MetricColumn>([
  ['import_active_energy', { nulls: undefined, values: Float64Array.from([1, 2, 3, 4, 5]) }],
  ['voltage', { nulls: Uint8Array.from([0, 1, 0, 1, 0]), values: Float64Array.from([230, 0, 231, 0, 232]) }],
])
const samples = {
  rows: times.length,
  times: Float64Array.from(times, (ms) => ms * 1000),
  metrics,
  extra: ['{"a":1}', null, null, '{"a":2}', null],
}

it.each([
  [{ from: 0, to: 40 }, 2, [0, 10]],
  [{ from: 10, to: 30 }, 9, [10, 20, 30]],
  [{ from: 11, to: 29 }, 9, [20]],
  [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }, 9, times],
  [{ from: 41, to: 50 }, 9, []],
])('the first samples of a chunk from %o, at most %i', (range, limit, expected) => {
  const { deviceKey, samples: first } = firstSamples({ deviceKey: 7, samples }, range, limit)
  expect(deviceKey).toBe(7)
  expect([...first.times].map((at) => at / 1000)).toEqual(expected)
  expect(first.rows).toBe(expected.length)
  const rows = expected.map((at) => times.indexOf(at))
  const valuesOf = (metric: Metric) => [...(first.metrics.get(metric)?.values ?? [])]
  expect(valuesOf('import_active_energy')).toEqual(rows.map((row) => row + 1))
  expect([...(first.metrics.get('voltage')?.nulls ?? [])]).toEqual(rows.map((row) => row % 2))
  expect(first.extra).toEqual(rows.map((row) => samples.extra[row]))
})
