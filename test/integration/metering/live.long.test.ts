import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIVE_RECHECK_MS } from '../../../src/areas/metering/live/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  emitSamples,
  joinLive,
  type LiveClient,
  type LiveClientOptions,
  openLive,
  sampleNames,
} from '../../support/metering/live.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let meter: TestDevice
let other: TestDevice
let foreign: TestDevice
const clients: LiveClient[] = []

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  meter = await createDevice(api, ownTenant)
  other = await createDevice(api, ownTenant)
  foreign = await createDevice(api, otherTenant)
})
afterEach(async () => {
  api.clock.set(NOW)
  await Promise.all(clients.splice(0).map((client) => client.end()))
})
afterAll(() => api.close())

async function join(order: LiveClientOptions, base = api.url): Promise<LiveClient> {
  const client = await joinLive(base, { token: ownTenant.viewer.token, ...order })
  clients.push(client)
  return client
}
const emit = (device: TestDevice, at: number, values: Record<string, number>, tenant = ownTenant) =>
  emitSamples(api, tenant.id, [{ deviceId: device.id, at, values }])
const ofType = (wanted: string) => (message: { type: string }) => message.type === wanted
const stats = async (token: string, path = '/ws/stats') => (await api.call('GET', path, { token })).body

/** Waits until every earlier message has arrived: messages keep their order. */
async function settle(client: LiveClient): Promise<void> {
  const before = client.messages.filter(ofType('pong')).length
  client.send({ type: 'ping' })
  await expect
    .poll(() => client.messages.filter(ofType('pong')).length, { interval: 2 })
    .toBeGreaterThan(before)
}

describe('live samples', () => {
  it('arrive after they are stored, for subscribed devices only', async () => {
    const client = await join({ devices: [meter] })
    await postSamples(api, ownTenant, [
      sample(meter, NOW - 1_000, { active_power: 1.25, import_active_energy: 7, my_own: 3 }),
      sample(other, NOW - 1_000, { active_power: 2 }),
    ])
    expect(await client.find(ofType('sample'))).toEqual({
      type: 'sample',
      device_id: meter.id,
      timestamp: '2026-11-20T09:29:59.000Z',
      values: { active_power: 1.25, import_active_energy: 7, my_own: 3 },
    })
    await settle(client)
    expect(client.samples()).toHaveLength(1)
  })

  it('that were stored already or are quarantined are not sent', async () => {
    const client = await join({ devices: [meter] })
    await postSamples(api, ownTenant, [sample(meter, NOW - 1_000, { active_power: 1.25 })])
    await postSamples(api, ownTenant, [sample(meter, NOW + 3_600_000, { active_power: 1 })])
    await settle(client)
    expect(client.samples()).toEqual([])
  })

  it('are sent to every socket that subscribes to the device', async () => {
    const several = await Promise.all([join({ devices: [meter] }), join({ devices: [other, meter] })])
    emit(meter, NOW, { active_power: 1 })
    for (const client of several) await client.find(ofType('sample'))
  })
})

