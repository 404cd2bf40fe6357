/**
 * Reads of a thousand devices over HTTP, as a user of the API makes them: the energy by the hour over a day, and the
 * latest values; next to InfluxDB and VictoriaMetrics with the same samples in the same run. The rounds alternate, and
 * one process reads from all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rollUpDevice } from '../../src/areas/metering/rollup/index.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/time.ts'
import { hasProgram } from '../../test/support/process/programs.ts'
import { sized } from '../support/effort.ts'
import { postBodies } from '../support/post-bodies.ts'
import type { ReadReport } from '../support/reader.ts'
import { makeSample } from '../support/samples.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'
import { freePort, influx, type Store, untilOpen, victoria } from './stores.ts'

const DEVICES = 1_000
const STEP_MS = sized(60_000, 15 * 60_000)
const HOURS = 32
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 30 * 60_000
const START = NOW - 30 * 60_000 - HOURS * HOUR_MS
const STEPS = Math.floor((NOW - START) / STEP_MS) + 1
/** A day whose hours, and those after which they are final, are rolled up. */
const DAY = { from: START + HOUR_MS, to: START + HOUR_MS + DAY_MS }
const PORTION = 10_000
const ROUNDS = sized(40, 4)
const WARM_UPS = sized(20, 2)
/** What VictoriaMetrics and we are to need at most for the hours and for the latest values. */
const [HOURS_LIMIT_MS, LATEST_LIMIT_MS] = [51, 4]

/** All samples in portions, in the order in which they are measured. */
function* portions(): Generator<{ device: number; at: number; values: Record<string, number> }[]> {
  let portion = []
  for (let step = 0; step < STEPS; step++)
    for (let device = 0; device < DEVICES; device++) {
      portion.push({ device, ...makeSample({ startAt: START, stepMs: STEP_MS }, device, step) })
      if (portion.length < PORTION) continue
      yield portion
      portion = []
    }
  if (portion.length > 0) yield portion
}

async function loadOurs({ deps, tenant, ...service }: BenchService): Promise<void> {
  const devices = await createDevices({ deps, tenant, ...service }, DEVICES)
  for (const portion of portions()) {
    const samples = portion.map(({ device, ...sample }) => ({
      ...sample,
      deviceId: devices[device]?.id ?? '',
    }))
    await deps.ingest.submit(tenant.id, samples)
  }
  const waiting = [...devices]
  const rollUp = async () => {
    for (let device = waiting.pop(); device; device = waiting.pop())
      await rollUpDevice(deps, { tenantId: tenant.id, deviceKey: device.key })
  }
  await Promise.all([rollUp(), rollUp(), rollUp(), rollUp()])
  await deps.database.owner.pool.query('vacuum analyze')
}

const toLine = ({ device, at, values }: { device: number; at: number; values: Record<string, number> }) =>
  `m,device=d${device} ${Object.entries(values).map(([name, value]) => `${name}=${value}`)} ${at}`

