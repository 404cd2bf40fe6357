import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { calculateRange } from '../../src/areas/netting/index.ts'
import { addMonths, HOUR_MS, periodEnd, periodRange } from '../../src/kernel/time.ts'
import { createClusterDatabase, dropClusterDatabase } from '../../test/support/citus.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import { createGroup } from '../support/netting-group.ts'
import { makeRoundTrips, type RoundTrips } from '../support/round-trips.ts'
import { makeServerCpu } from '../support/server-cpu.ts'
import { type BenchServer, type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, timed } from '../support/types.ts'

/** The role of `tools/citus/cluster.sh`, on every server. */
const ROLE = 'netsaat'
const SHARDS = 4
const DEVICES = 48
const MINUTE_MS = 60_000
/** The first three count round trips and warm up. */
const PERIODS = ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01']
const NOW = periodEnd('2026-08-01') + HOUR_MS
/** Calls of which the processor time is measured, because Linux counts it in hundredths of a second. */
const CALLS = 200

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
  readonly cpuMs: number
  readonly elapsedMs: number
}

interface Task {
  readonly name: string
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
      calls: PERIODS.length - 3,
      aim: '<= 3',
      run: () =>
        calculateRange(deps, tenant.id, {
          groupId,
          range: periodRange(PERIODS[month++] ?? ''),
          triggeredBy: 'beat',
          startedBy: null,
        }),
    },
  ]
}

async function measureSetup({ nodes }: Setup, isPlain: boolean): Promise<Map<string, Measured & Task>> {
  const service = await openService(NOW, await openServer(nodes, isPlain))
  try {
    const countTrips = makeRoundTrips(service.deps.database.pool)
    const readCpu = await makeServerCpu(nodes)
    const measured = new Map<string, Measured & Task>()
    for (const task of await makeTasks(service)) {
      const trips = await countTrips(task.run)
      const before = await readCpu()
      const elapsedMs = await timed(async () => {
        for (let call = 0; call < task.calls; call++) await task.run()
      })
      const cpuMs = (await readCpu()) - before
      measured.set(task.name, {
        ...task,
        trips,
        cpuMs: cpuMs / task.calls,
        elapsedMs: elapsedMs / task.calls,
      })
    }
    return measured
  } finally {
    await service.stop()
  }
}

const format = ({ cpuMs, elapsedMs, trips }: Measured): string =>
  `${cpuMs.toFixed(2)} ms, ${trips.service} + ${trips.nodes} round trips, ${elapsedMs.toFixed(1)} ms elapsed`

/**
 * What the service does for one tenant, on plain PostgreSQL, on one node of Citus and on a coordinator with two
 * workers, all on this machine: the processor time of all servers, which other work on the machine hardly changes, the
 * round trips of the service to its server, and those of that server to other nodes.
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
    const reference = await measureSetup(plain, true)
    const figures: Figure[] = []
    for (const setup of clusters)
      for (const [name, measured] of await measureSetup(setup, false)) {
        const base = reference.get(name)
        if (!base) throw new Error(`${name} was not measured`)
        figures.push({
          name: `${name}, ${setup.name} (processor time of the servers)`,
          measured: format(measured),
          against: format(base),
          ratio: measured.cpuMs / base.cpuMs,
          aim: measured.aim ?? '',
        })
      }
    return figures
  },
}