describe('messages of a live client', () => {
  it('subscribe and unsubscribe', async () => {
    const client = await join({})
    client.send({ type: 'subscribe', devices: [meter.id, foreign.id, 'x'] })
    expect(await client.find(ofType('subscribed'))).toEqual({
      type: 'subscribed',
      devices: [meter.id],
      refused: [foreign.id, 'x'],
    })
    emit(meter, NOW, { active_power: 1 })
    await client.find(ofType('sample'))
    client.send({ type: 'unsubscribe', devices: [meter.id, other.id] })
    expect(await client.find(ofType('unsubscribed'))).toEqual({ type: 'unsubscribed', devices: [meter.id] })
    emit(meter, NOW + 1, { active_power: 2 })
    await settle(client)
    expect(client.samples()).toHaveLength(1)
  })

  it('request a pong, as JSON or as the plain word', async () => {
    const client = await join({})
    client.send('ping')
    expect(await client.find(ofType('pong'))).toEqual({
      type: 'pong',
      server_time: '2026-11-20T09:30:00.000Z',
    })
    client.send({ type: 'pong' })
    await settle(client)
    expect(client.messages.filter(ofType('error'))).toEqual([])
  })

  it('that are invalid get one error each and do not affect other sockets', async () => {
    const client = await join({ devices: [meter] })
    for (const message of ['', '{', '[]', '{"type":"dance"}', '{"type":"subscribe","devices":5}'])
      client.send(message)
    client.socket.send(Buffer.from('{"type":"ping"}'), { binary: true })
    await settle(client)
    expect(client.messages.filter(ofType('error')).map(({ code }) => code)).toEqual([
      ...['not_json', 'not_json', 'not_json', 'unknown_type', 'invalid_message', 'not_json'],
    ])
    emit(meter, NOW, { active_power: 1 })
    await client.find(ofType('sample'))
  })

  it('for too many devices change nothing', async () => {
    const client = await join({ devices: [meter] })
    client.send({ type: 'subscribe', devices: Array.from({ length: 1_000 }, (_, index) => `${index}`) })
    expect(await client.find(ofType('error'))).toMatchObject({ code: 'too_many_devices' })
    emit(meter, NOW, { active_power: 1 })
    await client.find(ofType('sample'))
  })

  it('beyond the rate limit get one error, and the socket stays open', async () => {
    const client = await join({ devices: [meter] })
    for (let count = 0; count < 500; count++) client.send('{"type":"ping"}')
    await client.find(({ code }) => code === 'too_many_requests')
    emit(meter, NOW, { active_power: 1 })
    await client.find(ofType('sample'))
    await expect
      .poll(
        () => {
          client.send('{"type":"subscribe","devices":[]}')
          return client.messages.some(ofType('subscribed'))
        },
        { interval: 300 },
      )
      .toBe(true)
    expect(client.messages.filter(ofType('pong')).length).toBeLessThan(100)
  })

  it('that are too large close the socket with 1009', async () => {
    const client = await join({})
    client.send('x'.repeat(64 * 1024 + 1))
    expect(await client.closed()).toMatchObject({ code: 1009 })
  })
})

describe('ping of a live socket', () => {
  it('keeps a client that responds and closes one that does not', async () => {
    const alive = await join({ devices: [meter] })
    const dead = await join({ devices: [meter], options: { autoPong: false } })
    const pinged = Promise.all(
      [alive, dead].map(({ socket }) => new Promise((resolve) => socket.once('ping', resolve))),
    )
    api.clock.advance(30_000)
    await pinged
    await settle(alive)
    api.clock.advance(30_000)
    expect(await dead.closed()).toMatchObject({ code: 1006 })
    await settle(alive)
  })
})

describe('slow live client', () => {
  it('gets the newest value of every device and metric when it reads again, and the number missed', async () => {
    const slow = await join({ devices: [meter, other] })
    const quick = await join({ devices: [meter] })
    const filler = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`metric_${'x'.repeat(60)}_${index}`, 0.5]),
    )
    slow.socket.pause()
    const COUNT = 6_000
    for (let step = 0; step < COUNT; step++) {
      emit(meter, NOW + step, { ...filler, active_power: step })
      // Gives the fast client time to read.
      if (step % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    emit(other, NOW + 1, { voltage: 230 })
    emit(other, NOW + 2, { current: 5 })
    emit(other, NOW + 3, { voltage: 231 })
    const during = await stats(ownTenant.viewer.token)
    expect(during.connections[0]).toMatchObject({ user_id: ownTenant.viewer.id, devices: 2 })
    expect(during.connections[0].buffered_bytes).toBeGreaterThan(0)
    expect(during.connections[0].coalesced).toBeGreaterThan(1_000)
    slow.socket.resume()
    await slow.find(({ device_id, values }) => device_id === other.id && values.voltage === 231)
    await settle(slow)
    await settle(quick)
    expect(quick.samples()).toHaveLength(COUNT)
    const ofMeter = slow.samples().filter(({ device_id }) => device_id === meter.id)
    expect(ofMeter.at(-1).values.active_power).toBe(COUNT - 1)
    expect(ofMeter.at(-1).skipped).toBe(COUNT - ofMeter.length)
    expect(slow.samples().filter(({ device_id }) => device_id === other.id)).toMatchObject([
      { timestamp: new Date(NOW + 2).toISOString(), values: { current: 5 }, skipped: 1 },
      { timestamp: new Date(NOW + 3).toISOString(), values: { voltage: 231 } },
    ])
    const after = await stats(ownTenant.viewer.token)
    const [first] = after.connections
    expect(first.dropped).toBe(COUNT + 3 - slow.samples().length)
    expect(first.sent).toBe(slow.samples().length)
    expect(after.dropped).toBeGreaterThanOrEqual(first.dropped)
    emit(meter, NOW + COUNT, { active_power: -1 })
    expect(await slow.find(({ values }) => values?.active_power === -1)).not.toHaveProperty('skipped')
  })
})

