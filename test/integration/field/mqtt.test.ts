import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  nextMessage,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let gateway: TestGateway
let otherGateway: TestGateway
let device: string

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  gateway = await createGateway(api, ownTenant, 'roof')
  otherGateway = await createGateway(api, otherTenant, 'roof')
  const metadata = { external_id: 'M-1', ieee_address: '0x00158d' }
  device = await createDevice(api, ownTenant, { name: 'meter 1', gatewayId: gateway.id, metadata })
})
afterAll(() => api.close())

const now = () => api.clock.now()
const connect = (login: TestGateway = gateway, options = {}) => connectGateway(api.mqttPort, login, options)
const get = (path: string, tenant = ownTenant) => api.call('GET', path, { token: tenant.admin.token })
const act = (method: string, path: string, tenant = ownTenant) =>
  api.call(method, path, { token: tenant.admin.token })

async function samplesOf(id: string): Promise<{ timestamp: string; values: Record<string, number> }[]> {
  const query = 'from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z&limit=2000'
  return (await get(`/api/measurements/devices/${id}/samples?${query}`)).body
}

describe('a gateway on the embedded broker', () => {
  it('stores what it acknowledges, under any name of the device, with or without its root', async () => {
    const client = await connect()
    const v = { active_power: 12.3, import_energy: 1234.5 }
    const names = ['meter 1', 'M-1', '0x00158d', device]
    for (const [index, name] of names.entries()) {
      const topic = index % 2 === 0 ? 'telemetry' : `${gateway.root}telemetry`
      await client.publishAsync(topic, telemetry(name, [{ ts: now() + index, v }]), { qos: 1 })
    }
    const ts = new Date(now() + 10).toISOString()
    await client.publishAsync('telemetry', telemetry(device, [{ ts, v, q: 'good' }]), { qos: 1 })
    const stored = { active_power: 12.3, import_active_energy: 1234.5 }
    expect((await samplesOf(device)).map(({ values }) => values)).toEqual(Array(5).fill(stored))
    await client.endAsync()
  })

  it('changes nothing when a batch is sent again', async () => {
    const client = await connect()
    const batch = telemetry('meter 1', [{ ts: now() - 5000, v: { voltage: 231 } }], { seq: 900 })
    await client.publishAsync('telemetry', batch, { qos: 1 })
    const before = await samplesOf(device)
    await client.publishAsync('telemetry', batch, { qos: 1 })
    await client.publishAsync('telemetry', batch, { qos: 2 })
    expect(await samplesOf(device)).toEqual(before)
    await client.endAsync()
  })

  it('quarantines samples of a clock that was never set, and lists them', async () => {
    const client = await connect()
    const future = { ts: now() + 3_600_000, v: { voltage: 230 } }
    const epoch = { ts: 1000, v: { voltage: 230 } }
    await client.publishAsync('telemetry', telemetry('meter 1', [future, epoch]), { qos: 1 })
    const { body } = await get('/api/measurements/set-aside')
    expect(body.items.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
      'epoch_timestamp',
      'future_timestamp',
    ])
    await client.endAsync()
  })
})

describe('credentials of a gateway', () => {
  it('are accepted as id or client_id with the secret, or as the secret alone', async () => {
    await api.call('PUT', `/api/gateways/${gateway.id}`, {
      token: ownTenant.admin.token,
      body: { client_id: 'DVES_1' },
    })
    const logins = [
      gateway,
      { username: 'DVES_1', password: gateway.password },
      { username: gateway.password },
    ]
    for (const login of logins) await (await connectGateway(api.mqttPort, login)).endAsync()
  })

  it('are rejected with the same response whatever is wrong with them', async () => {
    const wrong = [
      { username: gateway.id, password: otherGateway.password },
      {
        username: gateway.id,
        password: gateway.password.slice(0, -1) + (gateway.password.endsWith('_') ? '-' : '_'),
      },
      { username: otherGateway.id, password: gateway.password },
      { username: 'nobody', password: 'nothing' },
      { username: gateway.id },
      {},
    ]
    for (const login of wrong) {
      await expect(connectGateway(api.mqttPort, login)).rejects.toThrow('Bad username or password')
    }
  })

  it('end with their rotation and revocation, including live sessions', async () => {
    const own = await createGateway(api, ownTenant, 'rotated')
    const path = `/api/gateways/${own.id}/credentials`
    const first = await connect(own)
    const firstClosed = new Promise((resolve) => void first.once('close', () => resolve('closed')))
    const { body } = await act('POST', path)
    expect(await firstClosed).toBe('closed')
    await expect(connect(own)).rejects.toThrow()
    const second = await connect({ ...own, password: body.password })
    const secondClosed = new Promise((resolve) => void second.once('close', () => resolve('closed')))
    expect((await act('DELETE', path)).status).toBe(204)
    expect(await secondClosed).toBe('closed')
    await expect(connect({ ...own, password: body.password })).rejects.toThrow()
    const response = await api.call('POST', path, { token: ownTenant.operator.token })
    expect(response.status).toBe(403)
  })

  it('are not issued to a Modbus gateway', async () => {
    const body = { name: 'bus', gateway_type: 'modbus' }
    const { body: bus } = await api.call('POST', '/api/gateways', { token: ownTenant.admin.token, body })
    expect((await act('POST', `/api/gateways/${bus.id}/credentials`)).status).toBe(422)
  })

  it('keep the newest session of a client id, and other gateways may use the same client id', async () => {
    const first = await connect(gateway, { clientId: 'same' })
    const other = await connect(otherGateway, { clientId: 'same' })
    const closed = new Promise((resolve) => void first.once('close', () => resolve('closed')))
    const second = await connect(gateway, { clientId: 'same' })
    expect(await closed).toBe('closed')
    expect(other.connected).toBe(true)
    await Promise.all([second.endAsync(), other.endAsync()])
  })
})

