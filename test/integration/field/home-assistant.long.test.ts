import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveGateways } from '../../../src/field/mqtt/embedded-source.ts'
import { startIntake } from '../../../src/field/mqtt/intake.ts'
import { HOME_ASSISTANT_DEVICES_MAX } from '../../../src/field/mqtt/limits.ts'
import { makeEmbeddedBroker } from '../../../src/platform/mqtt/embedded-broker.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createGateway } from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ mqtt: true })
})
afterAll(() => api.close())

async function createDevice(tenant: TestTenant, name: string): Promise<string> {
  const body = { name, device_type: 'energy_analyzer' }
  return (await api.call('POST', '/api/devices', { token: tenant.admin.token, body })).body.id
}
/** Devices `meter 0` and so on, in this order, each with a sample of three metrics; returns their number. */
async function createDevices(tenant: TestTenant, count: number): Promise<number> {
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into device (tenant_id, name, device_type, device_source, created_at)
     select $1, 'meter ' || n, 'energy_analyzer', 'manual', $3::timestamptz + n * interval '1 second'
     from generate_series(0, $2::int - 1) n returning id`,
    [tenant.id, count, '2026-01-01T00:00:00Z'],
  )
  const values = { active_power: 1, voltage_l1: 230, import_active_energy: 5 }
  const samples = rows.map(({ id }) => ({ deviceId: id, at: api.clock.now(), values }))
  await api.deps.ingest.submit(tenant.id, samples)
  return count
}
const rename = (tenant: TestTenant, id: string, name: string) =>
  api.call('PUT', `/api/devices/${id}`, {
    token: tenant.admin.token,
    body: { name, device_type: 'energy_analyzer' },
  })
async function createHomeAssistant(tenant: TestTenant, name = 'home') {
  const { token } = tenant.admin
  const body = { name, gateway_type: 'home_assistant' }
  const created = await api.call('POST', '/api/gateways', { token, body })
  expect(created.status, created.text).toBe(201)
  const issued = await api.call('POST', `/api/gateways/${created.body.id}/credentials`, { token })
  expect(issued.status, issued.text).toBe(201)
  return issued.body
}
async function send(tenant: TestTenant, deviceId: string, values: object, ageS = 0) {
  const timestamp = new Date(api.clock.now() - ageS * 1000).toISOString()
  const body = { samples: [{ device_id: deviceId, timestamp, values }] }
  const sent = await api.call('POST', '/api/measurements', { token: tenant.operator.token, body })
  expect(sent.status, sent.text).toBe(201)
}

/** Subscribes as Home Assistant does; returns the retained and later messages by topic. */
async function listen(client: MqttClient): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  client.on('message', (topic, payload) => messages.set(topic, String(payload)))
  const filters = ['homeassistant/+/+/config', 'homeassistant/+/+/+/config', 'netsaat/+/state']
  await client.subscribeAsync(filters, { qos: 1 })
  return messages
}
const json = (messages: Map<string, string>, topic: string) => JSON.parse(messages.get(topic) ?? 'null')
const config = (device: string, metric: string) => `homeassistant/sensor/netsaat_${device}/${metric}/config`

it('Home Assistant finds the devices of its tenant with units, classes and values', async () => {
  const tenant = await createTenant(api)
  const other = await createTenant(api)
  const meter = await createDevice(tenant, 'Roof')
  await createDevice(tenant, 'without values')
  const foreign = await createDevice(other, 'foreign')
  await send(tenant, meter, { import_active_energy: 1234.567891, active_power: 3 }, 60)
  await send(tenant, meter, { active_power: 4.25, voltage_l1: 229.5 })
  await send(other, foreign, { active_power: 1 })
  const client = await connectGateway(api.mqttPort, await createHomeAssistant(tenant))
  const messages = await listen(client)
  await waitFor(() => messages.size >= 4)
  expect(json(messages, config(meter, 'import_active_energy'))).toEqual({
    name: 'Import active energy',
    unique_id: `netsaat_${meter}_import_active_energy`,
    device_class: 'energy',
    unit_of_measurement: 'kWh',
    state_class: 'total_increasing',
    state_topic: `netsaat/${meter}/state`,
    value_template: '{{ value_json.import_active_energy }}',
    availability_topic: `netsaat/${meter}/state`,
    availability_template: '{{ value_json.availability }}',
    device: { identifiers: [`netsaat_${meter}`], name: 'Roof', manufacturer: 'Netsaat' },
    origin: { name: 'Netsaat' },
  })
  const voltage = { name: 'Voltage L1', device_class: 'voltage', unit_of_measurement: 'V' }
  expect(json(messages, config(meter, 'voltage_l1'))).toMatchObject({
    ...voltage,
    state_class: 'measurement',
  })
  expect(json(messages, `netsaat/${meter}/state`)).toEqual({
    ...{ import_active_energy: 1234.567891, active_power: 4.25, voltage_l1: 229.5 },
    availability: 'online',
  })
  expect([...messages.keys()].filter((topic) => !topic.includes(meter))).toEqual([])
  await client.endAsync()
})

it('changed values, a new name and a removal of a device are published to a connected Home Assistant', async () => {
  const tenant = await createTenant(api)
  const [meter, removed] = [await createDevice(tenant, 'Roof'), await createDevice(tenant, 'Cellar')]
  for (const device of [meter, removed]) await send(tenant, device, { active_power: 1 }, 60)
  const client = await connectGateway(api.mqttPort, await createHomeAssistant(tenant))
  const messages = await listen(client)
  await waitFor(() => messages.size === 4)
  expect(json(messages, config(meter, 'active_power')).device.name).toBe('Roof')
  await send(tenant, meter, { active_power: 2 })
  const { token } = tenant.admin
  const renamed = await rename(tenant, meter, 'Carport')
  expect(renamed.status, renamed.text).toBe(200)
  expect((await api.call('DELETE', `/api/devices/${removed}`, { token })).status).toBe(204)
  await waitFor(() => messages.get(config(removed, 'active_power')) === '')
  await waitFor(() => json(messages, `netsaat/${meter}/state`).active_power === 2)
  // The id stays, so that Home Assistant renames its sensor instead of making another one.
  await waitFor(() => json(messages, config(meter, 'active_power')).device.name === 'Carport')
  expect(json(messages, config(meter, 'active_power')).unique_id).toBe(`netsaat_${meter}_active_power`)
  await client.endAsync()
})

it('the sensors are withdrawn and the session ends when the login is removed', async () => {
  const tenant = await createTenant(api)
  const meter = await createDevice(tenant, 'Roof')
  await send(tenant, meter, { active_power: 1 })
  const login = await createHomeAssistant(tenant)
  const client = await connectGateway(api.mqttPort, login)
  const messages = await listen(client)
  await waitFor(() => messages.size === 2)
  let isClosed = false
  client.on('close', () => {
    isClosed = true
  })
  const { token } = tenant.admin
  await api.call('DELETE', `/api/gateways/${login.gateway_id}/credentials`, { token })
  await waitFor(() => isClosed)
  expect([...messages.values()]).toEqual(['', ''])
  await expect(connectGateway(api.mqttPort, login)).rejects.toThrow()
})

it('a Home Assistant only reads: what it publishes is acknowledged and dropped', async () => {
  const tenant = await createTenant(api)
  const meter = await createDevice(tenant, 'Roof')
  const login = await createHomeAssistant(tenant)
  const topic = `netsaat/${meter}/state`
  const client = await connectGateway(api.mqttPort, login)
  const messages = await listen(client)
  await client.subscribeAsync(['homeassistant/status', 'telemetry'], { qos: 1 })
  await client.publishAsync('homeassistant/status', 'online', { qos: 1, retain: true })
  await client.publishAsync(topic, 'forged', { qos: 1, retain: true })
  const sample = { ts: new Date(api.clock.now()).toISOString(), v: { active_power: 5 } }
  await client.publishAsync('telemetry', JSON.stringify({ devices: { Roof: [sample] } }), { qos: 1 })
  await send(tenant, meter, { active_power: 1 })
  await waitFor(() => messages.has(topic))
  expect(json(messages, topic).active_power).toBe(1)
  expect(messages.has('homeassistant/status')).toBe(false)
  expect(messages.has('telemetry')).toBe(false)
  const letters = await api.call('GET', '/api/gateways/dead-letters', { token: tenant.admin.token })
  expect(letters.body.total).toBe(0)
  await client.endAsync()
})

it('other gateways of the tenant do not see the topics of Home Assistant', async () => {
  const tenant = await createTenant(api)
  const meter = await createDevice(tenant, 'Roof')
  await send(tenant, meter, { active_power: 1 })
  const gateway = await connectGateway(api.mqttPort, await createGateway(api, tenant, 'roof'))
  const seen = await listen(gateway)
  const client = await connectGateway(api.mqttPort, await createHomeAssistant(tenant))
  const messages = await listen(client)
  await waitFor(() => messages.size === 2)
  expect(seen.size).toBe(0)
  await Promise.all([client.endAsync(), gateway.endAsync()])
})

it('a device cannot be bound to a Home Assistant, and no configuration can be pushed to it', async () => {
  const tenant = await createTenant(api)
  const { token } = tenant.admin
  const { gateway_id: id } = await createHomeAssistant(tenant)
  const body = { name: 'Roof', device_type: 'energy_analyzer', mqtt_gateway_id: id }
  expect((await api.call('POST', '/api/devices', { token, body })).status).toBe(422)
  const pushed = await api.call('POST', `/api/gateways/${id}/rawconfig/sync`, { token })
  expect(pushed.status, pushed.text).toBe(422)
})

it('after a restart of the service a Home Assistant gets all sensors as they are then', async () => {
  const tenant = await createTenant(api)
  const [meter, removed] = [await createDevice(tenant, 'Roof'), await createDevice(tenant, 'Cellar')]
  for (const device of [meter, removed]) await send(tenant, device, { active_power: 1 })
  const login = await createHomeAssistant(tenant)
  const before = await connectGateway(api.mqttPort, login)
  const seen = await listen(before)
  await waitFor(() => seen.size === 4)
  await before.endAsync()
  const { token } = tenant.admin
  await rename(tenant, meter, 'Carport')
  await api.call('DELETE', `/api/devices/${removed}`, { token })
  // Retained messages are in the memory of the process only, so a second broker knows as little as a restarted one.
  const broker = await makeEmbeddedBroker(api.deps.log)
  const deps = { ...api.deps, metrics: makeMetrics() }
  const intake = startIntake(deps)
  await serveGateways(deps, intake, broker)
  const after = await connectGateway(await broker.listen({ host: '127.0.0.1', port: 0 }), login)
  const messages = await listen(after)
  await waitFor(() => messages.size === 2)
  expect([...messages.keys()].sort()).toEqual([config(meter, 'active_power'), `netsaat/${meter}/state`])
  expect(json(messages, config(meter, 'active_power')).device.name).toBe('Carport')
  await after.endAsync()
  await broker.close()
  await intake.close()
})

it('a Home Assistant that reconnects at once gets all sensors, however many it had', async () => {
  const tenant = await createTenant(api)
  const devices = await createDevices(tenant, 100)
  const login = await createHomeAssistant(tenant)
  const first = await connectGateway(api.mqttPort, login)
  const seen = await listen(first)
  await waitFor(() => seen.size === 4 * devices)
  await first.endAsync(true)
  const second = await connectGateway(api.mqttPort, login)
  const messages = await listen(second)
  await waitFor(() => [...messages.values()].filter((payload) => payload !== '').length === 4 * devices)
  // What follows every earlier message shows that none of them withdraws a sensor.
  await second.publishAsync('homeassistant/status', 'online', { qos: 1 })
  expect([...messages.values()].filter((payload) => payload === '')).toEqual([])
  await second.endAsync()
})

it('the oldest devices of a tenant are announced, up to the limit', async () => {
  const tenant = await createTenant(api)
  await createDevices(tenant, HOME_ASSISTANT_DEVICES_MAX + 1)
  const client = await connectGateway(api.mqttPort, await createHomeAssistant(tenant))
  const messages = await listen(client)
  await waitFor(() => messages.size >= 4 * HOME_ASSISTANT_DEVICES_MAX)
  const names = [...messages].flatMap(([topic, payload]) =>
    topic.endsWith('/config') ? [JSON.parse(payload).device.name] : [],
  )
  expect(new Set(names).size).toBe(HOME_ASSISTANT_DEVICES_MAX)
  expect(names).not.toContain(`meter ${HOME_ASSISTANT_DEVICES_MAX}`)
  await client.endAsync()
})
