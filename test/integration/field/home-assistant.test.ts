import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('changed values, and the removal of a device, are published while Home Assistant is connected', async () => {
  const tenant = await createTenant(api)
  const [meter, removed] = [await createDevice(tenant, 'Roof'), await createDevice(tenant, 'Cellar')]
  for (const device of [meter, removed]) await send(tenant, device, { active_power: 1 }, 60)
  const client = await connectGateway(api.mqttPort, await createHomeAssistant(tenant))
  const messages = await listen(client)
  await waitFor(() => messages.size === 4)
  await send(tenant, meter, { active_power: 2 })
  const { token } = tenant.admin
  expect((await api.call('DELETE', `/api/devices/${removed}`, { token })).status).toBe(204)
  await waitFor(() => messages.get(config(removed, 'active_power')) === '')
  await waitFor(() => json(messages, `netsaat/${meter}/state`).active_power === 2)
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
