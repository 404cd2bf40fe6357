import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let gateway: TestGateway

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  gateway = await createGateway(api, ownTenant, 'roof')
  await createDevice(api, ownTenant, { name: 'known', gatewayId: gateway.id })
})
afterAll(() => api.close())

const call = (method: string, path: string, token = ownTenant.admin.token) =>
  api.call(method, `/api/gateways/dead-letters${path}`, { token })
const point = (ts: number) => ({ ts, v: { voltage: 230 } })
const at = () => api.clock.now()

interface DeadLetter {
  id: string
  reason: string
  detail: string
  topic: string
}
const deadLetters = async (query = ''): Promise<DeadLetter[]> =>
  (await call('GET', `?limit=200${query}`)).body.items

it('keeps an unusable message as a dead letter with its reason and processes the next messages', async () => {
  const client = await connectGateway(api.mqttPort, gateway)
  const poison: [topic: string, payload: string | Buffer, reason: string][] = [
    ['telemetry', 'no json', 'not_json'],
    ['telemetry', Buffer.from([0xff, 0x00, 0xfe]), 'not_json'],
    ['telemetry', '{}', 'wrong_shape'],
    ['telemetry', '{"seq":-1,"devices":{}}', 'wrong_shape'],
    ['telemetry', telemetry('known', [{ ts: 'yesterday', v: { voltage: 1 } }]), 'bad_time'],
    ['telemetry', telemetry('known', [{ ts: at(), v: { voltage: 1 }, q: 'bad' }]), 'bad_quality'],
    ['telemetry', telemetry('known', [{ ts: at(), v: { voltage: 1e200 } }]), 'bad_value'],
    ['telemetry', telemetry('nobody', [point(at())]), 'unknown_device'],
    ['status', '{"online":"perhaps"}', 'wrong_shape'],
    ['what/is/this', 'x', 'unknown_topic'],
  ]
  // Each message is acknowledged, so that a gateway that waits for the PUBACK is not blocked.
  for (const [topic, payload] of poison) await client.publishAsync(topic, payload, { qos: 1 })
  await client.publishAsync('telemetry', telemetry('known', [point(at())]), { qos: 1 })
  const stored = await deadLetters()
  expect(stored.map(({ reason }) => reason).toSorted()).toEqual(
    poison.map(([, , reason]) => reason).toSorted(),
  )
  const [unknown] = await deadLetters('&reason=unknown_device')
  expect(unknown).toMatchObject({ topic: 'telemetry', detail: expect.stringContaining('nobody') })
  expect(await deadLetters(`&gateway_id=${gateway.id}`)).toHaveLength(poison.length)
  expect((await call('GET', '', otherTenant.admin.token)).body.items).toEqual([])
  const { body } = await call('GET', `/${unknown?.id}`)
  expect(Buffer.from(body.payload_base64, 'base64').toString()).toBe(telemetry('nobody', [point(at())]))
  expect((await call('GET', `/${unknown?.id}`, otherTenant.admin.token)).status).toBe(404)
  await client.endAsync()
})

it('stores a number that is sent as text under a canonical name and keeps other texts as dead letters', async () => {
  const own = await createGateway(api, ownTenant, 'texts')
  const device = await createDevice(api, ownTenant, { name: 'texts', gatewayId: own.id })
  const client = await connectGateway(api.mqttPort, own)
  const ts = at() - 60_000
  // The second message of each shape would be taken by the fast path if a shape had been learned from the first.
  for (const [index, active_power] of ['12.5', '-3', '12,5', 'n/a'].entries()) {
    const points = [{ ts: ts + index, v: { active_power } }]
    await client.publishAsync('telemetry', telemetry('texts', points), { qos: 1 })
  }
  const range = 'from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z'
  const samples = await api.call('GET', `/api/measurements/devices/${device}/samples?${range}`, {
    token: ownTenant.admin.token,
  })
  expect(samples.body.map(({ values }: { values: object }) => values)).toEqual([
    { active_power: 12.5 },
    { active_power: -3 },
  ])
  const details = (await deadLetters('&reason=bad_value')).map(({ detail }) => detail)
  expect(details).toContainEqual(expect.stringContaining('"12,5"'))
  expect(details).toContainEqual(expect.stringContaining('"n/a"'))
  await client.endAsync()
})

