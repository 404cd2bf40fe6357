import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startZigbeeListener } from '../../../src/areas/equipment/zigbee/index.ts'
import type { BrokerHooks } from '../../../src/platform/mqtt/broker-hooks.ts'
import { makeEmbeddedBroker } from '../../../src/platform/mqtt/embedded-broker.ts'
import {
  MQTT_SESSIONS_PER_GATEWAY_MAX,
  MQTT_SUBSCRIPTIONS_PER_SESSION_MAX,
} from '../../../src/platform/mqtt/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let ownTenant: TestTenant
let gateway: TestGateway

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  ownTenant = await createTenant(api)
  gateway = await createGateway(api, ownTenant, 'roof')
  await createDevice(api, ownTenant, { name: 'meter 1', gatewayId: gateway.id })
})
afterAll(() => api.close())

const now = () => api.clock.now()
const get = (path: string) => api.call('GET', path, { token: ownTenant.admin.token })
const connect = (login: TestGateway = gateway, options = {}) => connectGateway(api.mqttPort, login, options)
const publish = async (payload: string, login = gateway): Promise<void> => {
  const client = await connect(login)
  await client.publishAsync('telemetry', payload, { qos: 1 })
  await client.endAsync()
}
const letterOf = async (): Promise<string> => {
  const { body } = await get('/api/gateways/dead-letters?sort_by=received_at&sort_order=desc&limit=1')
  const [deadLetter] = body.items
  if (deadLetter)
    await api.call('DELETE', `/api/gateways/dead-letters/${deadLetter.id}`, { token: ownTenant.admin.token })
  return deadLetter?.reason ?? 'none'
}

const MOUNT = { tenantId: 1, tenantUid: 'tenant', gatewayId: 'gateway' }

/** A broker without any other component. */
async function serveBroker(login: BrokerHooks['login']) {
  const broker = await makeEmbeddedBroker({ warn() {}, info() {}, debug() {} })
  const nothing = { present() {}, keepRetained: async () => {}, readRetained: async () => [] }
  await broker.serve({ login, take: () => undefined, ...nothing })
  return { broker, port: await broker.listen({ host: '127.0.0.1', port: 0 }) }
}

describe('hostile messages of a gateway', () => {
  it.each([1e300, -1e300, 8_640_000_000_000_001, 253_402_300_800_000, -62_167_219_200_001])(
    'become dead letters for a timestamp outside of the range, and the quarantine list stays readable: %d',
    async (ts) => {
      await publish(telemetry('meter 1', [{ ts, v: { voltage: 230 } }]))
      expect(await letterOf()).toBe('bad_time')
      expect((await get('/api/measurements/set-aside')).status).toBe(200)
    },
  )

  it('become dead letters in every dialect for such a timestamp', async () => {
    const client = await connect()
    const body = { ts: 8_640_000_000_000_001, values: { voltage: 230 } }
    await client.publishAsync('v1/devices/me/telemetry', JSON.stringify(body), { qos: 1 })
    await client.endAsync()
    expect(await letterOf()).toBe('bad_time')
  })

  it.each([String.raw`a\u0000b`, String.raw`a\ud800`, '__proto__'])(
    'with names that cannot be stored become dead letters: %s',
    async (name) => {
      await publish(`{"devices":{"meter 1":[{"ts":${now()},"v":{"${name}":1}}]}}`)
      expect(await letterOf()).toBe('bad_value')
    },
  )

  it('with deeply nested values in place of a string do not break the decoder', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    await publish(`{"devices":{"meter 1":[{"v":{"voltage":1},"q":${deep}}]}}`)
    expect(await letterOf()).toBe('bad_quality')
  })

  it('with a deeply nested Zigbee description still report the devices', async () => {
    const { token } = ownTenant.admin
    const listener = startZigbeeListener(api.deps)
    const claim = await api.call('POST', '/api/v1/zigbee/claims/generate', {
      token,
      body: { gateway_name: 'bridge' },
    })
    const redeemed = await api.call('POST', '/api/v1/zigbee/claims/redeem', {
      body: { code: claim.body.code },
    })
    const { gateway_id: id, mqtt } = redeemed.body
    const client = await connect({ id, root: mqtt.topic_root, ...mqtt })
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const plug = `"ieee_address":"0x00124b0000000001","friendly_name":"plug","supported":true`
    const payload = `[{${plug},"definition":{"vendor":"v","model":"m","exposes":${deep}}}]`
    await client.publishAsync('zigbee2mqtt/bridge/devices', payload, { qos: 1 })
    await waitFor(async () => (await get(`/api/v1/zigbee/gateways/${id}/devices`)).body.total === 1)
    await client.endAsync()
    await listener.stop()
  })

  it('with unwritable sequence numbers do not block the numbers of other gateways', async () => {
    const other = await createGateway(api, ownTenant, 'cellar')
    await createDevice(api, ownTenant, { name: 'meter 2', gatewayId: other.id })
    const gaps = async (id: string) => (await get(`/api/gateways/${id}/sequence-gaps`)).body.last_seq
    const numbered = (seq: number, device: string, sentAt?: unknown) =>
      telemetry(device, [{ ts: now() + seq, v: { voltage: 230 } }], { seq, sent_at: sentAt })
    await publish(numbered(1, 'meter 1', 1e300))
    await waitFor(async () => (await gaps(gateway.id)) === 1)
    await api.deps.database.kysely
      .updateTable('gateway_sequence')
      // Not a list of ranges.
      .set({ received: '7' as never })
      .where('gateway_id', '=', gateway.id)
      .execute()
    await publish(numbered(2, 'meter 1'))
    await publish(numbered(5, 'meter 2'), other)
    await waitFor(async () => (await gaps(other.id)) === 5)
  })
})

