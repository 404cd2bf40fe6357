import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLoadGateway, type LoadGateway } from '../support/field/mqtt-load.ts'
import type { TestCharger } from '../support/field/ocpp.ts'
import type { Json } from '../support/json.ts'
import { audit, auditEnergy } from '../support/metering/sample-audit.ts'
import type { Target } from '../support/metering/sample-load.ts'
import { callService } from '../support/process/call.ts'
import { createDevices, logIn } from '../support/process/killed-service.ts'
import { hasHaproxy, type Proxied, startProxied } from '../support/process/proxied.ts'
import {
  askAgain,
  charge,
  counted,
  create,
  makeCourse,
  makeSteps,
  publish,
  read,
  watch,
  write,
} from '../support/process/proxy-clients.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 240_000
const PAUSE_MS = 300
const PAGE = 2000
/** 16 samples are fewer bytes than a buffer of HAProxy has, 200 are more. */
const [SMALL, LARGE] = [2, 25] as const
/** A job that is retried, unlike those of every minute, whose next slot includes the work of a lost one. */
const JOB = 'roll-up-hours'

const course = makeCourse()
let proxied: Proxied
let target: Target
let gateway: LoadGateway
let charger: TestCharger
let database: pg.Client

const call = (method: string, path: string, body?: object): Promise<Json> =>
  callService(method, target.url + path, target.token, body)

/** Ends a process; its role is served by the other one meanwhile. */
async function end(name: string, signal: NodeJS.Signals): Promise<void> {
  course.phase = `${name} ${signal}`
  const code = await proxied.stop(name, signal)
  if (signal === 'SIGTERM') expect([name, code]).toEqual([name, 0])
}

async function start(name: string): Promise<void> {
  await proxied.start(name)
  course.phase = 'undisturbed'
  await sleep(PAUSE_MS)
}

/** Every writer of the hours waits, so that a roll-up lasts until the returned function is called. */
async function delayRollUps(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: proxied.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table measurement_hour in share mode')
  return () => client.end()
}

/** Lets the job be due as the timetable would, whose next slot does not replace this one. Returns its slot. */
async function addJob(): Promise<Date> {
  const slot = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  const payload = JSON.stringify({ _cron: { ts: slot.toISOString() } })
  await database.query('select graphile_worker.add_job($1, $2::json, queue_name => $1, max_attempts => 5)', [
    JOB,
    payload,
  ])
  return slot
}

async function isRollUpWaiting(): Promise<boolean> {
  const { rows } = await database.query(
    "select 1 from pg_locks where relation = 'measurement_hour'::regclass and not granted",
  )
  return rows.length > 0
}

async function jobResult(slot: Date): Promise<Json> {
  const { rows } = await database.query(
    'select outcome, attempts from job_run where name = $1 and slot = $2',
    [JOB, slot],
  )
  return rows[0]
}

async function storedSamples(deviceId: string): Promise<readonly Json[]> {
  const stored: Json[] = []
  for (let from = '2020-01-01T00:00:00.000Z'; ; ) {
    const query = `from=${from}&to=2100-01-01T00:00:00.000Z&limit=${PAGE}`
    const page: readonly Json[] = await call('GET', `/api/measurements/devices/${deviceId}/samples?${query}`)
    stored.push(...page)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return stored
    from = new Date(Date.parse(last.timestamp) + 1).toISOString()
  }
}

async function organizationNames(): Promise<string[]> {
  const names: string[] = []
  for (let offset = 0; ; offset += 100) {
    const page: readonly Json[] = await call(
      'GET',
      `/api/mahsuplasma/organizations?search=supplier%20&limit=100&offset=${offset}`,
    )
    names.push(...page.map(({ name }) => String(name)))
    if (page.length < 100) return names
  }
}

/** The phases in which something was counted, except those that name a process of the given roles. */
const phasesBeyond = (name: string, allowed: string): string[] =>
  [...course.counts].flatMap(([counted, byPhase]) =>
    counted.startsWith(name) ? [...byPhase.keys()].filter((phase) => !phase.startsWith(allowed)) : [],
  )

/** Only a request that is larger than the buffer of the proxy has to be repeated by its client, after a kill. */
async function expectRequestsAnswered(created: readonly string[]): Promise<void> {
  const names = ['reads', 'writes', 'creations', 'reads through nginx', 'writes through nginx']
  for (const name of names) expect([name, counted(course, `${name} without an answer`)]).toEqual([name, 0])
  expect(phasesBeyond('large writes without an answer', 'api2 SIGKILL')).toEqual([])
  expect(phasesBeyond('creations with an unknown outcome', 'api2 SIGKILL')).toEqual([])
  const existing = await organizationNames()
  expect(new Set(existing).size).toBe(existing.length)
  expect(created.filter((name) => !existing.includes(name))).toEqual([])
}

