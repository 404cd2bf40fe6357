import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INGEST_WAITING_SAMPLES_MAX } from '../../src/areas/metering/intake/limits.ts'
import { citusNodes } from '../support/citus.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createLoadGateway, startMqttLoad } from '../support/field/mqtt-load.ts'
import { makeDataFolder } from '../support/folder.ts'
import { audit, auditEnergy, resend } from '../support/metering/sample-audit.ts'
import {
  isAcknowledged,
  type Load,
  type SentBatch,
  startLoad,
  type Target,
} from '../support/metering/sample-load.ts'
import {
  auditTransfers,
  createTransferTarget,
  type SentTransfer,
  startTransfers,
  type TransferLoad,
  type TransferTarget,
} from '../support/netting/transfer-load.ts'
import { callService } from '../support/process/call.ts'
import { type CitusServer, findCitusServer } from '../support/process/citus-server.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { roundsOr } from '../support/process/round-count.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { chooseSeed, makeRandom, type Random } from '../support/seed.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 240_000
const ROUNDS = roundsOr(3)
const TENANTS_MAX = 40

/** A tenant with a load of samples and one of transfers; its rows are on one worker. */
interface Site {
  /** The port of the worker. */
  readonly worker: number
  readonly sends: 'HTTP' | 'MQTT'
  readonly target: Target
  readonly transfers: TransferTarget
  readonly begin: (random: Random, firstStep: number) => Load
  readonly sent: SentBatch[]
  readonly moved: SentTransfer[]
}

const isPossible = citusNodes.length > 2

let database: TestDatabase
let folder: string
let service: RunningService
let servers: CitusServer[]
let sites: Site[]

/** The port of the worker that has the rows of a tenant. */
async function workerOf(slug: string): Promise<number> {
  const [row] =
    (await servers[0]?.query<{ port: number }>(
      `select n.nodeport as port from tenant t
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('device', t.id)
      join pg_dist_node n on n.groupid = p.groupid where t.slug = $1`,
      [slug],
    )) ?? []
  return row?.port ?? 0
}

async function createSite(token: string, sends: Site['sends'], wanted: number): Promise<Site> {
  const { url } = service
  for (let attempt = 0; attempt < TENANTS_MAX; attempt++) {
    const name = `kill-${randomBytes(6).toString('hex')}`
    const password = `Kept-${name}-1`
    const email = `admin@${name}.test`
    await callService('POST', `${url}/api/v1/admin/tenants`, token, {
      name,
      slug: name,
      admin_email: email,
      admin_password: password,
    })
    if ((await workerOf(name)) !== wanted) continue
    const login = await callService('POST', `${url}/api/auth/login`, undefined, { email, password })
    const own: string = login.access_token
    const target = { url, token: own, deviceIds: await createDevices(url, own) }
    const transfers = await createTransferTarget(url, own)
    const common = { worker: wanted, sends, target, transfers, sent: [], moved: [] }
    if (sends === 'HTTP') return { ...common, begin: (random, step) => startLoad(target, random, step, 2) }
    const begin = startMqttLoad(await createLoadGateway({ target }))
    return { ...common, begin: (random, step) => begin({ service, target }, random, step) }
  }
  throw new Error(`none of ${TENANTS_MAX} tenants is on ${wanted}`)
}

interface Under {
  readonly site: Site
  readonly load: Load
  readonly transfers: TransferLoad
}

const nextStep = ({ sent }: Pick<Site, 'sent'>): number =>
  sent.reduce((next, { from, count }) => Math.max(next, from + count), 0)

const startAll = (random: Random): Under[] =>
  sites.map((site) => ({
    site,
    load: site.begin(random, nextStep(site)),
    transfers: startTransfers(site.transfers, site.moved.length + 1),
  }))

const acknowledgedBy = ({ load }: Under): number => load.sent.filter(isAcknowledged).length