describe('sessions of a gateway', () => {
  it('end when the gateway is deleted', async () => {
    const passing = await createGateway(api, ownTenant, 'passing')
    const client = await connect(passing)
    const closed = new Promise<void>((resolve) => void client.once('close', () => resolve()))
    await api.call('DELETE', `/api/gateways/${passing.id}`, { token: ownTenant.admin.token })
    await closed
    await expect(connect(passing)).rejects.toThrow(/refused/)
  })

  it('are limited in number, with any client ids and many concurrent connects', async () => {
    const busy = await createGateway(api, ownTenant, 'busy')
    const names = Array.from(
      { length: MQTT_SESSIONS_PER_GATEWAY_MAX + 5 },
      (_, index) => `${'a/'.repeat(index)}a`,
    )
    const clients = await Promise.allSettled(names.map((clientId) => connect(busy, { clientId })))
    const open = clients.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []))
    expect(open).toHaveLength(MQTT_SESSIONS_PER_GATEWAY_MAX)
    await Promise.all(open.map((client) => client.endAsync()))
  })

  it('are limited in subscriptions, and the excess subscriptions are rejected', async () => {
    const client = await connect()
    const responses: number[] = []
    client.on('packetreceive', (packet) => {
      if (packet.cmd === 'suback') responses.push(...packet.granted.map(Number))
    })
    const filters = Array.from(
      { length: MQTT_SUBSCRIPTIONS_PER_SESSION_MAX + 50 },
      (_, index) => `f/${index}`,
    )
    await client.subscribeAsync([...filters.slice(0, -1), 'x'.repeat(501)]).catch(() => {})
    expect(responses.filter((qos) => qos < 128)).toHaveLength(MQTT_SUBSCRIPTIONS_PER_SESSION_MAX)
    await client.unsubscribeAsync(filters.slice(0, 10))
    await client.subscribeAsync('later')
    expect(responses.at(-1)).toBe(0)
    await client.endAsync()
  })

  it('end when they do not read what they have subscribed to, before it fills the memory', async () => {
    const { broker, port } = await serveBroker(async () => MOUNT)
    const lazy = await connectGateway(port, { username: 'a', password: 'b' })
    await lazy.subscribeAsync('#', { qos: 1 })
    lazy.stream.pause()
    const sender = await connectGateway(port, { username: 'a', password: 'b' })
    const payload = Buffer.alloc(500_000)
    for (let sent = 0; sent < 60; sent++) await sender.publishAsync('config/x', payload, { qos: 1 })
    expect(broker.stats().sessions).toBe(1)
    lazy.end(true)
    await sender.endAsync()
    await broker.close()
  })

  it('do not start when the credentials are revoked during the check', async () => {
    let requestCount = 0
    const { broker, port } = await serveBroker(async () => {
      requestCount += 1
      // The first response was created before the credentials were revoked.
      if (requestCount === 1) broker.disconnect(MOUNT.gatewayId)
      return MOUNT
    })
    await expect(connectGateway(port, { username: 'a', password: 'b' })).rejects.toThrow(/refused/)
    const client = await connectGateway(port, { username: 'a', password: 'b' })
    await client.endAsync()
    await broker.close()
  })
})
