import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { hasProgram } from '../../test/support/process/programs.ts'
import { bareBatches, copyAll } from '../support/bare-copy.ts'
import type { BodyTask } from '../support/body-sender.ts'
import { sized } from '../support/effort.ts'
import { runSender } from '../support/run-sender.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import type { Bench, Figure } from '../support/types.ts'

const DEVICES = 1_000
const STEPS = sized(240, 80)
const FIELDS = 12
const STEP_MS = 15_000
/** Samples of one request, and concurrent requests. */
const PORTION = 5_000
const CONNECTIONS = 2
const SAMPLES = DEVICES * STEPS
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS

type Sample = ReturnType<typeof makeSample>
type Devices = Awaited<ReturnType<typeof createDevices>>

/** The bodies that are measured, and before them those of as many samples of other devices, which warm the store up. */
interface Load {
  readonly warmUp: readonly Buffer[]
  readonly bodies: readonly Buffer[]
}

/** All samples in requests, in the order in which they are measured; `write` encodes one sample of a device. */
function makeBodies(
  write: (device: number, sample: Sample) => string,
  wrap: (texts: string[]) => string,
): Buffer[] {
  const bodies: Buffer[] = []
  let texts: string[] = []
  for (let step = 0; step < STEPS; step++) {
    for (let device = 0; device < DEVICES; device++) {
      texts.push(write(device, makeSample({ startAt: HOUR, stepMs: STEP_MS }, device, step)))
      if (texts.length < PORTION) continue
      bodies.push(Buffer.from(wrap(texts)))
      texts = []
    }
  }
  return bodies
}

const lineBodies = (name: string): Buffer[] =>
  makeBodies(
    (device, { at, values }) => {
      const fields = Object.entries(values).map(([name, value]) => `${name}=${value}`)
      return `m,device=${name}${device} ${fields.join(',')} ${at}`
    },
    (lines) => lines.join('\n'),
  )

/** Posts the bodies in a process of its own; returns the milliseconds that those took which are measured. */
async function postAll(
  url: string,
  { warmUp, bodies }: Load,
  headers: Record<string, string>,
): Promise<number> {
  const post = (part: readonly Buffer[]) =>
    runSender('body-sender.ts', {
      ...{ url, headers, bodies: part, connections: CONNECTIONS },
    } satisfies BodyTask)
  await post(warmUp)
  return post(bodies)
}

interface Outcome {
  readonly tookMs: number
  readonly bytesPerValue: number
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export interface Store {
  readonly name: string
  readonly aim: string
  readonly program: string
  /** Arguments of the program, once its files are in the folder. */
  prepare(folder: string, port: number): Promise<readonly string[]>
  /** Resolves when it accepts samples. */
  open(url: string): Promise<void>
  readonly writePath: string
  /** Forces everything into its final files. */
  settle(url: string, folder: string): Promise<void>
}

export const influx: Store = {
  name: 'InfluxDB 1.6',
  aim: '>= 1.5',
  program: 'influxd',
  async prepare(folder, port) {
    const config = join(folder, 'influx.conf')
    const lines = [
      'reporting-disabled = true',
      `bind-address = "127.0.0.1:${await freePort()}"`,
      `[meta]\ndir = "${folder}/data/meta"`,
      `[data]\ndir = "${folder}/data/data"\nwal-dir = "${folder}/data/wal"`,
      'cache-snapshot-write-cold-duration = "2s"\ncompact-full-write-cold-duration = "2s"',
      `[http]\nbind-address = "127.0.0.1:${port}"\nlog-enabled = false`,
      '[monitor]\nstore-enabled = false',
    ]
    await writeFile(config, lines.join('\n'))
    return ['run', '-config', config]
  },
  async open(url) {
    const response = await fetch(`${url}/query?q=${encodeURIComponent('CREATE DATABASE bench')}`, {
      method: 'POST',
    })
    if (!response.ok) throw new Error(`${response.status}`)
  },
  writePath: '/write?db=bench&precision=ms',
  // Snapshot and full compaction once nothing has been written for two seconds.
  async settle(_url, folder) {
    const wal = join(folder, 'data', 'wal')
    for (let waitedS = 0; waitedS < 90 && (await bytesIn(wal)) > 0; waitedS++) await sleep(1_000)
    await sleep(10_000)
  },
}

export const victoria: Store = {
  name: 'VictoriaMetrics',
  aim: '>= 0.6',
  program: 'victoria-metrics',
  async prepare(folder, port) {
    return [
      `-storageDataPath=${folder}/data`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=1',
      '-loggerLevel=ERROR',
    ]
  },
  async open(url) {
    const response = await fetch(`${url}/health`)
    if (!response.ok) throw new Error(`${response.status}`)
  },
  writePath: '/write?precision=ms',
  async settle(url) {
    await sleep(3_000)
    await fetch(`${url}/internal/force_merge`)
    await sleep(5_000)
  },
}

export async function untilOpen(store: Store, url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await store.open(url)
    } catch (error) {
      if (tries > 100) throw error
      await sleep(100)
    }
  }
}

