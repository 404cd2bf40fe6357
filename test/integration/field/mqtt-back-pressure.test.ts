import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EmbeddedBroker } from '../../../src/platform/mqtt/broker-hooks.ts'
import { MQTT_WINDOW_BYTES } from '../../../src/platform/mqtt/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createDevice, createGateway, type TestGateway } from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const CLIENTS = 3
const MESSAGES = 200
/** So large that the messages of one client exceed its window. */
const PADDING = 'x'.repeat(20_000)

let api: TestApi
let tenant: TestTenant
let gateway: TestGateway
let blocker: pg.Client

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
  gateway = await createGateway(api, tenant, 'roof')
  for (let index = 0; index < CLIENTS; index++) {
    await createDevice(api, tenant, { name: `meter ${index}`, gatewayId: gateway.id })
  }
  const { connectionString } = api.deps.database.pool.options
  blocker = new pg.Client({ connectionString })
  await blocker.connect()
})
afterAll(async () => {
  await blocker.end()
  await api.close()
})

const count = async (): Promise<number> => {
  const { stored } = await api.deps.database.kysely
    .selectFrom('measurement')
    .select((eb) => eb.fn.countAll().as('stored'))
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  return Number(stored)
}

it('stops reading and acknowledges and drops nothing when nothing can be stored', async () => {
  const broker = api.deps.broker as EmbeddedBroker
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => connectGateway(api.mqttPort, gateway, { keepalive: 5 })),
  )
  await blocker.query('begin; lock table measurement in access exclusive mode')
  let acknowledged = 0
  const sent = clients.flatMap((client, index) =>
    Array.from({ length: MESSAGES }, async (_, step) => {
      const points = [{ ts: api.clock.now() + step, v: { voltage: 230 } }]
      const message = JSON.stringify({ devices: { [`meter ${index}`]: points }, note: PADDING })
      await client.publishAsync('telemetry', message, { qos: 1 })
      acknowledged += 1
    }),
  )
  await expect.poll(() => broker.stats().heldUp).toBe(CLIENTS)
  // One window for each client, and the chunk that was read last from each socket.
  const bytesMax = CLIENTS * (MQTT_WINDOW_BYTES + 128 * 1024)
  expect(broker.stats().inFlightBytes).toBeLessThan(bytesMax)
  expect(CLIENTS * MESSAGES * PADDING.length).toBeGreaterThan(2 * bytesMax)
  expect(acknowledged).toBe(0)
  await blocker.query('rollback')
  await Promise.all(sent)
  expect(acknowledged).toBe(CLIENTS * MESSAGES)
  expect(await count()).toBe(CLIENTS * MESSAGES)
  expect(broker.stats()).toMatchObject({ inFlightBytes: 0, heldUp: 0 })
  expect(clients.every((client) => client.connected)).toBe(true)
  await Promise.all(clients.map((client) => client.endAsync()))
})

it('buffers at most one window of a sender that sends packet by packet, and answers its pings', async () => {
  const broker = api.deps.broker as EmbeddedBroker
  const client = await connectGateway(api.mqttPort, gateway, { keepalive: 1 })
  const before = await count()
  await blocker.query('begin; lock table measurement in access exclusive mode')
  const sent = Array.from({ length: 20 }, (_, step) => {
    const points = [{ ts: api.clock.now() - 1000 - step, v: { voltage: 230 } }]
    return client.publishAsync('telemetry', JSON.stringify({ devices: { 'meter 0': points } }), { qos: 1 })
  })
  const pong = new Promise((resolve) => {
    client.on('packetreceive', ({ cmd }) => cmd === 'pingresp' && resolve('pong'))
  })
  expect(await pong).toBe('pong')
  expect(broker.stats().heldUp).toBe(0)
  await blocker.query('rollback')
  await Promise.all(sent)
  expect(await count()).toBe(before + 20)
  await client.endAsync()
})

it('rejects a packet that is too large without buffering it', async () => {
  const client = await connectGateway(api.mqttPort, gateway)
  const closed = new Promise((resolve) => void client.once('close', () => resolve('closed')))
  client.publish('telemetry', Buffer.alloc(2 * 1024 * 1024), { qos: 1 }, () => {})
  expect(await closed).toBe('closed')
})
