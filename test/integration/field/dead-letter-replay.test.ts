import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replayOnSchedule } from '../../../src/areas/equipment/gateway-link/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let api: TestApi
let tenant: TestTenant
let templateId: string

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
  const protocols = { name: 'meter', protocols: ['mqtt'], device_type: 'energy_analyzer' }
  const template = await api.call('POST', '/api/devices/device-templates', {
    token: tenant.admin.token,
    body: protocols,
  })
  templateId = template.body.id
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, body })

const lettersOf = async ({ id }: TestGateway): Promise<{ detail: string; attempts: number }[]> =>
  (await call('GET', `/api/gateways/dead-letters?limit=200&gateway_id=${id}`)).body.items

const samplesOf = async (deviceId: string): Promise<{ timestamp: string; values: object }[]> =>
  (
    await call(
      'GET',
      `/api/measurements/devices/${deviceId}/samples?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z`,
    )
  ).body

/** A gateway with one device, so that the gateway itself is not the only sender of its messages. */
async function makeGateway(name: string): Promise<TestGateway> {
  const gateway = await createGateway(api, tenant, name)
  await createDevice(api, tenant, { name: `${name} meter`, gatewayId: gateway.id })
  return gateway
}

const create = async (gateway: TestGateway, name: string): Promise<string> => {
  const response = await call('POST', '/api/devices', {
    name,
    device_type: 'energy_analyzer',
    mqtt_gateway_id: gateway.id,
    template_id: templateId,
  })
  expect(response.status).toBe(201)
  return response.body.id
}

async function publish(gateway: TestGateway, messages: readonly string[]): Promise<void> {
  const client = await connectGateway(api.mqttPort, gateway)
  for (const message of messages) await client.publishAsync('telemetry', message, { qos: 1 })
  await client.endAsync()
}

/** Runs the scheduled job; its last slot is that many milliseconds ago. */
const runJob = (lastSlotAgo = 0) =>
  replayOnSchedule(api.deps, {
    after: api.clock.now() - lastSlotAgo,
    signal: new AbortController().signal,
  })
const soon = { timeout: 60_000 }

it('stores the dead letters of an unknown device with their own times when the device is created', async () => {
  const gateway = await makeGateway('roof')
  const from = api.clock.now() - HOUR_MS
  const readings = [0, 1, 2].map((index) => ({ ts: from + index * 60_000, v: { voltage: 230 + index } }))
  await publish(gateway, [
    ...readings.map((reading) => telemetry('late', [reading])),
    telemetry('stranger', [{ v: { voltage: 1 } }]),
    // Without a time of its own: the time of receipt counts.
    telemetry('late', [{ v: { voltage: 240 } }]),
  ])
  expect(await lettersOf(gateway)).toHaveLength(5)
  const receivedAt = api.clock.now()
  const device = await create(gateway, 'late')
  await expect.poll(() => lettersOf(gateway), soon).toHaveLength(1)
  expect(await samplesOf(device)).toMatchObject(
    [...readings, { ts: receivedAt, v: { voltage: 240 } }].map(({ ts, v }) => ({
      timestamp: new Date(ts).toISOString(),
      values: v,
    })),
  )
  // The dead letters of other names were not tried again.
  expect(await lettersOf(gateway)).toMatchObject([
    { attempts: 0, detail: expect.stringContaining('stranger') },
  ])
})

it('keeps a dead letter that names another unknown device until that device appears too', async () => {
  const gateway = await makeGateway('wall')
  const reading = [{ ts: api.clock.now() - HOUR_MS, v: { voltage: 230 } }]
  await publish(gateway, [JSON.stringify({ devices: { one: reading, two: reading } })])
  const one = await create(gateway, 'one')
  await expect.poll(() => samplesOf(one), soon).toHaveLength(1)
  await expect.poll(() => lettersOf(gateway), soon).toMatchObject([{ attempts: 1 }])
  const [left] = await lettersOf(gateway)
  expect(left?.detail).toContain('two')
  expect(left?.detail).not.toContain('one')
  const two = await create(gateway, 'two')
  await expect.poll(() => lettersOf(gateway), soon).toEqual([])
  expect([await samplesOf(one), await samplesOf(two)]).toMatchObject([[{}], [{}]])
})

it('stores the dead letters of a device that is renamed to the unknown name', async () => {
  const gateway = await makeGateway('garage')
  const device = await create(gateway, 'wrong name')
  await publish(gateway, [telemetry('right name', [{ v: { voltage: 230 } }])])
  expect(await lettersOf(gateway)).toHaveLength(1)
  await call('PUT', `/api/devices/${device}`, { name: 'right name' })
  await expect.poll(() => lettersOf(gateway), soon).toEqual([])
  expect(await samplesOf(device)).toHaveLength(1)
})

it('replays what a stopped process left by a job, up to an age of seven days', async () => {
  const gateway = await makeGateway('hall')
  const now = api.clock.now()
  const old = now - 8 * DAY_MS
  api.clock.set(old)
  await publish(gateway, [telemetry('of the job', [{ v: { voltage: 229 } }])])
  api.clock.set(now)
  await publish(gateway, [telemetry('of the job', [{ v: { voltage: 230 } }])])
  // As after a kill: the device is committed, and nothing was replayed.
  const device = await createDevice(api, tenant, { name: 'of the job', gatewayId: gateway.id })
  await api.deps.database.kysely
    .updateTable('device')
    .set({ named_at: sql<Date>`now() - interval '1 hour'` })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', device)
    .execute()
  await runJob()
  expect(await samplesOf(device)).toEqual([])
  await runJob(HOUR_MS)
  expect(await samplesOf(device)).toMatchObject([{ values: { voltage: 230 } }])
  // A dead letter that is older than seven days stays, for a manual retry.
  expect(await lettersOf(gateway)).toMatchObject([{ received_at: new Date(old).toISOString(), attempts: 0 }])
})
