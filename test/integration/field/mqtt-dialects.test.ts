import sparkplug from 'sparkplug-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  nextMessage,
  type TestGateway,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let ownTenant: TestTenant

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  ownTenant = await createTenant(api)
})
afterAll(() => api.close())

const token = () => ownTenant.viewer.token

/** The stored values of a device, oldest first. */
async function valuesOf(id: string): Promise<Record<string, number>[]> {
  const response = await api.call(
    'GET',
    `/api/measurements/devices/${id}/samples?from=2026-11-19T00:00:00Z`,
    {
      token: token(),
    },
  )
  return response.body.map(({ values }: { values: Record<string, number> }) => values)
}

async function deadLetters(gateway: TestGateway): Promise<{ reason: string; topic: string }[]> {
  const response = await api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
    token: ownTenant.admin.token,
  })
  return response.body.items ?? response.body
}

const json = (payload: unknown) => JSON.stringify(payload)

describe('stock devices on the embedded broker, with their own topics', () => {
  it('decodes Tasmota', async () => {
    const gateway = await createGateway(api, ownTenant, 'tasmota')
    const device = await createDevice(api, ownTenant, { name: 'tasmota_A1', gatewayId: gateway.id })
    const client = await connectGateway(api.mqttPort, gateway)
    const ENERGY = { Total: 1.956, Today: 0.049, Power: 9, Voltage: 231, Current: 0.089, Factor: 0.43 }
    await client.publishAsync('tele/tasmota_A1/LWT', 'Online', { qos: 1, retain: true })
    await client.publishAsync('tele/tasmota_A1/STATE', json({ POWER: 'ON' }), { qos: 1 })
    const sensor = json({ Time: '2026-11-20T12:00:00', ENERGY })
    await client.publishAsync('tele/tasmota_A1/SENSOR', sensor, { qos: 1 })
    // Sending the same message again changes nothing.
    await client.publishAsync('tele/tasmota_A1/SENSOR', sensor, { qos: 1 })
    expect(await valuesOf(device)).toEqual([
      { import_active_energy: 1.956, active_power: 0.009, voltage: 231, current: 0.089, power_factor: 0.43 },
    ])
    expect(await deadLetters(gateway)).toEqual([])
    await client.endAsync()
  })

  it('decodes Shelly', async () => {
    const gateway = await createGateway(api, ownTenant, 'shelly')
    const prefix = 'shellypro3em-b827eb364242'
    const device = await createDevice(api, ownTenant, { name: prefix, gatewayId: gateway.id })
    const client = await connectGateway(api.mqttPort, gateway)
    await client.publishAsync(`${prefix}/online`, 'true', { qos: 1, retain: true })
    await client.publishAsync(`${prefix}/status/em:0`, json({ id: 0, total_act_power: 2484.782 }), { qos: 1 })
    const params = {
      ts: api.clock.now() / 1000 + 1,
      'emdata:0': { id: 0, total_act: 5500, total_act_ret: 1 },
    }
    const notification = { src: prefix, dst: `${prefix}/events`, method: 'NotifyStatus', params }
    await client.publishAsync(`${prefix}/events/rpc`, json(notification), { qos: 1 })
    expect(await valuesOf(device)).toEqual([
      { active_power: 2.484782 },
      { import_active_energy: 5.5, export_active_energy: 0.001 },
    ])
    expect(await deadLetters(gateway)).toEqual([])
    await client.endAsync()
  })

  it('decodes ThingsBoard devices and gateways with many devices, and answers their requests', async () => {
    const single = await createGateway(api, ownTenant, 'tb device')
    const own = await createDevice(api, ownTenant, { name: 'the only one', gatewayId: single.id })
    const client = await connectGateway(api.mqttPort, { username: single.password })
    const ts = api.clock.now()
    await client.publishAsync('v1/devices/me/telemetry', json({ ts, values: { active_power: 1.2 } }), {
      qos: 1,
    })
    await client.publishAsync('v1/devices/me/attributes', json({ fw: '7' }), { qos: 1 })
    await client.subscribeAsync('v1/devices/me/attributes/response/+', { qos: 1 })
    const answered = nextMessage(client)
    await client.publishAsync('v1/devices/me/attributes/request/5', json({ clientKeys: 'fw' }), { qos: 1 })
    const { topic, payload } = await answered
    expect([topic, payload.toString()]).toEqual([
      'v1/devices/me/attributes/response/5',
      '{"client":{"fw":"7"}}',
    ])
    expect(await valuesOf(own)).toEqual([{ active_power: 1.2 }])
    await client.endAsync()

    const many = await createGateway(api, ownTenant, 'tb gateway')
    const [a, b] = await Promise.all(
      ['A', 'B'].map((name) => createDevice(api, ownTenant, { name, gatewayId: many.id })),
    )
    const gateway = await connectGateway(api.mqttPort, many)
    await gateway.publishAsync('v1/gateway/connect', json({ device: 'A', type: 'meter' }), { qos: 1 })
    const samples = {
      A: [{ ts, values: { voltage: 230 } }],
      B: [{ ts, values: { voltage: 231 } }],
      C: [{ v: 1 }],
    }
    await gateway.publishAsync('v1/gateway/telemetry', json(samples), { qos: 1 })
    expect(await valuesOf(String(a))).toEqual([{ voltage: 230 }])
    expect(await valuesOf(String(b))).toEqual([{ voltage: 231 }])
    expect(await deadLetters(many)).toMatchObject([
      { topic: 'v1/gateway/telemetry', reason: 'unknown_device' },
    ])
    await gateway.endAsync()
  })

  it('decodes JSON of a device by the paths of its template', async () => {
    const gateway = await createGateway(api, ownTenant, 'odd')
    const device = await createDevice(api, ownTenant, { name: 'odd_plug', gatewayId: gateway.id })
    const register = {
      ...{ key: 'e', type: 'f64', unit: 'Wh', kind: 'cumulative_counter', metric: 'export_active_energy' },
      mqtt_path: '$.METER.deliveredWh',
    }
    const created = await api.call('POST', '/api/devices/device-templates', {
      token: ownTenant.admin.token,
      body: {
        name: 'odd plug',
        device_type: 'energy_analyzer',
        protocols: ['mqtt'],
        register_map: {
          format: 'ems-register-map/1',
          version: '1',
          transports: ['mqtt'],
          registers: [register],
        },
      },
    })
    expect([created.status, created.text]).toEqual([201, expect.any(String)])
    await api.call('PUT', `/api/devices/${device}`, {
      token: ownTenant.admin.token,
      body: { template_id: created.body.id },
    })
    const client = await connectGateway(api.mqttPort, gateway)
    const sensor = { Time: '2026-11-20T12:00:00', METER: { deliveredWh: 5250 } }
    await client.publishAsync('tele/odd_plug/SENSOR', json(sensor), { qos: 1 })
    expect(await valuesOf(device)).toEqual([{ export_active_energy: 5.25 }])
    // An unusable value at a path of the template is reported; topics of our own format keep their metric
    // names.
    await client.publishAsync('tele/odd_plug/SENSOR', json({ METER: { deliveredWh: 'much' } }), { qos: 1 })
    const deadLetters = await api.call('GET', `/api/gateways/dead-letters?gateway_id=${gateway.id}`, {
      token: ownTenant.admin.token,
    })
    expect(deadLetters.body.items).toMatchObject([{ reason: 'bad_value' }])
    const own = { odd_plug: [{ ts: '2026-11-20T12:01:00+03:00', v: { active_power: 1.5 } }] }
    await client.publishAsync('telemetry', json({ devices: own }), { qos: 1 })
    expect(await valuesOf(device)).toContainEqual({ active_power: 1.5 })
    await client.endAsync()
  })
})