describe('GET /ws/stats', () => {
  it('shows a tenant its own sockets, and a superuser all of them', async () => {
    await join({ devices: [meter, other] })
    await join({ devices: [meter] })
    const mine = await stats(ownTenant.viewer.token)
    expect(mine).toMatchObject({ scope: 'tenant', sockets: 2, subscriptions: 3, devices: 2 })
    expect(mine.connections).toHaveLength(2)
    expect(mine.processes).toMatchObject([{ is_self: true, sockets: 2 }])
    const strange = await stats(otherTenant.viewer.token)
    expect(strange).toMatchObject({ scope: 'tenant', sockets: 0, subscriptions: 0, sent: 0, connections: [] })
    const all = await stats(otherTenant.superuser.token)
    expect(all).toMatchObject({ scope: 'all', sockets: 2, subscriptions: 3 })
  })

  it('counts rejected sockets', async () => {
    const before = await stats(ownTenant.superuser.token)
    const mine = await stats(ownTenant.viewer.token)
    await openLive(api.url, { token: 'x' }).closed()
    await openLive(api.url, { token: ownTenant.viewer.token, devices: [foreign] }).closed()
    expect((await stats(ownTenant.superuser.token)).rejected).toBe(before.rejected + 2)
    expect((await stats(ownTenant.viewer.token)).rejected).toBe(mine.rejected + 1)
  })

  it('requires a token', async () => {
    expect((await api.call('GET', '/ws/stats')).status).toBe(401)
  })
})

describe('live values across processes', () => {
  let left: SecondProcess
  let right: SecondProcess
  beforeAll(async () => {
    left = await startSecondProcess(api, { mqttUrl: 'mqtt://broker.invalid' })
    right = await startSecondProcess(api, { mqttUrl: 'mqtt://broker.invalid' })
  })
  afterAll(async () => {
    await left.close()
    await right.close()
  })

  it('are delivered once, whichever process stored them', async () => {
    const here = await join({ devices: [meter] }, left.url)
    const there = await join({ devices: [meter] }, right.url)
    for (let step = 0; step < 20; step++) {
      const writer = step % 2 === 0 ? left : right
      await writer.deps.ingest.submit(ownTenant.id, [
        { deviceId: meter.id, at: NOW - 60_000 + step, values: { voltage: step } },
      ])
    }
    const arrived = (client: LiveClient) => client.samples().map(({ values }) => values.voltage)
    for (const client of [here, there]) {
      await expect.poll(() => arrived(client).length, { interval: 5 }).toBe(20)
      await settle(client)
      expect(arrived(client).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, index) => index),
      )
    }
  })

  it('ignore malformed and foreign messages on the broker', async () => {
    const client = await join({ devices: [meter] }, left.url)
    const topic = `netsaat/live/${ownTenant.uid}`
    for (const payload of [
      '',
      '{',
      'null',
      '{"s":5}',
      '{"p":"x","s":[1,[],[5,6,7]]}',
      `{"p":"x","s":[["${meter.id}",1,{"a":"b"}]]}`,
    ]) {
      await api.deps.broker.publish(topic, payload, { qos: 0 })
    }
    await api.deps.broker.publish(
      topic,
      `{"p":"x","s":[["${meter.id}",1,{"a":1}],["${foreign.id}",1,{"a":2}]]}`,
      { qos: 0 },
    )
    await client.find(ofType('sample'))
    await settle(client)
    expect(client.samples().map(({ values }) => values)).toEqual([{ a: 1 }])
  })

  it('include the socket counts of every process', async () => {
    await join({ devices: [meter] }, left.url)
    const late = await startSecondProcess(api, { mqttUrl: 'mqtt://broker.invalid' })
    const headers = { authorization: `Bearer ${ownTenant.viewer.token}` }
    const ask = async () => (await fetch(`${late.url}/ws/stats`, { headers })).json()
    await expect.poll(ask).toMatchObject({ sockets: 1, subscriptions: 1, processes: { length: 3 } })
    await late.close()
  })
})