it('stores the usable part of a message and keeps the rest as a dead letter', async () => {
  const client = await connectGateway(api.mqttPort, gateway)
  const ts = at() + 1000
  const devices = { known: [point(ts)], stranger: [point(ts)] }
  await client.publishAsync('telemetry', JSON.stringify({ devices }), { qos: 1 })
  const { samples } = await api.deps.database.kysely
    .selectFrom('measurement')
    .select((eb) => eb.fn.countAll().as('samples'))
    .where('tenant_id', '=', ownTenant.id)
    .where('ts', '=', new Date(ts))
    .executeTakeFirstOrThrow()
  expect(Number(samples)).toBe(1)
  const details = (await deadLetters('&reason=unknown_device')).map(({ detail }) => detail)
  expect(details).toContainEqual(expect.stringContaining('stranger'))
  await client.endAsync()
})

it('retries a dead letter after its cause is fixed, singly and by filter', async () => {
  const [waiting] = (await deadLetters('&reason=unknown_device')).filter(({ detail }) =>
    detail.includes('nobody'),
  )
  const failedRetry = await call('POST', `/${waiting?.id}/retry`)
  expect(failedRetry.body).toMatchObject({ used: false, reason: 'unknown_device' })
  expect((await call('GET', `/${waiting?.id}`)).body.attempts).toBe(1)
  const device = await createDevice(api, ownTenant, { name: 'nobody', gatewayId: gateway.id })
  await createDevice(api, ownTenant, { name: 'stranger', gatewayId: gateway.id })
  api.deps.bus.emit('gateways_changed', { tenantId: ownTenant.id, gatewayId: gateway.id })
  expect((await call('POST', `/${waiting?.id}/retry`)).body).toEqual({
    used: true,
    reason: null,
    detail: null,
  })
  expect((await call('GET', `/${waiting?.id}`)).status).toBe(404)
  const stored = await api.call('GET', `/api/measurements/devices/${device}/samples`, {
    token: ownTenant.viewer.token,
  })
  expect(stored.body).toHaveLength(1)
  expect((await call('POST', '/retry?reason=unknown_device')).body).toEqual({ used: 1, left: 0 })
  expect(await deadLetters('&reason=unknown_device')).toEqual([])
})

it('allows the deletion of a dead letter only with the permission to manage gateways', async () => {
  const [deadLetter] = await deadLetters('&reason=not_json')
  expect((await call('DELETE', `/${deadLetter?.id}`, ownTenant.viewer.token)).status).toBe(403)
  expect((await call('DELETE', `/${deadLetter?.id}`)).status).toBe(204)
  expect((await call('DELETE', `/${deadLetter?.id}`)).status).toBe(404)
})

it('drops the oldest dead letter of a full list and counts it', async () => {
  const { trimDeadLetters: trimLetters } = await import(
    '../../../src/areas/equipment/gateway-link/dead-letter-store.ts'
  )
  const before = await deadLetters()
  const limits = { count: before.length - 1, bytes: 1e9, since: new Date(0) }
  const dropped = await api.deps.database.kysely
    .transaction()
    .execute((db) => trimLetters({ db, tenantId: ownTenant.id }, limits))
  expect(dropped).toBe(1)
  const { body } = await call('GET', '?limit=200')
  expect(body).toMatchObject({ dropped: 1, total: before.length - 1 })
  expect(body.items.map(({ id }: DeadLetter) => id)).toEqual(before.slice(0, -1).map(({ id }) => id))
})
