import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { listDueWork as listNotificationWork } from '../../src/areas/alarms/notifications/delivery/due-store.ts'
import { listDueWork as listChargingWork } from '../../src/areas/charging/due-work-store.ts'
import { calculateRange } from '../../src/areas/netting/index.ts'
import { at } from '../../src/kernel/checked.ts'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { systemDb } from '../../src/platform/db/tenant.ts'
import { createClusterDatabase, dropClusterDatabase } from '../../test/support/citus.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import type { BenchServer } from '../support/database.ts'
import { createGroup } from '../support/netting-group.ts'
import { makeRoundTrips, type RoundTrips } from '../support/round-trips.ts'
import { makeServerCpu } from '../support/server-cpu.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, timed } from '../support/types.ts'

/** The role of `tools/citus/cluster.sh`, on every server. */
const ROLE = 'netsaat'
const SHARDS = 4
const DEVICES = 48
const MINUTE_MS = 60_000
/** The first three count round trips and warm up. */
const PERIODS = [
  '2026-02-01',
  '2026-03-01',
  '2026-04-01',
  '2026-05-01',
  '2026-06-01',
  '2026-07-01',
  '2026-08-01',
]
const NOW = periodEnd('2026-08-01') + HOUR_MS
/** The servers are measured in turn, so that other work on the machine meets all of them. */
const ROUNDS = 4
const CALLS = 50
/** Calls of what is measured more than once in a round, before it is measured. */
const WARM_UP_CALLS = 20

interface Setup {
  readonly name: string
  /** URLs of a superuser, the coordinator first. */
  readonly nodes: readonly string[]
}

/** The servers of `tools/citus/cluster.sh`; empty when one of them is not given. */
function readSetups(): Setup[] {
  const setups = [
    ['plain PostgreSQL', 'SCALE_PLAIN'],
    ['one node', 'SCALE_ONE'],
    ['three nodes', 'SCALE_THREE'],
  ].map(([name = '', key = '']) => ({ name, nodes: (process.env[key] ?? '').split(',').filter(Boolean) }))
  return setups.every(({ nodes }) => nodes.length > 0) ? setups : []
}

/** A database of the role on the servers, distributed unless the server is plain PostgreSQL. */
async function openServer(nodes: readonly string[], isPlain: boolean): Promise<BenchServer> {
  const name = `netsaat_bench_${randomBytes(4).toString('hex')}`
  const url = new URL(nodes[0] ?? '')
  url.username = ROLE
  url.pathname = `/${name}`
  if (!isPlain) {
    await createClusterDatabase(name, ROLE, nodes)
    return { url: url.href, shards: SHARDS, stop: () => dropClusterDatabase(name, nodes) }
  }
  const client = new pg.Client({ connectionString: nodes[0] })
  await client.connect()
  await client.query(`create database ${name} owner ${ROLE}`)
  await client.end()
  return { url: url.href, stop: () => dropClusterDatabase(name, nodes) }
}

interface Measured {
  readonly trips: RoundTrips
  /** Milliseconds of processor time: of the first server, and of the others together. */
  readonly coordinatorMs: number
  readonly workersMs: number
  readonly elapsedMs: number
}

interface Task {
  readonly name: string
  /** In each round. */
  readonly calls: number
  /** The largest ratio of the processor time on three nodes to that on plain PostgreSQL. */
  readonly aim?: string
  run(): Promise<unknown>
}

