/**
 * Compressed history as the users of the service see it: the latency of samples that are stored while the job
 * compresses old days, and reads over HTTP of compressed days against the same days as rows. Both alternate in one run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCompressor } from '../../src/areas/metering/history/index.ts'
import { rollUpDevice } from '../../src/areas/metering/rollup/index.ts'
import { addMonths, DAY_MS, iso, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { START } from '../support/device-days.ts'
import { sized } from '../support/effort.ts'
import type { HttpLoad, HttpLoadResult } from '../support/http-load.ts'
import type { ReadReport } from '../support/reader.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const STEP_MS = 10_000
const DAYS = sized(10, 4)
const DEVICES = sized(12, 8)
/** The old days of these devices are compressed while samples of others are stored. */
const SENDERS = 50
const ROUNDS = sized(10, 2)
const SECONDS = sized(4, 3)
/** The p99 of a round is then not one of its two slowest requests. */
const REQUESTS_PER_SECOND = 100
/** The longest time until the job has published its first chunk. */
const FIRST_CHUNK_MAX_MS = 60_000
const POLL_MS = 20
const NOW = START + (DAYS + 60) * DAY_MS
const READS = sized(30, 4)
const WARM_UPS = sized(5, 2)

interface Device {
  readonly id: string
  readonly key: number
}

/** Samples of all days, by statements, because another benchmark measures the intake. */
async function loadDays({ deps, tenant }: BenchService, devices: readonly Device[]): Promise<void> {
  const { pool } = deps.database.owner
  for (const { key } of devices) {
    await pool.query(
      `insert into measurement (tenant_id, device_key, ts, import_active_energy, export_active_energy, active_power,
         voltage_l1, voltage_l2, voltage_l3, current_l1, power_factor)
       select $1, $2, to_timestamp(($3::float8 + n * $4::float8) / 1000),
         10000000000 + n * 217000, 200000000 + n * 11000, round((12 + 8 * sin(n / 40.0))::numeric, 3),
         round((230 + sin(n / 40.0))::numeric, 1), round((231 + sin(n / 40.0))::numeric, 1),
         round((229 + sin(n / 40.0))::numeric, 1), round((20 + 8 * sin(n / 40.0))::numeric, 2),
         round((0.95 + sin(n / 40.0) / 40)::numeric, 3)
       from generate_series(0::bigint, $5::bigint - 1) n`,
      [tenant.id, key, START, STEP_MS, (DAYS * DAY_MS) / STEP_MS],
    )
  }
  await pool.query('vacuum analyze measurement')
}

const countChunks = async ({ deps }: BenchService): Promise<number> =>
  (await deps.database.owner.pool.query<{ count: number }>('select count(*)::int from measurement_chunk'))
    .rows[0]?.count ?? 0

/** Waits until the job works: it starts a thread first, once in five minutes. */
async function firstChunk(service: BenchService): Promise<void> {
  const until = performance.now() + FIRST_CHUNK_MAX_MS
  while ((await countChunks(service)) === 0) {
    if (performance.now() > until) throw new Error('nothing was compressed in time')
    await sleep(POLL_MS)
  }
}

