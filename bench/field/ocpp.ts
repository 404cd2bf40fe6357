import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../../test/support/process/service.ts'
import type { BareOcppReady } from '../support/bare-ocpp.ts'
import { createChargers } from '../support/chargers.ts'
import { sized } from '../support/effort.ts'
import { memoryOf } from '../support/memory.ts'
import { processorSeconds } from '../support/processor-seconds.ts'
import { withProgram } from '../support/program.ts'
import { type BenchService, openService } from '../support/service.ts'
import type { BenchStation } from '../support/station-link.ts'
import type { Entered, Looped, Paced, StationsTask } from '../support/stations.ts'
import { type Bench, type Figure, median } from '../support/types.ts'
import { startWorker, type Worker } from '../support/worker.ts'

const STATIONS = 5_000
const CLIENTS = 2
const PERIOD_MS = 10_000
const WARM_UP_SECONDS = sized(10, 3)
const PACED_SECONDS = sized(60, 6)
const BARE_PACED_SECONDS = sized(20, 3)
const STORMS = sized(3, 1)
const LOOPS = sized(5, 2)
const LOOP_SECONDS = sized(4, 2)
const SETTLE_MS = sized(5_000, 1_000)

/** Stations in separate processes, a part of a fleet in each. */
class Stations {
  readonly #clients: readonly Worker[] = Array.from({ length: CLIENTS }, () => startWorker('./stations.ts'))

  async open(fleet: string, port: number, stations: readonly BenchStation[]): Promise<Entered> {
    const parts = this.#clients.map((client, clientIndex) => {
      const own = stations.filter((_, index) => index % CLIENTS === clientIndex)
      return client.ask<Entered>({ kind: 'open', fleet, port, stations: own } satisfies StationsTask)
    })
    return together(await Promise.all(parts))
  }

  async storm(fleet: string): Promise<Entered> {
    return together(await this.#ask<Entered>({ kind: 'storm', fleet }))
  }

  async pace(fleet: string, seconds: number): Promise<Paced> {
    const parts = await this.#ask<Paced>({ kind: 'pace', fleet, seconds, periodMs: PERIOD_MS })
    return {
      heartbeats: parts.flatMap(({ heartbeats }) => heartbeats),
      meterValues: parts.flatMap(({ meterValues }) => meterValues),
    }
  }

  /** Messages a second. */
  async loop(fleet: string, seconds: number): Promise<number> {
    const parts = await this.#ask<Looped>({ kind: 'loop', fleet, seconds })
    return parts.reduce((sum, { messages, tookMs }) => sum + (messages / tookMs) * 1000, 0)
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()))
  }

  #ask<T>(task: StationsTask): Promise<T[]> {
    return Promise.all(this.#clients.map((client) => client.ask<T>(task)))
  }
}

function together(parts: readonly Entered[]): Entered {
  const refused: Record<number, number> = {}
  for (const part of parts)
    for (const [status, count] of Object.entries(part.refused))
      refused[Number(status)] = (refused[Number(status)] ?? 0) + count
  if (refused[401] || refused[429]) throw new Error(`stations were rejected: ${JSON.stringify(refused)}`)
  return { tookMs: Math.max(...parts.map(({ tookMs }) => tookMs)), refused }
}

interface Side {
  readonly fleet: string
  readonly pid: number
  readonly port: number
}

interface Setup {
  readonly service: BenchService
  readonly clients: Stations
  readonly stations: readonly BenchStation[]
  readonly ours: Side
  readonly bare: Side
}

/** Bytes of memory by which a new process grows for each station that connects. */
async function memoryEach({ clients, stations }: Setup, { fleet, pid, port }: Side): Promise<number> {
  const before = await heldBy(pid)
  await clients.open(fleet, port, stations)
  return ((await heldBy(pid)) - before) / STATIONS
}

/** Bytes after a garbage collection. */
async function heldBy(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await sleep(SETTLE_MS)
  return (await memoryOf([pid])) ?? Number.NaN
}

async function measureMemory(setup: Setup): Promise<Figure> {
  const bare = await memoryEach(setup, setup.bare)
  const ours = await memoryEach(setup, setup.ours)
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`
  return {
    name: `OCPP, ${thousands(STATIONS)} stations on one process, memory per station (bare ocpp-rpc)`,
    measured: kilobytes(ours),
    against: kilobytes(bare),
    ratio: ours / bare,
    aim: '',
  }
}

/** Counters of the work of the database so far. */
async function databaseWork({ deps }: BenchService): Promise<{ commits: number; chargerRows: number }> {
  const { rows } = await deps.database.pool.query<{ commits: string; charger_rows: string }>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
       (select n_tup_upd from pg_stat_user_tables where relname = 'charger') as charger_rows`,
  )
  return { commits: Number(rows[0]?.commits), chargerRows: Number(rows[0]?.charger_rows) }
}