/** Every acknowledged sample is stored, once; what a live socket has not shown, it shows when it is asked again. */
async function expectLiveValues(
  acknowledged: readonly string[],
  { startedAt, seen }: { readonly startedAt: string; readonly seen: ReadonlySet<string> },
): Promise<void> {
  const samples = await storedSamples(gateway.presentId)
  const stored = samples.map(({ timestamp }) => new Date(timestamp).toISOString())
  expect(new Set(stored).size).toBe(stored.length)
  expect(acknowledged.filter((at) => !stored.includes(at))).toEqual([])
  const missed = stored.filter((at) => !seen.has(at))
  console.info(`${missed.length} of ${stored.length} live samples were not shown until they were asked for`)
  const again = await askAgain(target, gateway.presentId, startedAt)
  expect(missed.filter((at) => !again.has(at))).toEqual([])
  expect(phasesBeyond('MQTT connections ended', 'ingest')).toEqual([])
  expect(phasesBeyond('live sockets', 'realtime')).toEqual([])
}

/** The session has its end and every register on the way, 1 Wh after the other. */
async function expectSession(register: number): Promise<void> {
  const { items } = await call('GET', '/api/ocpp/sessions')
  expect(items).toMatchObject([{ meter_start_wh: 0, meter_stop_wh: register }])
  const stored = (await storedSamples(charger.device_id)).map(({ values }) =>
    Math.round(1000 * values.import_active_energy),
  )
  const expected = Array.from({ length: register }, (_, index) => index + 1)
  expect(expected.filter((one) => !stored.includes(one))).toEqual([])
  expect(phasesBeyond('OCPP connections', 'ocpp')).toEqual([])
}

describe.skipIf(!hasHaproxy)(
  'two processes of each role behind HAProxy (needs haproxy; nginx if present)',
  () => {
    beforeAll(async () => {
      proxied = await startProxied()
      const token = await logIn(proxied.url)
      target = { url: proxied.url, token, deviceIds: await createDevices(proxied.url, token) }
      gateway = await createLoadGateway({ target })
      await call('POST', '/api/ocpp/id-tags', { tag: 'PROXY' })
      charger = await call('POST', '/api/ocpp/chargers', { cpid: 'CP-PROXY' })
      database = new pg.Client({ connectionString: proxied.databaseUrl })
      await database.connect()
    }, 600_000)
    afterAll(async () => {
      await database?.end()
      await proxied?.end()
    }, 120_000)

    it('lose no request to a stop, and nothing acknowledged to a kill', {
      retry: 0,
      timeout: 900_000,
    }, async () => {
      const steps = makeSteps()
      const startedAt = new Date().toISOString()
      const watching = watch(course, target, gateway.presentId)
      const throughNginx = proxied.nginxUrl === undefined ? undefined : { ...target, url: proxied.nginxUrl }
      const writing = Promise.all([
        write(course, target, { name: 'writes', steps, stepsOfBatch: SMALL }),
        write(course, target, { name: 'large writes', steps, stepsOfBatch: LARGE, pauseMs: 2 * PAUSE_MS }),
        throughNginx &&
          write(course, throughNginx, {
            name: 'writes through nginx',
            steps,
            stepsOfBatch: LARGE,
            pauseMs: 2 * PAUSE_MS,
          }),
      ])
      const clients = Promise.all([
        create(course, target),
        publish(course, proxied.mqttPort, gateway),
        charge(course, target, charger),
        read(course, target, 'reads'),
        throughNginx && read(course, throughNginx, 'reads through nginx'),
      ])
      writing.catch(() => {})
      clients.catch(() => {})
      const names = ['reads', 'writes', 'large writes', 'creations', 'MQTT messages', 'OCPP messages']
      await waitFor(() => names.every((name) => counted(course, name) > 3) && watching.seen.size > 3, WAIT_MS)

      // A job begins while jobs2 is alone, which is killed and stays away until the other one has done the job.
      await end('jobs1', 'SIGTERM')
      const release = await delayRollUps()
      const slot = await addJob()
      await waitFor(isRollUpWaiting, WAIT_MS)
      await start('jobs1')
      await end('jobs2', 'SIGKILL')
      await release()

      for (const role of ['api', 'realtime', 'ocpp']) {
        await end(`${role}1`, 'SIGTERM')
        await start(`${role}1`)
        await end(`${role}2`, 'SIGKILL')
        await start(`${role}2`)
      }
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const name = await proxied.servingGateways()
        await end(name, signal)
        await start(name)
      }
      await waitFor(async () => (await jobResult(slot)) !== undefined, WAIT_MS)
      await start('jobs2')
      // Live values go on after the last kill. Single ones may be missing, and are asked for again below.
      const shown = watching.seen.size
      await waitFor(() => watching.seen.size > shown + 3, WAIT_MS)

      course.isOver = true
      const sent = (await writing).flatMap((batches) => batches ?? [])
      const [created, acknowledged, register] = await clients
      await watching.end()
      for (const [name, byPhase] of [...course.counts].toSorted())
        console.info(`${name}: ${[...byPhase].map(([phase, times]) => `${times} ${phase}`).join(', ')}`)

      await expectRequestsAnswered(created)
      expect((await audit(target, sent)).faults).toEqual([])
      await expectLiveValues(acknowledged, { startedAt, seen: watching.seen })
      await expectSession(register)
      // The job was done once, by the process that was left; every hour has the energy of its samples.
      expect(await jobResult(slot)).toEqual({ outcome: 'done', attempts: 1 })
      const lastStep = Math.max(...sent.map(({ from, count }) => from + count)) - 1
      expect(await auditEnergy(target, lastStep)).toEqual([])
    })
  },
)
