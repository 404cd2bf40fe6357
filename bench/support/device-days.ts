import type { SampleColumns } from '../../src/core/sample-chunks/index.ts'
import { isRegister, METRICS, toMillionths } from '../../src/kernel/metrics.ts'
import { DAY_MS, HOUR_MS } from '../../src/kernel/time.ts'
import { makeSample } from './samples.ts'
import type { Figure } from './types.ts'

/** Device-days of samples for the benchmark of compressed history. */

/** A midnight of Turkey. */
export const START = Date.UTC(2026, 0, 1) - 3 * HOUR_MS
export const ENCODE_LIMIT = 300_000
export const EXPORT_LIMIT = 500_000

export interface Reading {
  readonly at: number
  readonly values: Readonly<Record<string, number>>
}

export function toColumns(readings: readonly Reading[]): SampleColumns {
  const used = METRICS.filter((metric) => readings.some(({ values }) => metric in values))
  return {
    rows: readings.length,
    times: Float64Array.from(readings, ({ at }) => at * 1000),
    metrics: new Map(
      used.map((metric) => {
        const cells = readings.map(({ values }) => values[metric])
        const nulls = cells.includes(undefined)
          ? Uint8Array.from(cells, (cell) => (cell === undefined ? 1 : 0))
          : undefined
        const stored = isRegister(metric) ? cells.map((cell) => toMillionths(cell ?? 0)) : cells
        return [metric, { nulls, values: Float64Array.from(stored, (cell) => cell ?? 0) }]
      }),
    ),
    extra: undefined,
  }
}

export const deviceDay = (device: number, day: number, stepMs: number): Reading[] =>
  Array.from({ length: DAY_MS / stepMs }, (_, step) =>
    makeSample({ startAt: START, stepMs }, device, (day * DAY_MS) / stepMs + step),
  )

export const cpuMs = (): number => process.cpuUsage().user / 1000
/** Of all threads, with the system's part. */
export const totalCpuMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000

const thousands = (value: number): string => `${Math.round(value / 1000)},000/s`

export const speedFigure = (name: string, speed: number, limit: number): Figure => ({
  name: `${name}, per second of processor time (limit)`,
  measured: thousands(speed),
  against: `limit ${thousands(limit)}`,
  ratio: speed / limit,
  aim: '>= 1',
})