/** Each of the loads is acknowledged that many samples and transfers more. */
async function goOn(loads: readonly Under[], messages: number, transfers: number): Promise<void> {
  const before = loads.map((one) => [acknowledgedBy(one), one.transfers.accepted()] as const)
  await Promise.all(
    loads.map((one, index) =>
      waitFor(() => {
        const [messagesBefore = 0, transfersBefore = 0] = before[index] ?? []
        return (
          acknowledgedBy(one) >= messagesBefore + messages &&
          one.transfers.accepted() >= transfersBefore + transfers
        )
      }, WAIT_MS),
    ),
  )
}

/** A GET, or a POST when there is a body. */
async function status(
  path: string,
  token?: string,
  body?: object,
): Promise<[status: number, body: Record<string, unknown>]> {
  const response = await fetch(service.url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  })
  return [response.status, (await response.json()) as Record<string, unknown>]
}

async function waitingSamples(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(/^netsaat_ingest_waiting_samples (\d+)/m.exec(text)?.[1])
}

/** Completes what Citus left prepared, and finds none on any node after that. */
async function completePrepared(): Promise<number> {
  const [row] = (await servers[0]?.query<{ n: number }>('select recover_prepared_transactions() as n')) ?? []
  for (const server of servers)
    await waitFor(async () => {
      const [left] = await server.query<{ n: number }>(
        "select count(*)::int as n from pg_prepared_xacts where database = current_database() and gid like 'citus%'",
      )
      return left?.n === 0
    }, WAIT_MS)
  return row?.n ?? 0
}

/**
 * An answer during an outage is a success or "later"; nothing is refused as wrong and nothing is an error. To tenants
 * whose node is there no answer says that the database is not.
 */
const strangeAnswers = ({ site, load, transfers }: Under, isServed: boolean): string[] => [
  ...load.sent.flatMap(({ from, outcome }) =>
    outcome.kind === 'answered' &&
    (outcome.status === 201 ||
      (outcome.status === 503 && !(isServed && outcome.body.error_code === 'SERVICE_UNAVAILABLE')))
      ? []
      : [`${site.sends} ${site.worker} steps from ${from}: ${JSON.stringify(outcome)}`],
  ),
  ...transfers.sent.flatMap(({ number, status: code }) =>
    code === 201 || (code === 503 && !isServed) ? [] : [`${site.worker} transfer ${number}: ${code}`],
  ),
]

/** Ends the loads and compares all that was acknowledged with what is stored. */
async function endAndAudit(loads: readonly Under[], label: string, victim?: number): Promise<void> {
  const faults: string[] = []
  await Promise.all(loads.flatMap(({ load, transfers }) => [load.end(), transfers.end()]))
  for (const one of loads) {
    const { site, transfers } = one
    const { sent } = one.load
    site.sent.push(...sent)
    site.moved.push(...transfers.sent)
    faults.push(...strangeAnswers(one, victim !== undefined && site.worker !== victim))
    const found = await audit(site.target, sent)
    const again = await resend(site.target, sent)
    const complete = await audit(site.target, again.again)
    faults.push(...found.faults, ...again.faults, ...complete.faults)
    faults.push(...(await auditTransfers(site.transfers, site.moved)))
    console.info(
      `${label}: ${site.sends} on ${site.worker}: ${sent.filter(isAcknowledged).length} of ${sent.length} messages, ` +
        `${found.acknowledged} samples acknowledged, ${found.stored} stored; ` +
        `${transfers.accepted()} of ${transfers.sent.length} transfers; ${faults.length} faults`,
    )
  }
  expect(faults.slice(0, 20)).toEqual([])
}

