/**
 * Compressed history: bytes of a sample, compression, and reading a device-day.
 *
 * Sizes and speeds of the codec are compared with their limits. Three kinds of meters are compressed: those of the
 * other benchmarks, whose curves are smooth; the same with the noise of a real meter in the last digits of every value;
 * and those of the demo. A device-day is read from rows by the driver, and from a chunk stored in the same database.
 * The job of the service compresses days of a device, and an export reads them.
 */
import { readRaw } from '../../src/areas/insight/exports/raw-store.ts'
import { makeCompressor } from '../../src/areas/metering/history/index.ts'
import { decodeChunk, encodeChunk, type SampleColumns } from '../../src/core/sample-chunks/index.ts'
import { parseProfiles } from '../../src/demo/profiles.ts'
import { metersOf } from '../../src/demo/series.ts'
import { calendarUntil, readSeed, readSite } from '../../src/demo/site.ts'
import { isRegister, METRICS, toMillionths } from '../../src/kernel/metrics.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/time.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

/** A midnight of Turkey. */
const START = Date.UTC(2026, 0, 1) - 3 * HOUR_MS
const DEVICES = 10
const DAYS = 10
const MINUTE_MS = 60_000
const READ_STEP_MS = 10_000
const SERVICE_DAYS = 5
const WARM_UP_ROUNDS = 5
const ROUNDS = 20
const ENCODE_LIMIT = 300_000
const EXPORT_LIMIT = 500_000

interface Reading {
  readonly at: number
  readonly values: Readonly<Record<string, number>>
}

