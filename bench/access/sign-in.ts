/**
 * Logins of different users, as many as the service answers, while another client sends GET requests at a fixed rate;
 * and 500 stations with chosen passwords that reconnect at once after a restart of the service, in whose process no
 * password has been checked yet. The aims are limits, so each ratio is the measurement against its limit.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, startService } from '../../test/support/process/service.ts'
import type { BareHashes } from '../support/bare-hashes.ts'
import { createChargers, createChargersWithChosen } from '../support/chargers.ts'
import { sized } from '../support/effort.ts'
import type { HttpLoad, HttpLoadResult } from '../support/http-load.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import type { BenchStation } from '../support/station-link.ts'
import type { Entered, StationsTask } from '../support/stations.ts'
import { type Bench, type BenchOptions, type Figure, median } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

const USERS = 50
/** Logins at the same time. */
const CLIENTS = 6
const SECONDS = sized(10, 3)
const ROUNDS = sized(3, 1)
const DEVICES = 200
const PATH = '/api/devices?limit=50'
const CALLS_PER_SECOND = 50
const CONNECTIONS = 5
const PASSWORD = 'a password of a user 1'
const STATIONS = 500
const LOGINS_PER_SECOND_MIN = 10
const API_P99_MAX_MS = 50
const RECONNECT_MAX_MS = 30_000

/** Users of the bench tenant with one password; checking it costs the same for each. */
async function createUsers({ deps, tenant }: BenchService): Promise<readonly string[]> {
  const { kysely } = deps.database
  const password_hash = await deps.passwords.hash(PASSWORD)
  const emails = Array.from({ length: USERS }, () => `bench-${randomBytes(4).toString('hex')}@example.test`)
  const users = await kysely
    .insertInto('app_user')
    .values(emails.map((email) => ({ tenant_id: tenant.id, email, password_hash })))
    .returning(['id', 'email'])
    .execute()
  await kysely
    .insertInto('login_email')
    .values(users.map(({ id, email }) => ({ tenant_id: tenant.id, user_id: id, email })))
    .execute()
  return emails
}

/** Logins per second over the given time. */
async function logIn(url: string, emails: readonly string[], seconds: number): Promise<number> {
  const begun = performance.now()
  let count = 0
  const client = async () => {
    while (performance.now() - begun < seconds * 1000) {
      const body = JSON.stringify({ email: emails[count % emails.length], password: PASSWORD })
      count += 1
      const response = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      if (response.status !== 200) throw new Error(`a login was answered with ${response.status}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (count / (performance.now() - begun)) * 1000
}

const load = () => `load ${loadavg()[0]?.toFixed(0)}`

async function measureLogins(service: BenchService, program: RunningService): Promise<Figure[]> {
  const emails = await createUsers(service)
  await createDevices(service, DEVICES)
  const bare = startWorker('./bare-hashes.ts')
  const http = startWorker('./http-load.ts')
  const call = (seconds: number) =>
    http.ask<HttpLoadResult>({
      ...{ url: program.url + PATH, token: service.tenant.viewer.token, seconds },
      ...{ connections: CONNECTIONS, perSecond: CALLS_PER_SECOND },
    } satisfies HttpLoad)
  const rounds: { bare: number; logins: number; quietP99: number; p99: number }[] = []
  try {
    await Promise.all([logIn(program.url, emails, 1), call(2)])
    for (let round = 0; round < ROUNDS; round++) {
      const hashes = await bare.ask<number>({ seconds: SECONDS / 2 } satisfies BareHashes)
      const quiet = await call(SECONDS / 2)
      const [logins, meanwhile] = await Promise.all([logIn(program.url, emails, SECONDS), call(SECONDS)])
      if (quiet.failed + meanwhile.failed > 0) throw new Error('calls have failed')
      rounds.push({ bare: hashes, logins, quietP99: quiet.p99Ms, p99: meanwhile.p99Ms })
    }
  } finally {
    await Promise.all([bare.end(), http.end()])
  }
  const of = (key: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[key]))
  return [
    {
      name: `sign-in, logins per second, limit ${LOGINS_PER_SECOND_MIN} (only hashes, in the same threads)`,
      measured: `${of('logins').toFixed(1)}/s (${load()})`,
      against: `${of('bare').toFixed(1)}/s`,
      ratio: of('logins') / LOGINS_PER_SECOND_MIN,
      aim: '>= 1',
    },
    {
      name: `sign-in, p99 of ${CALLS_PER_SECOND} API calls per second meanwhile, limit ${API_P99_MAX_MS} ms (without logins)`,
      measured: `${of('p99')} ms (${load()})`,
      against: `${of('quietP99')} ms`,
      ratio: of('p99') / API_P99_MAX_MS,
      aim: '<= 1',
    },
  ]
}

/** Milliseconds until all stations are connected to a process that has not seen them before. */
async function reconnect(
  fleet: string,
  stations: readonly BenchStation[],
  start: () => Promise<RunningService>,
): Promise<Entered> {
  const program = await start()
  const clients = startWorker('./stations.ts')
  try {
    const port = Number(new URL(program.url).port)
    return await clients.ask<Entered>({ kind: 'open', fleet, port, stations } satisfies StationsTask)
  } finally {
    await clients.end()
    await program.stop()
  }
}

interface Starts {
  readonly start: () => Promise<RunningService>
  readonly startWithOtherKey: () => Promise<RunningService>
}

async function measureStations(
  service: BenchService,
  { start, startWithOtherKey }: Starts,
  { isLarge }: BenchOptions,
): Promise<Figure[]> {
  const generated = await reconnect('generated', await createChargers(service, STATIONS), start)
  const stations = await createChargersWithChosen(service, STATIONS)
  const figure = (when: string, { tookMs, refused }: Entered): Figure => ({
    name: `sign-in, ${STATIONS} stations with chosen passwords reconnect after ${when}, limit 30 s (generated passwords)`,
    measured: `${(tookMs / 1000).toFixed(1)} s, rejected ${JSON.stringify(refused)} (${load()})`,
    against: `${(generated.tookMs / 1000).toFixed(1)} s`,
    ratio: tookMs / RECONNECT_MAX_MS,
    aim: when === 'a restart' ? '<= 1' : '',
  })
  const figures = [figure('a restart', await reconnect('chosen', stations, start))]
  if (isLarge)
    figures.push(figure('a change of SECRET_KEY', await reconnect('changed', stations, startWithOtherKey)))
  return figures
}

async function measure(options: BenchOptions): Promise<Figure[]> {
  const service = await openService(Date.now())
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  const startWith = (secretKey: string) => () =>
    startService({
      env: {
        DATABASE_URL: service.databaseUrl,
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        MQTT_PORT: '0',
        SECRET_KEY: secretKey,
        RATE_LIMIT_LOGIN_PER_MINUTE: '0',
        RATE_LIMIT_API_PER_SECOND: '0',
        LOG_LEVEL: 'warn',
      },
    })
  const start = startWith(service.deps.config.secretKey)
  try {
    const program = await start()
    const logins = await measureLogins(service, program).finally(() => program.stop())
    const startWithOtherKey = startWith(randomBytes(32).toString('hex'))
    return [...logins, ...(await measureStations(service, { start, startWithOtherKey }, options))]
  } finally {
    await rm(folder, { recursive: true, force: true })
    await service.stop()
  }
}

export const signInBench: Bench = { name: 'sign-in', run: measure }