describe('stop of a process', () => {
  it('closes its sockets with 1012, and a client resumes with since', async () => {
    const first = await startSecondProcess(api)
    const device = await createDevice(api, ownTenant)
    const client = await join({ devices: [device] }, first.url)
    await first.deps.ingest.submit(ownTenant.id, [
      { deviceId: device.id, at: NOW - 5_000, values: { voltage: 1 } },
    ])
    const { timestamp } = await client.find(ofType('sample'))
    await first.close()
    expect(await client.closed()).toEqual({ code: 1012, reason: 'Service restart' })
    await postSamples(api, ownTenant, [sample(device, NOW - 4_000, { voltage: 2 })])
    const again = await join({ devices: [device], since: timestamp })
    await again.find(ofType('gap_filled'))
    await postSamples(api, ownTenant, [sample(device, NOW - 3_000, { voltage: 3 })])
    await again.find(({ values }) => values?.voltage === 3)
    expect(sampleNames(again.samples())).toEqual(
      [5_000, 4_000, 3_000].map((ago) => `${device.id} ${new Date(NOW - ago).toISOString()}`),
    )
  })
  it('does not wait for sockets that do not respond', async () => {
    const first = await startSecondProcess(api)
    const client = await join({ devices: [other] }, first.url)
    client.socket.pause()
    await first.close()
    client.socket.resume()
    await client.closed()
  })
  it('accepts sockets while the stop is only announced, and closes them with 1012 at its end', async () => {
    const first = await startSecondProcess(api)
    first.deps.readiness.stop()
    const client = await joinLive(first.url, { token: ownTenant.viewer.token })
    const [{ code }] = await Promise.all([client.closed(), first.close()])
    expect(code).toBe(1012)
  })
  it('a process without the role realtime accepts no sockets', async () => {
    const first = await startSecondProcess(api, { roles: ['api'] })
    const reply = await fetch(`${first.url}/ws/stats`, {
      headers: { authorization: `Bearer ${ownTenant.viewer.token}` },
    })
    expect(reply.status).toBe(404)
    const status = await new Promise((resolve) => {
      const client = openLive(first.url, { token: ownTenant.viewer.token })
      client.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    })
    expect(status).toBe(404)
    await first.close()
  })
})

it('the sockets of a deactivated tenant are closed within LIVE_RECHECK_MS', async () => {
  const [tenant, bystander] = [await createTenant(api), await createTenant(api)]
  const [closing, open] = [tenant, bystander].map(({ viewer }) => join({ token: viewer.token }))
  const [closed, kept] = [await closing, await open]
  const { status } = await api.call('PATCH', `/api/v1/admin/tenants/${tenant.uid}`, {
    token: bystander.superuser.token,
    body: { is_active: false },
  })
  expect(status).toBe(200)
  api.clock.advance(LIVE_RECHECK_MS)
  expect((await closed?.closed())?.code).toBe(4001)
  if (kept) await settle(kept)
})
