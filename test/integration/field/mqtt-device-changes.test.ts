import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createDevice, createGateway, telemetry } from '../../support/field/mqtt.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ mqtt: true })
})
afterAll(() => api.close())

it('MQTT intake knows a device as soon as it is created, renamed or deleted', async () => {
  const tenant = await createTenant(api)
  const { token } = tenant.admin
  const gateway = await createGateway(api, tenant, 'roof')
  const client = await connectGateway(api.mqttPort, gateway)
  const protocols = { name: 'meter', protocols: ['mqtt'], device_type: 'energy_analyzer' }
  const template = await api.call('POST', '/api/devices/device-templates', { token, body: protocols })
  const body = {
    name: 'first name',
    device_type: 'energy_analyzer',
    mqtt_gateway_id: gateway.id,
    template_id: template.body.id,
  }
  const publish = (name: string) =>
    client.publishAsync('telemetry', telemetry(name, [{ v: { voltage: 230 } }]), { qos: 1 })
  const letters = async () =>
    (await api.call('GET', '/api/gateways/dead-letters', { token })).body.items.length

  // The devices of the gateway are cached before each change.
  await publish('first name')
  expect(await letters()).toBe(1)
  const created = await api.call('POST', '/api/devices', { token, body })
  expect(created.status).toBe(201)
  await publish('first name')
  // The first message is replayed, and the second one was stored at once.
  await expect.poll(letters, { timeout: 60_000 }).toBe(0)
  const path = `/api/devices/${created.body.id}`
  expect((await api.call('PUT', path, { token, body: { name: 'second name' } })).status).toBe(200)
  await publish('second name')
  expect(await letters()).toBe(0)
  expect((await api.call('DELETE', path, { token })).status).toBe(204)
  await publish('second name')
  expect(await letters()).toBe(1)
  await client.endAsync()
})

it('looks a name up in the database before its device counts as unknown', async () => {
  const tenant = await createTenant(api)
  const { token } = tenant.admin
  const gateway = await createGateway(api, tenant, 'cellar')
  await createDevice(api, tenant, { name: 'first', gatewayId: gateway.id })
  const client = await connectGateway(api.mqttPort, gateway)
  const publish = (name: string) =>
    client.publishAsync('telemetry', telemetry(name, [{ v: { voltage: 230 } }]), { qos: 1 })
  // The devices of the gateway are cached now.
  await publish('first')
  // As another process creates it: no event of this process says so.
  await createDevice(api, tenant, { name: 'second', gatewayId: gateway.id })
  await createDevice(api, tenant, {
    name: 'third',
    gatewayId: gateway.id,
    metadata: { ieee_address: '0x0017880104e45542' },
  })
  await publish('second')
  await publish('0x0017880104e45542')
  const letters = await api.call('GET', '/api/gateways/dead-letters', { token })
  expect(letters.body.items).toEqual([])
  await client.endAsync()
})

it('reads messages by a changed register map of a template at once', async () => {
  const tenant = await createTenant(api)
  const { token } = tenant.admin
  const gateway = await createGateway(api, tenant, 'attic')
  const client = await connectGateway(api.mqttPort, gateway)
  const metric = 'export_active_energy'
  const register = { key: 'e', type: 'f64', unit: 'Wh', kind: 'cumulative_counter', metric }
  const registers = (mqtt_path: string) => ({
    format: 'ems-register-map/1',
    version: '1',
    transports: ['mqtt'],
    registers: [{ ...register, mqtt_path }],
  })
  const template = await api.call('POST', '/api/devices/device-templates', {
    token,
    body: {
      name: 'plug',
      protocols: ['mqtt'],
      device_type: 'energy_analyzer',
      register_map: registers('$.a'),
    },
  })
  expect(template.status).toBe(201)
  const device = await api.call('POST', '/api/devices', {
    token,
    body: {
      name: 'plug',
      device_type: 'energy_analyzer',
      mqtt_gateway_id: gateway.id,
      template_id: template.body.id,
    },
  })
  const at = api.clock.now() - 60_000
  const publish = (ts: number) =>
    client.publishAsync('telemetry', telemetry('plug', [{ ts, v: { a: 1000, b: 2000 } }]), { qos: 1 })
  await publish(at)
  const changed = await api.call('PUT', `/api/devices/device-templates/${template.body.id}`, {
    token,
    body: { register_map: registers('$.b') },
  })
  expect(changed.status).toBe(200)
  await publish(at + 1000)
  const samples = await api.call('GET', `/api/measurements/devices/${device.body.id}/samples`, { token })
  expect(samples.body.map(({ values }: { values: object }) => values)).toEqual([
    { export_active_energy: 1 },
    { export_active_energy: 2 },
  ])
  await client.endAsync()
})

it('bounds how many unknown names of a gateway are looked up', async () => {
  const tenant = await createTenant(api)
  const gateway = await createGateway(api, tenant, 'noisy')
  const client = await connectGateway(api.mqttPort, gateway)
  const query = vi.spyOn(api.deps.database.pool, 'query')
  const startedAt = performance.now()
  const names = Array.from({ length: 500 }, (_, index) => `garbage ${index}`)
  const publish = (name: string) =>
    client.publishAsync('telemetry', telemetry(name, [{ v: { voltage: 230 } }]), { qos: 1 })
  await Promise.all(names.map(publish))
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  const lookUps = query.mock.calls.filter(([text]) => String(text).includes('with ordinality as asked'))
  query.mockRestore()
  const lookedUp = lookUps.flatMap(([, values]) => (values as unknown as [unknown, unknown, string[]])[2])
  expect(lookedUp.length).toBeGreaterThan(0)
  expect(lookedUp.length).toBeLessThanOrEqual(20 * (seconds + 1))
  const { body } = await api.call('GET', '/api/gateways/dead-letters', { token: tenant.admin.token })
  expect(body.total).toBe(names.length)
  await client.endAsync()
})