async function makeTasks(service: BenchService): Promise<Task[]> {
  const { deps, tenant, url } = service
  const devices = await createDevices(service, DEVICES)
  const token = tenant.admin.token
  async function send(method: string, path: string, body?: unknown): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}${path}`, options)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  }
  let minute = 0
  const sendSamples = () => {
    const timestamp = new Date(NOW - 20 * 24 * HOUR_MS + minute++ * MINUTE_MS).toISOString()
    const values = { active_power: minute, voltage: 230.5, import_active_energy: 1000 + minute }
    return send('POST', '/api/measurements', {
      samples: devices.map(({ id }) => ({ device_id: id, timestamp, values })),
    })
  }
  await makePriceSet(deps, addMonths(PERIODS[0] ?? '', -1), INDUSTRIAL_PRICES)
  const groupId = await createGroup(service, { from: periodRange(PERIODS[0] ?? '').from, to: NOW })
  let month = 0
  const system = systemDb(deps.database.kysely)
  const device = devices[0]?.id ?? ''
  const range = new URLSearchParams({
    from: new Date(NOW - 20 * 24 * HOUR_MS).toISOString(),
    to: new Date(NOW).toISOString(),
    interval: 'daily',
  })
  return [
    { name: '48 samples of one tenant stored', calls: CALLS, aim: '<= 2.5', run: sendSamples },
    { name: 'one device read', calls: CALLS, aim: '<= 3', run: () => send('GET', `/api/devices/${device}`) },
    { name: '50 devices listed', calls: CALLS, aim: '<= 3', run: () => send('GET', '/api/devices?limit=50') },
    {
      name: 'samples of three weeks aggregated by day',
      calls: CALLS,
      aim: '<= 3',
      run: () => send('GET', `/api/measurements/devices/${device}/aggregated?${range}`),
    },
    {
      name: 'one device changed',
      calls: CALLS,
      run: () => send('PUT', `/api/devices/${device}`, { name: `meter ${minute++}` }),
    },
    {
      name: 'a month of 10 facilities calculated',
      calls: 1,
      aim: '<= 3',
      run: () =>
        calculateRange(deps, tenant.id, {
          groupId,
          range: periodRange(PERIODS[month++] ?? ''),
          triggeredBy: 'beat',
          startedBy: null,
        }),
    },
    {
      name: 'the two idle polls for due work of all tenants',
      calls: CALLS,
      async run() {
        await listNotificationWork(system, new Date(NOW))
        await listChargingWork(system, new Date(NOW))
      },
    },
  ]
}

interface OpenSetup {
  readonly name: string
  readonly tasks: readonly Task[]
  readonly countTrips: ReturnType<typeof makeRoundTrips>
  readonly readCpu: () => Promise<number[]>
  stop(): Promise<void>
}

async function openSetup({ name, nodes }: Setup, isPlain: boolean): Promise<OpenSetup> {
  const service = await openService(NOW, await openServer(nodes, isPlain))
  const { nodeReads } = service.deps
  await waitFor(() => nodeReads?.states().filter(({ isUsable }) => isUsable).length === nodes.length - 1)
  return {
    name,
    tasks: await makeTasks(service),
    countTrips: makeRoundTrips(service.pools),
    readCpu: await makeServerCpu(nodes),
    stop: () => service.stop(),
  }
}

/** The task of each setup in turn, several times. */
async function measureTask(setups: readonly OpenSetup[], index: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const { tasks, countTrips } of setups) {
    const { run, calls } = at(tasks, index)
    const trips = await countTrips(run)
    for (let call = 0; calls > 1 && call < WARM_UP_CALLS; call++) await run()
    measured.push({ trips, coordinatorMs: 0, workersMs: 0, elapsedMs: 0 })
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const [position, setup] of setups.entries()) {
      const { run, calls } = at(setup.tasks, index)
      const before = await setup.readCpu()
      const elapsedMs = await timed(async () => {
        for (let call = 0; call < calls; call++) await run()
      })
      const after = await setup.readCpu()
      const [coordinatorMs = 0, ...workers] = after.map((ms, server) => ms - (before[server] ?? 0))
      const workersMs = workers.reduce((total, ms) => total + ms, 0)
      const sum = at(measured, position)
      const perCall = (total: number, ms: number) => total + ms / calls / ROUNDS
      measured[position] = {
        ...sum,
        coordinatorMs: perCall(sum.coordinatorMs, coordinatorMs),
        workersMs: perCall(sum.workersMs, workersMs),
        elapsedMs: perCall(sum.elapsedMs, elapsedMs),
      }
    }
  return measured
}

const cpuOf = ({ coordinatorMs, workersMs }: Measured): number => coordinatorMs + workersMs

const format = (measured: Measured): string => {
  const { coordinatorMs, workersMs, elapsedMs, trips } = measured
  const parts = workersMs > 0 ? ` (${coordinatorMs.toFixed(2)} + ${workersMs.toFixed(2)})` : ''
  return `${cpuOf(measured).toFixed(2)} ms${parts}, ${trips.service} + ${trips.nodes} round trips, ${elapsedMs.toFixed(1)} ms elapsed`
}

/**
 * What the service does for one tenant, on plain PostgreSQL, on one node of Citus and on a coordinator with two
 * workers, all on this machine: the processor time of all servers (of the coordinator and of the workers), which other
 * work on the machine hardly changes, the round trips of the service to the servers, and those of the servers to other
 * nodes. It is measured with open connections: a new one reads the catalogue of Citus first.
 */
export const scaleBench: Bench = {
  name: 'scale',
  async run() {
    const [plain, ...clusters] = readSetups()
    if (!plain)
      return [
        {
          name: 'scale',
          measured: 'skipped: SCALE_PLAIN, SCALE_ONE and SCALE_THREE are not set',
          against: '',
          ratio: undefined,
          aim: '',
        },
      ]
    const setups: OpenSetup[] = []
    try {
      for (const setup of [plain, ...clusters]) setups.push(await openSetup(setup, setup === plain))
      const figures: Figure[] = []
      for (const [index, task] of at(setups, 0).tasks.entries()) {
        const [base, ...others] = await measureTask(setups, index)
        for (const [position, measured] of others.entries())
          figures.push({
            name: `${task.name}, ${at(setups, position + 1).name} (processor time of the servers)`,
            measured: format(measured),
            against: base ? format(base) : '',
            ratio: base && cpuOf(measured) / cpuOf(base),
            aim: task.aim ?? '',
          })
      }
      return figures
    } finally {
      for (const setup of setups) await setup.stop()
    }
  },
}
