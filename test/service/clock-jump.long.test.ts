import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/postgres.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { connectStation, type TestStation } from '../support/field/ocpp.ts'
import { makeDataFolder } from '../support/folder.ts'
import { audit } from '../support/metering/sample-audit.ts'
import { isAcknowledged, type SentBatch, send, type Target } from '../support/metering/sample-load.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, createDevices, logIn } from '../support/process/killed-service.ts'
import { hasFaketime, type MovedClock, makeMovedClock } from '../support/process/moved-clock.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE = 60_000
const WAIT_MS = 240_000
/** Jobs of every minute: two slots, the heartbeat that detects the jump, and a restart of the runner. */
const JOBS_WAIT_MS = 5 * MINUTE
const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }

let folder: string
let clock: MovedClock
let server: { readonly url: string; readonly ownerUrl: string; stop(): Promise<void> }
let database: pg.Pool
let service: RunningService
let target: Target
let station: TestStation
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const sent: SentBatch[] = []
let step = 0

describe.skipIf(!hasFaketime)('service whose clock jumps (needs libfaketime)', () => {
  beforeAll(async () => {
    folder = await makeDataFolder('clock-jump')
    clock = await makeMovedClock(folder)
    server = await startMovedServer()
    database = new pg.Pool({ connectionString: server.url, max: 1 })
    service = await startService({
      env: {
        ...ADMIN,
        ...clock.env,
        DATA_DIR: folder,
        DATABASE_URL: server.url,
        DATABASE_OWNER_URL: server.ownerUrl,
        PORT: '0',
        LOG_LEVEL: 'warn',
      },
    })
    const token = await logIn(service.url)
    target = { url: service.url, token, deviceIds: await createDevices(service.url, token) }
    const charger = await call('POST', '/ocpp/chargers', { cpid: 'CP-1' })
    station = await connectStation(service, charger)
    await station.call('BootNotification', BOOT)
  }, WAIT_MS)
  afterAll(async () => {
    await station?.end()
    await service?.stop()
    await database?.end()
    await server?.stop()
    agent.destroy()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  })

  it(
    'forward by three hours and back by one loses no sample, repeats no job, and stops nothing',
    async () => {
      await waitFor(jobsHaveRun, JOBS_WAIT_MS)
      await everythingWorks()
      await clock.moveTo(3)
      expect(await databaseTime()).toBeGreaterThan(Date.now() + 2 * 60 * MINUTE)
      await afterJump()
      const ahead = clock.now()
      await clock.moveTo(2)
      const back = clock.now()
      await afterJump()
      expect((await audit(target, sent)).faults).toEqual([])
      // The hour that passes twice may have slots that were done when the clock was ahead.
      const { rows } = await database.query(
        'select name, slot, attempts from job_run where attempts > 1 and slot not between $1 and $2',
        [new Date(back - MINUTE), new Date(ahead + MINUTE)],
      )
      expect(rows).toEqual([])
    },
    4 * JOBS_WAIT_MS,
  )
})

/** A server of its own, so that the clock of the database jumps as well. */
async function startMovedServer() {
  const path = process.env['PATH']
  process.env['PATH'] = clock.path
  try {
    return await startEmbeddedPostgres({ dataDir: folder, log: makeLog('error'), createDb: true })
  } finally {
    process.env['PATH'] = path
  }
}

const call = (method: string, path: string, body?: object) =>
  callService(method, `${service.url}/api${path}`, target.token, body)

async function databaseTime(): Promise<number> {
  const { rows } = await database.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now.getTime() ?? 0
}

async function post(): Promise<boolean> {
  const batch = { from: step, count: 20 }
  step += batch.count
  const result = { ...batch, outcome: await send(target, batch, agent) }
  sent.push(result)
  return isAcknowledged(result)
}

/** Every job of every minute has completed a slot of the present time. */
async function jobsHaveRun(): Promise<boolean> {
  const response = await fetch(`${service.url}/readiness`)
  const { jobs } = (await response.json()) as { jobs: { name: string; last_slot: string | null }[] }
  const minutely = jobs.find(({ name }) => name === 'evaluate-alarms')
  if (!minutely) throw new Error(`the jobs are ${jobs.map(({ name }) => name).join(', ')}`)
  const age = clock.now() - Date.parse(minutely.last_slot ?? '1970-01-01T00:00:00Z')
  return response.status === 200 && Math.abs(age) < 2 * MINUTE
}

/** Samples, the live socket of a station and an export, under the present clock. */
async function everythingWorks(): Promise<void> {
  for (let round = 0; round < 5; round += 1) expect(await post()).toBe(true)
  const { currentTime } = await station.call('Heartbeat')
  expect(Math.abs(Date.parse(currentTime) - clock.now())).toBeLessThan(MINUTE)
  const { export_id: id } = await call('POST', '/measurements/export', {
    device_ids: target.deviceIds.slice(0, 1),
    start: new Date(clock.now() - 72 * 60 * MINUTE).toISOString(),
    interval: 'raw',
    format: 'csv',
    async: true,
  })
  await waitFor(async () => {
    const { status, error } = await call('GET', `/measurements/exports/${id}`)
    if (status === 'failed') throw new Error(error)
    return status === 'completed'
  })
}

/** Samples arrive during the jump; then the user logs in again where the token has expired. */
async function afterJump(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await post()
  target = { ...target, token: await logIn(service.url) }
  await everythingWorks()
  expect(station.client.state).toBe(1)
  const jumpedAt = clock.now()
  await waitFor(async () => {
    expect(await post()).toBe(true)
    const { rows } = await database.query<{ slot: Date }>(
      "select slot from job_run where name = 'evaluate-alarms' and outcome <> 'failed' and slot between $1 and $2",
      [new Date(jumpedAt), new Date(jumpedAt + JOBS_WAIT_MS)],
    )
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return rows.length > 0
  }, JOBS_WAIT_MS)
  await waitFor(jobsHaveRun, JOBS_WAIT_MS)
}