describe('Sparkplug B with the client of Eclipse Tahu', () => {
  it('is decoded from birth to death, and a gap in the sequence triggers a rebirth request', async () => {
    const gateway = await createGateway(api, ownTenant, 'edge')
    const meter = await createDevice(api, ownTenant, { name: 'edge1/meter', gatewayId: gateway.id })
    const client = sparkplug.newClient({
      serverUrl: `mqtt://127.0.0.1:${api.mqttPort}`,
      username: gateway.username,
      password: gateway.password,
      groupId: 'plant',
      edgeNode: 'edge1',
      clientId: 'tahu',
    })
    const timestamp = api.clock.now()
    const metric = (value: number) => ({ name: 'Active Power', type: 'Double' as const, value, alias: 1 })
    let births = 0
    client.on('birth', () => {
      births += 1
      client.publishNodeBirth({ timestamp, metrics: [{ name: 'uptime', type: 'Int32', value: births }] })
      const registers = { name: 'import_active_energy', type: 'Double' as const, value: 100.5 }
      client.publishDeviceBirth('meter', { timestamp, metrics: [metric(1), registers] })
    })
    client.on('ncmd', ({ metrics }) => {
      if (metrics?.some(({ name, value }) => name === 'Node Control/Rebirth' && value === true))
        client.emit('birth')
    })
    await waitFor(async () => (await valuesOf(meter)).length === 1)
    expect(await valuesOf(meter)).toEqual([{ active_power: 1, import_active_energy: 100.5 }])
    const dataAt = (at: number, value: number) => ({
      timestamp: timestamp + at,
      metrics: [{ ...metric(value), timestamp: timestamp + at }],
    })
    client.publishDeviceData('meter', dataAt(1000, 2))
    await waitFor(async () => (await valuesOf(meter)).length === 2)
    // The client counts a lost message that the broker never receives.
    Object.assign(client, { seq: (client as unknown as { seq: number }).seq + 1 })
    client.publishDeviceData('meter', dataAt(2000, 3))
    await waitFor(() => births === 2)
    await waitFor(async () => (await valuesOf(meter)).length === 3)
    client.stop()
  })
})