describe.skipIf(!isPossible)(
  'a cluster of Citus under load (needs CITUS_NODES of three servers on this machine)',
  () => {
    beforeAll(async () => {
      database = await createDatabase()
      const name = new URL(database.url).pathname.slice(1)
      servers = await Promise.all(citusNodes.map((url) => findCitusServer(url, name)))
      folder = await makeDataFolder('citus-kill')
      service = await startService({
        env: {
          ...ADMIN,
          DATABASE_URL: database.url,
          DATA_DIR: folder,
          PORT: '0',
          MQTT_PORT: '0',
          LOG_LEVEL: 'warn',
          RATE_LIMIT_API_PER_SECOND: '0',
          RATE_LIMIT_LOGIN_PER_MINUTE: '0',
        },
      })
      const token = await logIn(service.url)
      sites = []
      for (const { port } of servers.slice(1))
        for (const sends of ['HTTP', 'MQTT'] as const) sites.push(await createSite(token, sends, port))
    }, WAIT_MS)
    afterAll(async () => {
      await service?.stop('SIGTERM')
      await database?.drop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    }, WAIT_MS)

    it(`goes on with the other tenants while a worker is killed, and loses nothing (${ROUNDS} rounds)`, {
      retry: 0,
      timeout: ROUNDS * 600_000,
    }, async () => {
      const seed = chooseSeed()
      const random = makeRandom(seed)
      for (let round = 0; round < ROUNDS; round++) {
        const victim = servers[1 + (round % (servers.length - 1))]
        if (!victim) throw new Error('there is no worker')
        const loads = startAll(random)
        await goOn(loads, random.between(5, 30), 2)
        await victim.kill()
        const others = loads.filter(({ site }) => site.worker !== victim.port)
        const own = loads.filter(({ site }) => site.worker === victim.port)
        try {
          await goOn(others, 30, 10)
          const note = expect.stringContaining(
            `the node 127.0.0.1:${victim.port} of the database cannot be reached`,
          )
          await expect
            .poll(() => status('/readiness'))
            .toEqual([200, expect.objectContaining({ notes: expect.arrayContaining([note]) })])
          for (const { site } of own) {
            const [code, body] = await status('/api/devices', site.target.token)
            expect([code, body['error_code']]).toEqual([503, 'SERVICE_UNAVAILABLE'])
          }
          for (const { site } of others)
            expect((await status('/api/devices', site.target.token))[0]).toBe(200)
          expect(await waitingSamples()).toBeLessThanOrEqual(INGEST_WAITING_SAMPLES_MAX)
        } finally {
          await victim.start()
        }
        await goOn(loads, 10, 3)
        console.info(
          `round ${round + 1}: ${await completePrepared()} prepared transactions completed, SEED=${seed}`,
        )
        await endAndAudit(loads, `worker ${victim.port}`, victim.port)
      }
      for (const { target, sent } of sites)
        expect(await auditEnergy(target, nextStep({ sent }) - 1)).toEqual([])
    })

    it(`serves again after the coordinator was killed, and loses nothing (${ROUNDS} rounds)`, {
      retry: 0,
      timeout: ROUNDS * 600_000,
    }, async () => {
      const seed = chooseSeed()
      const random = makeRandom(seed)
      const [coordinator] = servers
      for (let round = 0; round < ROUNDS; round++) {
        const loads = startAll(random)
        await goOn(loads, random.between(5, 30), 2)
        await coordinator?.kill()
        try {
          await waitFor(async () => (await status('/readiness'))[0] === 503)
          expect((await status('/health'))[0]).toBe(200)
          for (const { target } of sites) {
            // Reads of a tenant are executed by its node; writes need the coordinator.
            expect((await status('/api/devices', target.token))[0]).toBe(200)
            const [code, body] = await status('/api/devices', target.token, {
              ...{ name: 'meter', device_type: 'energy_analyzer', device_source: 'manual' },
            })
            expect([code, body['error_code']]).toEqual([503, 'SERVICE_UNAVAILABLE'])
          }
        } finally {
          await coordinator?.start()
        }
        await waitFor(async () => (await status('/readiness'))[0] === 200, WAIT_MS)
        await goOn(loads, 10, 3)
        console.info(
          `round ${round + 1}: ${await completePrepared()} prepared transactions completed, SEED=${seed}`,
        )
        await endAndAudit(loads, 'coordinator')
      }
    })
  },
)