interface OpenStore {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a store, and writes the same samples. */
async function openStore(store: Store): Promise<OpenStore> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  const port = await freePort()
  const args = await store.prepare(folder, port)
  const child: ChildProcess = spawn(store.program, args, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await sleep(100)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilOpen(store, url)
    for (const portion of portions()) {
      const bodies = [Buffer.from(portion.map(toLine).join('\n'))]
      const headers = { 'content-type': 'text/plain' }
      await postBodies({ url: url + store.writePath, headers, connections: 1, bodies })
    }
    await store.settle(url, folder)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

/** What a store is asked for, by the name of the figure. */
interface Reads {
  readonly hours: string
  readonly latest: string
  readonly all: string
}

const OUR_READS: Reads = {
  hours: `/api/measurements/hours?${new URLSearchParams({ start: iso(DAY.from), end: iso(DAY.to) })}`,
  latest: `/api/measurements/latest?${new URLSearchParams({ metrics: 'active_power' })}`,
  all: '/api/measurements/latest',
}
const LAST = START + (STEPS - 1) * STEP_MS

const influxPath = (statement: string): string =>
  `/query?${new URLSearchParams({ db: 'bench', epoch: 'ms', q: statement })}`
const INFLUX_READS: Reads = {
  hours: influxPath(
    `SELECT spread("import_active_energy") FROM m WHERE time >= ${DAY.from}ms AND time < ${DAY.to}ms GROUP BY time(1h), device`,
  ),
  latest: influxPath(`SELECT last("active_power") FROM m WHERE time > ${LAST - DAY_MS}ms GROUP BY device`),
  all: influxPath(`SELECT last(*) FROM m WHERE time > ${LAST - DAY_MS}ms GROUP BY device`),
}

const victoriaPath = (path: string, query: Record<string, string>): string =>
  `/api/v1/${path}?${new URLSearchParams({ ...query, nocache: '1' })}`
const VICTORIA_READS: Reads = {
  // The value at the end of an hour is the growth within it.
  hours: victoriaPath('query_range', {
    query: 'increase(m_import_active_energy[1h])',
    start: String((DAY.from + HOUR_MS) / 1000),
    end: String(DAY.to / 1000),
    step: '1h',
  }),
  latest: victoriaPath('query', { query: 'm_active_power', time: String(LAST / 1000) }),
  all: victoriaPath('query', { query: '{device!=""}', time: String(LAST / 1000) }),
}

const NAMES: Readonly<Record<keyof Reads, string>> = {
  hours: `${DEVICES} devices by the hour over a day`,
  latest: `the latest active power of ${DEVICES} devices`,
  all: `the latest values of ${DEVICES} devices, all metrics`,
}

interface Target {
  readonly name: string
  readonly url: string
  readonly token: string
  readonly reads: Reads
}

/** The median of each target, one after the other in each round. */
async function measure(client: Worker, targets: readonly Target[], read: keyof Reads): Promise<number[]> {
  const times = targets.map((): number[] => [])
  for (let round = -WARM_UPS; round < ROUNDS; round++)
    for (const [index, { name, url, token, reads }] of targets.entries()) {
      const { tookMs, bytes } = await client.ask<ReadReport>({ url: url + reads[read], token })
      if (bytes < DEVICES * 40) throw new Error(`${name} answered ${NAMES[read]} with ${bytes} bytes`)
      if (round >= 0) times[index]?.push(tookMs)
    }
  return times.map(median)
}

const inMs = (value: number): string => `${value.toFixed(1)} ms`

async function figuresOf(client: Worker, targets: readonly Target[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const read of ['hours', 'latest', 'all'] as const) {
    const [ours = Number.NaN, ...others] = await measure(client, targets, read)
    const measured = inMs(ours)
    const limit = read === 'all' ? undefined : read === 'hours' ? HOURS_LIMIT_MS : LATEST_LIMIT_MS
    if (limit !== undefined)
      figures.push({
        name: `${NAMES[read]} (limit)`,
        measured,
        against: `limit ${limit} ms`,
        ratio: ours / limit,
        aim: '<= 1',
      })
    for (const [index, theirs] of others.entries())
      figures.push({
        name: `${NAMES[read]} (${targets[index + 1]?.name})`,
        measured,
        against: inMs(theirs),
        ratio: ours / theirs,
        aim: '',
      })
  }
  return figures
}

export const manyDevicesBench: Bench = {
  name: 'many-devices',
  async run() {
    const service = await openService(NOW)
    const opened: OpenStore[] = []
    const client = startWorker('./reader.ts')
    try {
      await loadOurs(service)
      const { token } = service.tenant.viewer
      const targets: Target[] = [{ name: 'ours', url: service.url, token, reads: OUR_READS }]
      for (const [store, reads] of [
        [influx, INFLUX_READS],
        [victoria, VICTORIA_READS],
      ] as const) {
        if (!hasProgram(store.program)) continue
        const open = await openStore(store)
        opened.push(open)
        targets.push({ name: store.name, url: open.url, token, reads })
      }
      return await figuresOf(client, targets)
    } finally {
      await client.end()
      for (const store of opened) await store.stop()
      await service.stop()
    }
  },
}