const quantiles = (latencies: readonly number[]): string => {
  const sorted = latencies.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** A heartbeat and a meter value of each station in every period. */
async function measurePace({ service, clients, ours, bare }: Setup): Promise<Figure[]> {
  await clients.pace(ours.fleet, WARM_UP_SECONDS)
  const bareAnswers = await clients.pace(bare.fleet, BARE_PACED_SECONDS)
  const [workBefore, processorBefore] = [await databaseWork(service), await processorSeconds(ours.pid)]
  const { heartbeats, meterValues } = await clients.pace(ours.fleet, PACED_SECONDS)
  const [work, processor] = [await databaseWork(service), await processorSeconds(ours.pid)]
  const used = processor - processorBefore
  const held = await heldBy(ours.pid)
  const count = heartbeats.length + meterValues.length
  const rate = (times: number): string => `${Math.round(times / PACED_SECONDS)}/s`
  const figure = (name: string, measured: string, against = ''): Figure => ({
    ...{ name, measured, against, ratio: undefined, aim: '' },
  })
  return [
    figure(
      'OCPP, a heartbeat and a meter value per station in 10 s: response time of heartbeats (bare ocpp-rpc)',
      quantiles(heartbeats),
      quantiles(bareAnswers.heartbeats),
    ),
    figure(
      'OCPP, a heartbeat and a meter value per station in 10 s: meter values to commit (bare: not stored)',
      quantiles(meterValues),
      quantiles(bareAnswers.meterValues),
    ),
    figure(
      'OCPP, a heartbeat and a meter value per station in 10 s: load of the process',
      `${Math.round((used / PACED_SECONDS) * 100)} % of a core, ${Math.round((used / count) * 1e6)} µs a message, ${Math.round(held / 2 ** 20)} MB`,
    ),
    figure(
      `OCPP, a heartbeat and a meter value per station in 10 s: load of the database for ${rate(count)} messages`,
      `${rate(work.commits - workBefore.commits)} commits, ${rate(work.chargerRows - workBefore.chargerRows)} charger rows written`,
    ),
  ]
}

/** All sockets break at once; all stations reconnect as fast as they are accepted. */
async function measureStorms({ clients, ours, bare }: Setup): Promise<Figure> {
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  let refused = 0
  for (let storm = 0; storm < STORMS; storm++) {
    took.bare.push((await clients.storm(bare.fleet)).tookMs)
    const entered = await clients.storm(ours.fleet)
    took.ours.push(entered.tookMs)
    for (const count of Object.values(entered.refused)) refused += count
  }
  const said = (ms: readonly number[]): string =>
    `${Math.round((STATIONS / median(ms)) * 1000)} connections/s, all reconnected after ${(median(ms) / 1000).toFixed(1)} s`
  return {
    name: 'OCPP, all stations reconnect at once (bare ocpp-rpc without passwords)',
    measured: `${said(took.ours)}, ${Math.round(refused / STORMS)} rejected, which retry later`,
    against: said(took.bare),
    ratio: median(took.bare) / median(took.ours),
    aim: '>= 0.8',
  }
}

/** Every station sends its next meter values after the response to the last ones. */
async function measureLoop({ clients, ours, bare }: Setup): Promise<Figure[]> {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const costs: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 0; round <= LOOPS; round++) {
    for (const [way, { fleet, pid }] of Object.entries({ ours, bare }) as ['ours' | 'bare', Side][]) {
      const before = await processorSeconds(pid)
      const rate = await clients.loop(fleet, LOOP_SECONDS)
      if (round === 0) continue
      rates[way].push(rate)
      costs[way].push(((await processorSeconds(pid)) - before) / (rate * LOOP_SECONDS))
    }
  }
  const pairs = (of: typeof rates) =>
    median(of.ours.map((one, round) => one / (of.bare[round] ?? Number.NaN)))
  const micros = (seconds: number): string => `${Math.round(seconds * 1e6)} µs`
  return [
    {
      name: 'OCPP, meter values, one pending per station, to commit (bare ocpp-rpc: validated, not stored)',
      measured: `${thousands(median(rates.ours))} messages/s`,
      against: `${thousands(median(rates.bare))} messages/s`,
      ratio: pairs(rates),
      aim: '>= 0.8',
    },
    {
      name: 'OCPP, meter values, processor time of the process per message (bare ocpp-rpc: validated, not stored)',
      measured: micros(median(costs.ours)),
      against: micros(median(costs.bare)),
      ratio: pairs(costs),
      aim: '',
    },
  ]
}

const thousands = (count: number): string => Math.round(count).toLocaleString('en')

async function measure(service: BenchService, program: RunningService): Promise<Figure[]> {
  const bareServer = startWorker('./bare-ocpp.ts')
  const clients = new Stations()
  try {
    const setup: Setup = {
      service,
      clients,
      stations: await createChargers(service, STATIONS),
      ours: { fleet: 'ours', pid: program.pid, port: Number(new URL(program.url).port) },
      bare: { fleet: 'bare', pid: bareServer.pid, ...(await bareServer.ask<BareOcppReady>({})) },
    }
    const memory = await measureMemory(setup)
    const paced = await measurePace(setup)
    const storms = await measureStorms(setup)
    return [memory, ...paced, storms, ...(await measureLoop(setup))]
  } finally {
    await Promise.all([clients.end(), bareServer.end()])
  }
}

/**
 * The service as it is installed, and the server of `ocpp-rpc`, each in a separate process; the stations too.
 */
export const ocppBench: Bench = {
  name: 'ocpp',
  async run() {
    const service = await openService(Date.now())
    const env = {
      // All stations connect from one address here.
      RATE_LIMIT_OCPP_PER_SECOND: '0',
      NODE_OPTIONS: `--import ${new URL('../support/collect.js', import.meta.url)}`,
    }
    try {
      return await withProgram(service, env, (program) => measure(service, program))
    } finally {
      await service.stop()
    }
  },
}