async function measureStore(store: Store, load: Load): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  const port = await freePort()
  const args = await store.prepare(folder, port)
  const child: ChildProcess = spawn(store.program, args, { stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${port}`
    await untilOpen(store, url)
    const tookMs = await postAll(url + store.writePath, load, { 'content-type': 'text/plain' })
    await store.settle(url, folder)
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    return { tookMs, bytesPerValue: (await bytesIn(join(folder, 'data'))) / (2 * SAMPLES * FIELDS) }
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** What PostgreSQL alone does with the same rows, prepared, over as many connections. */
async function measureCopy(
  { deps, tenant, databaseUrl }: BenchService,
  keys: readonly number[],
): Promise<Outcome> {
  await deps.database.owner.pool.query('truncate measurement, rollup_dirty_range')
  const samples = { tenantId: tenant.id, keys, startAt: HOUR, stepMs: STEP_MS, steps: STEPS }
  const tookMs = await copyAll(databaseUrl, bareBatches(samples), CONNECTIONS)
  return { tookMs, bytesPerValue: (await bytesOfSamples(deps)) / (SAMPLES * FIELDS) }
}

async function bytesOfSamples({ database }: BenchService['deps']): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('measurement') where isleaf`,
  )
  return Number(rows[0]?.bytes)
}

async function measureOurs({ deps, tenant, url }: BenchService, devices: Devices): Promise<Outcome> {
  await ensurePartitions(deps.database, 'measurement', [periodOf(HOUR)])
  const bodiesOf = (own: Devices): Buffer[] =>
    makeBodies(
      (device, { at, values }) =>
        JSON.stringify({ device_id: own[device]?.id, timestamp: new Date(at).toISOString(), values }),
      (texts) => `{"samples":[${texts.join(',')}]}`,
    )
  const load = { warmUp: bodiesOf(devices.slice(DEVICES)), bodies: bodiesOf(devices) }
  const headers = { authorization: `Bearer ${tenant.operator.token}`, 'content-type': 'application/json' }
  const tookMs = await postAll(`${url}/api/measurements`, load, headers)
  return { tookMs, bytesPerValue: (await bytesOfSamples(deps)) / (2 * SAMPLES * FIELDS) }
}

const rate = ({ tookMs }: Outcome): number => (SAMPLES / tookMs) * 1000
const formatOutcome = (outcome: Outcome): string => {
  const rows = rate(outcome)
  return `${(rows / 1e3).toFixed(0)} k rows/s, ${((rows * FIELDS) / 1e6).toFixed(2)} M values/s, ${outcome.bytesPerValue.toFixed(1)} bytes/value`
}

async function measure(service: BenchService): Promise<Figure[]> {
  const devices = await createDevices(service, 2 * DEVICES)
  const ours = await measureOurs(service, devices)
  const copied = await measureCopy(
    service,
    devices.slice(0, DEVICES).map(({ key }) => key),
  )
  const load = { warmUp: lineBodies('w'), bodies: lineBodies('d') }
  const figures: Figure[] = []
  for (const store of [influx, victoria]) {
    const name = `intake of samples with 12 fields over HTTP (${store.name})`
    const measured = formatOutcome(ours)
    if (!hasProgram(store.program)) {
      figures.push({ name, measured, against: 'not installed', ratio: undefined, aim: '' })
      continue
    }
    const storeOutcome = await measureStore(store, load)
    figures.push({
      name,
      measured,
      against: formatOutcome(storeOutcome),
      ratio: rate(ours) / rate(storeOutcome),
      aim: store.aim,
    })
    figures.push({
      name: `bare COPY of the same rows over ${CONNECTIONS} connections (${store.name})`,
      measured: formatOutcome(copied),
      against: formatOutcome(storeOutcome),
      ratio: rate(copied) / rate(storeOutcome),
      aim: '',
    })
  }
  return figures
}

/**
 * The same 240,000 samples to this service and to two time series databases, 5,000 a request over two
 * connections. Each of them first stores as many samples of other devices: the figure is that of a process that has
 * compiled its code, but the devices, or series, are new.
 */
export const storesBench: Bench = {
  name: 'stores',
  async run() {
    const service = await openService(HOUR + HOUR_MS - 1)
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  },
}