/** The p99 of requests with samples, while the job compresses and while it does not. */
async function measureIngest(service: BenchService): Promise<Figure> {
  const senders = await createDevices(service, SENDERS)
  const load = startWorker('./http-load.ts')
  let firstStep = 0
  const p99Of = async (): Promise<number> => {
    const task: HttpLoad = {
      url: `${service.url}/api/measurements`,
      token: service.tenant.operator.token,
      connections: 4,
      seconds: SECONDS,
      perSecond: REQUESTS_PER_SECOND,
      samples: { deviceIds: senders.map(({ id }) => id), startAt: NOW - DAY_MS, stepMs: 1_000, firstStep },
    }
    firstStep += 2 * SECONDS * REQUESTS_PER_SECOND
    const result = await load.ask<HttpLoadResult>(task)
    if (result.failed > 0) throw new Error(`${result.failed} requests failed`)
    return result.p99Ms
  }
  const during: number[] = []
  const alone: number[] = []
  let chunks = 0
  for (let round = 0; round <= ROUNDS; round += 1) {
    const aloneMs = await p99Of()
    // The rows of published days are kept for an hour, so the same days can be compressed again.
    await service.deps.database.owner.pool.query('truncate measurement_chunk')
    const stop = new AbortController()
    const job = makeCompressor(service.deps)(NOW, stop.signal).catch(() => {})
    await firstChunk(service)
    const before = await countChunks(service)
    const duringMs = await p99Of()
    stop.abort()
    await job
    if (round === 0) continue
    chunks += (await countChunks(service)) - before
    alone.push(aloneMs)
    during.push(duringMs)
  }
  await load.end()
  if (chunks === 0) throw new Error('nothing was compressed meanwhile')
  const perSecond = (chunks * DAY_MS) / STEP_MS / (ROUNDS * SECONDS)
  const compressed = `${Math.round(perSecond / 1000)} k samples/s compressed`
  return {
    name: `p99 of requests with ${SENDERS} samples while the job compresses (without)`,
    measured: `${median(during).toFixed(1)} ms (rounds ${listOf(during)}), ${compressed}`,
    against: `${median(alone).toFixed(1)} ms (rounds ${listOf(alone)})`,
    ratio: median(during.map((ms, round) => ms / (alone[round] ?? Number.NaN))),
    aim: '<= 1.2',
  }
}

const listOf = (values: readonly number[]): string => values.map((ms) => ms.toFixed(0)).join(', ')

/** The same reads of a device with compressed days and of one with rows. */
async function measureReads(service: BenchService, compressed: Device, rows: Device): Promise<Figure[]> {
  const client = startWorker('./reader.ts')
  const [from, to] = [iso(START + DAY_MS), iso(START + 2 * DAY_MS)]
  const page = new URLSearchParams({ from, to, limit: '1000' })
  const days = new URLSearchParams({ start: from, end: iso(START + DAYS * DAY_MS), interval: 'hourly' })
  const reads = [
    ['a page of 1,000 samples', `samples?${page}`],
    [`${DAYS - 1} days by the hour`, `aggregated?${days}`],
  ] as const
  const figures: Figure[] = []
  for (const [name, path] of reads) {
    const times: [number[], number[]] = [[], []]
    const bytes = new Set<number>()
    for (let round = -WARM_UPS; round < READS; round += 1) {
      for (const [index, { id }] of [compressed, rows].entries()) {
        const url = `${service.url}/api/measurements/devices/${id}/${path}`
        const report = await client.ask<ReadReport>({ url, token: service.tenant.viewer.token })
        bytes.add(report.bytes)
        if (round >= 0) times[index]?.push(report.tookMs)
      }
    }
    if (Math.min(...bytes) < 1_000) throw new Error(`${name}: ${[...bytes].join(', ')} bytes`)
    const [chunkMs, rowsMs] = [median(times[0]), median(times[1])]
    figures.push({
      name: `${name} over HTTP, compressed (rows)`,
      measured: `${chunkMs.toFixed(1)} ms`,
      against: `${rowsMs.toFixed(1)} ms`,
      ratio: chunkMs / rowsMs,
      aim: '<= 1',
    })
  }
  await client.end()
  return figures
}

/** Compresses all that is left, deletes the rows, and gives a device the same days as rows. */
async function compressRest(service: BenchService, rows: Device): Promise<void> {
  const { deps } = service
  const { pool } = deps.database.owner
  const compress = makeCompressor(deps)
  await compress(NOW)
  await pool.query("update measurement_chunk set published_at = published_at - interval '2 hours'")
  await compress(NOW)
  await loadDays(service, [rows])
}

export const compressionBench: Bench = {
  name: 'compression',
  async run() {
    const service = await openService(NOW)
    try {
      const { deps, tenant } = service
      const months = [START, NOW].map(periodOf)
      await ensurePartitions(deps.database, 'measurement', [...months, addMonths(periodOf(START), 1)])
      const devices = await createDevices(service, DEVICES + 1)
      const [rows, ...old] = devices
      const [compressed] = old
      if (!rows || !compressed) throw new Error('no devices were created')
      await loadDays(service, old)
      const ingest = await measureIngest(service)
      await compressRest(service, rows)
      for (const { key } of [rows, compressed])
        await rollUpDevice(deps, { tenantId: tenant.id, deviceKey: key })
      return [ingest, ...(await measureReads(service, compressed, rows))]
    } finally {
      await service.stop()
    }
  },
}
