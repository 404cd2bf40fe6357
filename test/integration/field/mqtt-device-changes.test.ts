import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createGateway, telemetry } from '../../support/field/mqtt.ts'
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
  const template = await api.call('POST', '/api/device-templates', { token, body: protocols })
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
  expect(await letters()).toBe(1)
  const path = `/api/devices/${created.body.id}`
  expect((await api.call('PUT', path, { token, body: { name: 'second name' } })).status).toBe(200)
  await publish('second name')
  expect(await letters()).toBe(1)
  expect((await api.call('DELETE', path, { token })).status).toBe(204)
  await publish('second name')
  expect(await letters()).toBe(2)
  await client.endAsync()
})
