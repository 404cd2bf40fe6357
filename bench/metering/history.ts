/**
 * Compressed history: bytes of a sample, compression, and reading a device-day.
 *
 * Sizes and speeds of the codec are compared with their limits. Three kinds of meters are compressed: those of the
 * other benchmarks, whose curves are smooth; the same with the noise of a real meter in the last digits of every value;
 * and those of the demo. A device-day is read from rows by the driver, and from a chunk stored in the same database.
 * The job of the service compresses days of a device, and an export reads them.
 */
import { decodeChunk, encodeChunk } from '../../src/core/sample-chunks/index.ts'
import { parseProfiles } from '../../src/demo/profiles.ts'
import { metersOf } from '../../src/demo/series.ts'
import { calendarUntil, readSeed, readSite } from '../../src/demo/site.ts'
import { isRegister } from '../../src/kernel/metrics.ts'
import { DAY_MS } from '../../src/kernel/time.ts'
import {
  cpuMs,
  deviceDay,
  ENCODE_LIMIT,
  EXPORT_LIMIT,
  type Reading,
  START,
  speedFigure,
  toColumns,
} from '../support/device-days.ts'
import { sized } from '../support/effort.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { readFigure, serviceFigures } from './history-service.ts'

const DEVICES = 10
const DAYS = sized(10, 3)
const MINUTE_MS = 60_000
const ROUNDS = sized(5, 2)

/** A generator of numbers from 0 to 1, the same in each run. */
function makeRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const DECIMALS: Readonly<Record<string, number>> = { voltage: 1, current: 2 }
const decimalsOf = (metric: string): number => DECIMALS[metric.split('_')[0] ?? ''] ?? 3
/** Half the width of the noise, in units of the last digit: 0.3 V, 0.05 A, 20 W, 0.005. */
const NOISE: Readonly<Record<string, number>> = { voltage: 3, current: 5, active_power: 20, power_factor: 5 }

/** Noise in the last digits of gauges; registers count 0 to twice their usual step. */
function addNoise(readings: readonly Reading[], random: () => number): Reading[] {
  const counted = new Map<string, number>()
  return readings.map(({ at, values }, index) => {
    const noisy = Object.entries(values).map(([metric, value]) => {
      const unit = 10 ** decimalsOf(metric)
      if (!isRegister(metric)) {
        const width = NOISE[metric.replace(/_l\d$/, '')] ?? 1
        return [metric, Math.round(value * unit + (random() - 0.5) * 2 * width) / unit] as const
      }
      const step = index === 0 ? 0 : value - (readings[index - 1]?.values[metric] ?? value)
      const next = (counted.get(metric) ?? value) + step * 2 * random()
      counted.set(metric, next)
      return [metric, Math.round(next * unit) / unit] as const
    })
    return { at, values: Object.fromEntries(noisy) }
  })
}

function benchDays(): Reading[][] {
  return Array.from({ length: DEVICES * DAYS }, (_, index) =>
    deviceDay(index % DEVICES, Math.floor(index / DEVICES), MINUTE_MS),
  )
}

/** Days of all meters of the demo, a reading every quarter of an hour. */
function demoDays(): Reading[][] {
  const calendar = calendarUntil(START, 12)
  const meters = metersOf({ site: readSite(), profiles: parseProfiles(readSeed('hours.csv')), calendar })
  return meters.flatMap((meter) =>
    Array.from({ length: 6 * DAYS }, (_, day) => {
      const from = calendar.origin + day * DAY_MS
      return [...meter.readings({ from, to: from + DAY_MS }, 15 * MINUTE_MS)]
    }).filter((readings) => readings.length > 0),
  )
}

interface Codec {
  readonly bytesPerSample: number
  readonly encoded: number
  readonly decoded: number
}

/** Compresses and decompresses device-days; speeds in samples per second of processor time, medians. */
function measureCodec(days: readonly (readonly Reading[])[]): Codec {
  const columns = days.map(toColumns)
  const samples = columns.reduce((sum, { rows }) => sum + rows, 0)
  const encodeMs: number[] = []
  const decodeMs: number[] = []
  let chunks: Uint8Array[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = cpuMs()
    chunks = columns.map(encodeChunk)
    const encoded = cpuMs()
    const rows = chunks.reduce((sum, chunk) => sum + decodeChunk(chunk).rows, 0)
    decodeMs.push(cpuMs() - encoded)
    encodeMs.push(encoded - started)
    if (rows !== samples) throw new Error(`${rows} of ${samples} samples were decoded`)
  }
  return {
    bytesPerSample: chunks.reduce((sum, { length }) => sum + length, 0) / samples,
    encoded: (samples / median(encodeMs)) * 1000,
    decoded: (samples / median(decodeMs)) * 1000,
  }
}

const sizeFigure = (name: string, { bytesPerSample }: Codec, limit: number): Figure => ({
  name: `bytes of a compressed sample, ${name} (limit)`,
  measured: `${bytesPerSample.toFixed(1)} bytes`,
  against: `limit ${limit} bytes`,
  ratio: bytesPerSample / limit,
  aim: '<= 1',
})

export const historyBench: Bench = {
  name: 'history',
  async run() {
    const random = makeRandom()
    const smooth = measureCodec(benchDays())
    const noisy = measureCodec(benchDays().map((day) => addNoise(day, random)))
    const demo = measureCodec(demoDays())
    return [
      sizeFigure('12 values of the bench meters, every minute', smooth, 12),
      sizeFigure('the same with noise', noisy, 12),
      sizeFigure('meters of the demo, every quarter', demo, 16),
      speedFigure('compression of noisy samples', noisy.encoded, ENCODE_LIMIT),
      speedFigure('decompression of noisy samples', noisy.decoded, EXPORT_LIMIT),
      await readFigure(),
      ...(await serviceFigures()),
    ]
  },
}