function toColumns(readings: readonly Reading[]): SampleColumns {
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

const deviceDay = (device: number, day: number, stepMs: number): Reading[] =>
  Array.from({ length: DAY_MS / stepMs }, (_, step) =>
    makeSample({ startAt: START, stepMs }, device, (day * DAY_MS) / stepMs + step),
  )

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

const cpuMs = (): number => process.cpuUsage().user / 1000
/** Of all threads, with the system's part. */
const totalCpuMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000

/** Compresses and decompresses device-days; speeds in samples per second of processor time, medians. */
function measureCodec(days: readonly (readonly Reading[])[]): Codec {
  const columns = days.map(toColumns)
  const samples = columns.reduce((sum, { rows }) => sum + rows, 0)
  const encodeMs: number[] = []
  const decodeMs: number[] = []
  let chunks: Uint8Array[] = []
  for (let round = 0; round < 5; round++) {
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

const thousands = (value: number): string => `${Math.round(value / 1000)},000/s`

const sizeFigure = (name: string, { bytesPerSample }: Codec, limit: number): Figure => ({
  name: `bytes of a compressed sample, ${name} (limit)`,
  measured: `${bytesPerSample.toFixed(1)} bytes`,
  against: `limit ${limit} bytes`,
  ratio: bytesPerSample / limit,
  aim: '<= 1',
})

const speedFigure = (name: string, speed: number, limit: number): Figure => ({
  name: `${name}, per second of processor time (limit)`,
  measured: thousands(speed),
  against: `limit ${thousands(limit)}`,
  ratio: speed / limit,
  aim: '>= 1',
})

/** The rows of a chunk as the driver returns rows: an instant in milliseconds, then the values. */
function toRows({ rows, times, metrics }: SampleColumns): (number | null)[][] {
  const columns = [...metrics.values()]
  return Array.from({ length: rows }, (_, row) => [
    Math.round((times[row] ?? 0) / 1000),
    ...columns.map(({ nulls, values }) => (nulls?.[row] === 1 ? null : Number(values[row]))),
  ])
}

async function submit(
  { deps, tenant }: BenchService,
  { id: deviceId }: { id: string },
  readings: readonly Reading[],
) {
  for (let from = 0; from < readings.length; from += 5_000) {
    const samples = readings.slice(from, from + 5_000).map((reading) => ({ deviceId, ...reading }))
    await deps.ingest.submit(tenant.id, samples)
  }
}

/** A device-day of samples every ten seconds, alternately from rows and from its chunk. */
async function measureRead(service: BenchService, device: { id: string; key: number }) {
  const readings = deviceDay(0, 0, READ_STEP_MS)
  await submit(service, device, readings)
  const { pool } = service.deps.database.owner
  const columns = toColumns(readings)
  const names = [...columns.metrics.keys()]
  await pool.query('create table bench_chunk (id integer primary key, content bytea)')
  await pool.query('insert into bench_chunk values ($1, $2)', [1, Buffer.from(encodeChunk(columns))])
  await pool.query('vacuum analyze measurement')
  const rowQuery = {
    name: 'bench_rows',
    text: `select round(date_part('epoch', ts) * 1000), ${names.join(', ')} from measurement
      where tenant_id = $1 and device_key = $2 and ts >= $3 and ts < $4 order by ts`,
    values: [service.tenant.id, device.key, iso(START), iso(START + DAY_MS)],
    rowMode: 'array',
  }
  const chunkQuery = {
    name: 'bench_chunk',
    text: 'select content from bench_chunk where id = $1',
    values: [1],
  }
  const times = { rows: [] as number[], chunk: [] as number[] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const counts: number[] = []
    const fromRows = await timed(async () => counts.push((await pool.query(rowQuery)).rows.length))
    const fromChunk = await timed(async () => {
      const { rows } = await pool.query<{ content: Buffer }>(chunkQuery)
      for (const { content } of rows) counts.push(toRows(decodeChunk(content)).length)
    })
    if (counts.some((count) => count !== readings.length)) throw new Error(`read ${counts.join(', ')} rows`)
    if (round < 0) continue
    times.rows.push(fromRows)
    times.chunk.push(fromChunk)
  }
  return { rowsMs: median(times.rows), chunkMs: median(times.chunk) }
}

/** What the job does with device-days, and an export of them from chunks. */
async function serviceFigures(): Promise<Figure[]> {
  const now = START + (SERVICE_DAYS + 40) * DAY_MS
  const service = await openService(now)
  try {
    const { deps, tenant } = service
    const [device] = await createDevices(service, 1)
    if (!device) throw new Error('no device was created')
    for (let day = 0; day < SERVICE_DAYS; day++) {
      await submit(service, device, deviceDay(0, day, READ_STEP_MS))
    }
    const samples = (SERVICE_DAYS * DAY_MS) / READ_STEP_MS
    const compress = makeCompressor(deps)
    const started = totalCpuMs()
    await compress(now)
    await deps.database.pool.query(
      "update measurement_chunk set published_at = published_at - interval '1 hour'",
    )
    await compress(now)
    const jobMs = totalCpuMs() - started
    const query = { tenantId: tenant.id, deviceKey: device.key, metrics: METRICS.slice(0, 12), limit: 2_000 }
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = cpuMs()
      let rows = 0
      for (let from = START; ; ) {
        const page = await readRaw(deps.database.pool, { ...query, range: { from, to: now } })
        rows += page.length
        if (page.length < query.limit) break
        from = (page.at(-1)?.[0] ?? 0) + 1
      }
      times.push(cpuMs() - before)
      if (rows !== samples) throw new Error(`exported ${rows} of ${samples} samples`)
    }
    return [
      speedFigure('job that reads and compares twice', (samples / jobMs) * 1000, ENCODE_LIMIT),
      speedFigure('export from chunks, 12 values', (samples / median(times)) * 1000, EXPORT_LIMIT),
    ]
  } finally {
    await service.stop()
  }
}

async function readFigure(): Promise<Figure> {
  const service = await openService(START + 2 * DAY_MS)
  try {
    const [device] = await createDevices(service, 1)
    if (!device) throw new Error('no device was created')
    const { rowsMs, chunkMs } = await measureRead(service, device)
    return {
      name: 'a device-day of 8,640 samples of 12 values, from its chunk (from rows)',
      measured: `${chunkMs.toFixed(1)} ms`,
      against: `${rowsMs.toFixed(1)} ms`,
      ratio: chunkMs / rowsMs,
      aim: '<= 1',
    }
  } finally {
    await service.stop()
  }
}

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