describe('topic tree of a gateway', () => {
  it('is the only part it can read and write', async () => {
    const own = await connect()
    const foreign = await connect(otherGateway)
    const received: string[] = []
    foreign.on('message', (topic) => void received.push(topic))
    const granted = await foreign.subscribeAsync(['#', `${gateway.root}#`, '+/+/+/+/+'], { qos: 1 })
    expect(granted.map(({ qos }) => qos)).toEqual([1, 1, 1])
    await own.publishAsync('cmd/1/result', 'x', { qos: 1 })
    await own.publishAsync(`${otherGateway.root}cmd/1/result`, 'x', { qos: 1 })
    await foreign.publishAsync('cmd/2/result', 'y', { qos: 1 })
    await api.deps.broker.publish(`${otherGateway.root}cmd/3`, 'z')
    await nextMessage(foreign, (topic) => topic === 'cmd/3')
    expect(received).toEqual(['cmd/2/result', 'cmd/3'])
    await Promise.all([own.endAsync(), foreign.endAsync()])
  })

  it('delivers topics as they were subscribed to, with retained ones, until unsubscribed', async () => {
    const { broker } = api.deps
    await broker.publish(`${gateway.root}config/desired`, 'v1', { retain: true })
    const client = await connect()
    const received: string[] = []
    client.on('message', (topic) => void received.push(topic))
    await client.subscribeAsync('config/#', { qos: 1 })
    await client.subscribeAsync(`${gateway.root}cmd/#`, { qos: 1 })
    await expect.poll(() => received).toEqual(['config/desired'])
    await broker.publish(`${gateway.root}cmd/7`, 'go')
    await expect.poll(() => received.slice(1)).toEqual([`${gateway.root}cmd/7`])
    await client.unsubscribeAsync('config/#')
    await broker.publish(`${gateway.root}config/desired`, 'v2', { retain: true })
    await broker.publish(`${gateway.root}cmd/8`, 'go')
    await expect.poll(() => received.slice(2)).toEqual([`${gateway.root}cmd/8`])
    await client.endAsync()
  })

  it('has no topics that begin with $', async () => {
    const client = await connect()
    const refused = await client
      .subscribeAsync(['$SYS/#', '$share/g/telemetry'], { qos: 1 })
      .catch((error: { packet?: unknown }) => error)
    expect(JSON.stringify(refused)).toContain('128')
    const closed = new Promise((resolve) => void client.once('close', () => resolve('closed')))
    client.publish('$SYS/x', 'y', { qos: 1 }, () => {})
    expect(await closed).toBe('closed')
  })

  it('receives the will, which marks the gateway as offline', async () => {
    const own = await createGateway(api, ownTenant, 'with a will')
    const isOnline = async () => (await get(`/api/gateways/${own.id}`)).body.is_online
    const will = { topic: 'status', payload: Buffer.from('offline'), qos: 1 as const, retain: true }
    const client = await connect(own, { will })
    await client.publishAsync('status', '{"online":true,"firmware_version":"2.1"}', { qos: 1, retain: true })
    expect(await isOnline()).toBe(true)
    expect((await get(`/api/gateways/${own.id}`)).body.firmware_version).toBe('2.1')
    client.stream.destroy()
    await expect.poll(isOnline).toBe(false)
  })
})

describe('numbered messages', () => {
  it('are acknowledged with the number stored, and their gaps are reported', async () => {
    const own = await createGateway(api, ownTenant, `numbered ${randomUUID()}`)
    await createDevice(api, ownTenant, { name: 'n', gatewayId: own.id })
    const client = await connect(own)
    await client.subscribeAsync('ack', { qos: 1 })
    const send = (seq: number) => {
      const sent = { seq, sent_at: now() + 500 + seq * 1000 }
      const point = { ts: now() + seq, v: { voltage: 230 } }
      return client.publishAsync('telemetry', telemetry('n', [point], sent), { qos: 1 })
    }
    const response = async (seq: number) => {
      const message = nextMessage(client)
      await send(seq)
      return JSON.parse(String((await message).payload))
    }
    expect(await response(1)).toEqual({ seq: 1, from: 1 })
    expect(await response(2)).toEqual({ seq: 2, from: 1 })
    expect(await response(6)).toEqual({ seq: 6, from: 1, missing: [[3, 5]] })
    expect(await response(4)).toEqual({
      seq: 6,
      from: 1,
      missing: [
        [3, 3],
        [5, 5],
      ],
    })
    const gaps = () => get(`/api/gateways/${own.id}/sequence-gaps`)
    await expect
      .poll(async () => (await gaps()).body)
      .toMatchObject({
        first_seq: 1,
        last_seq: 6,
        missing: 2,
        gaps: [
          { from_seq: 3, to_seq: 3 },
          { from_seq: 5, to_seq: 5 },
        ],
      })
    const hello = nextMessage(client)
    await client.publishAsync('hello', '', { qos: 1 })
    expect(JSON.parse(String((await hello).payload)).seq).toBe(6)
    await expect
      .poll(async () => (await get(`/api/gateways/${own.id}`)).body.clock_skew_ms)
      .toBeGreaterThan(1000)
    await client.endAsync()
  })

  it('are not listed for a gateway that never numbered messages', async () => {
    const { body } = await get(`/api/gateways/${otherGateway.id}/sequence-gaps`, otherTenant)
    expect(body).toMatchObject({ last_seq: null, missing: 0, gaps: [] })
  })
})
