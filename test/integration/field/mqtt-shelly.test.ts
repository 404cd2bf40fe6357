import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createDevice, createGateway, type TestGateway } from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, ...(body !== undefined && { body }) })

async function valuesOf(id: string): Promise<Record<string, number>[]> {
  const { body } = await call('GET', `/api/measurements/devices/${id}/samples?from=2026-11-19T00:00:00Z`)
  return body.map(({ values }: { values: Record<string, number> }) => values)
}
const deadLetters = async ({ id }: TestGateway) =>
  (await call('GET', `/api/gateways/dead-letters?gateway_id=${id}`)).body.items

/** A device with a template that has this register map. */
async function createMappedDevice(gateway: TestGateway, name: string, register_map: object): Promise<string> {
  const template = await call('POST', '/api/devices/device-templates', {
    ...{ name: `template of ${name}`, device_type: 'energy_analyzer', protocols: ['mqtt'], register_map },
  })
  expect([template.status, template.text]).toEqual([201, expect.any(String)])
  const device = await createDevice(api, tenant, { name, gatewayId: gateway.id })
  await call('PUT', `/api/devices/${device}`, { template_id: template.body.id })
  return device
}

async function publish(gateway: TestGateway, messages: readonly (readonly [string, unknown])[]) {
  const client = await connectGateway(api.mqttPort, gateway)
  for (const [topic, message] of messages) {
    await client.publishAsync(topic, JSON.stringify(message), { qos: 1 })
    // Messages without a time have that of their receipt.
    api.clock.advance(1_000)
  }
  await client.endAsync()
}

const numberOf = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

describe('a Shelly device with a template', () => {
  it('is read by the path with a topic of docs/integrate/register-maps.md', async () => {
    const text = await readFile('docs/integrate/register-maps.md', 'utf8')
    const mqtt_path = /`(status\/em1:0 \$[^`]*)`/.exec(text)?.[1]
    expect(mqtt_path).toBe('status/em1:0 $.act_power')
    const gateway = await createGateway(api, tenant, 'documented path')
    const register = { key: 'p', metric: 'feeder_power', type: 'f64', unit: 'W', kind: 'gauge', mqtt_path }
    const map = { format: 'ems-register-map/1', version: '1', transports: ['mqtt'], registers: [register] }
    const device = await createMappedDevice(gateway, 'shellyem-gen3:0', map)
    await publish(gateway, [['shellyem-gen3/status/em1:0', { id: 0, act_power: 250 }]])
    expect(await valuesOf(device)).toEqual([{ feeder_power: 0.25 }])
    expect(await deadLetters(gateway)).toEqual([])
  })

  it.each([
    ['shelly-pro-3em', ''],
    ['shelly-switch-pm', ':0'],
  ])('is read by the paths of the system template %s, on both topics of a device', async (name, channel) => {
    const { register_map } = JSON.parse(await readFile(`seed/device-templates/${name}.json`, 'utf8'))
    const gateway = await createGateway(api, tenant, name)
    const device = await createMappedDevice(gateway, `${name}${channel}`, register_map)
    const { tests } = register_map as {
      tests: { topic: string; message: object; expect: Record<string, unknown> }[]
    }
    await publish(
      gateway,
      tests.map(({ topic, message }) => [`${name}/${topic}`, message]),
    )
    const expected = tests.map(({ expect: values }) =>
      expect.objectContaining(
        Object.fromEntries(Object.entries(values).map(([key, value]) => [key, numberOf(value)])),
      ),
    )
    expect(await valuesOf(device)).toEqual(expected)
    const parts = tests.map(({ topic, message }) => [topic.replace('status/', ''), message])
    const params = { ts: api.clock.now() / 1000 + 60, ...Object.fromEntries(parts) }
    await publish(gateway, [[`${name}/events/rpc`, { src: name, method: 'NotifyFullStatus', params }]])
    const merged = Object.assign({}, ...tests.map(({ expect: values }) => values))
    const all = Object.entries(merged).map(([key, value]) => [key, numberOf(value)])
    expect((await valuesOf(device)).at(-1)).toEqual(expect.objectContaining(Object.fromEntries(all)))
    expect(await deadLetters(gateway)).toEqual([])
  })
})

describe('the examples of docs/integrate/dialects.md', () => {
  it('for Shelly are stored as the page says', async () => {
    const text = await readFile('docs/integrate/dialects.md', 'utf8')
    const section = text.split(/^## /m).find((part) => part.startsWith('Shelly')) ?? ''
    const examples = [...section.matchAll(/-t '([^']+)' \\\n *-m '([^']+)'/g)].map(
      ([, topic = '', payload = '']) => [topic, JSON.parse(payload)] as const,
    )
    expect(examples).toHaveLength(3)
    const gateway = await createGateway(api, tenant, 'examples')
    const meter = await createDevice(api, tenant, {
      name: 'shellypro3em-b827eb364242',
      gatewayId: gateway.id,
    })
    const plug = await createDevice(api, tenant, {
      name: 'shellyplusplugs-a8032ab12345:0',
      gatewayId: gateway.id,
    })
    await publish(gateway, examples)
    // The notification has the time of its `ts`, which is earlier.
    expect(await valuesOf(meter)).toMatchObject([{ import_active_energy: 5.5 }, { active_power: 2.484782 }])
    expect(await valuesOf(plug)).toMatchObject([{ active_power: 0.0089, import_active_energy: 6.532 }])
    expect(await deadLetters(gateway)).toEqual([])
  })

  it('for Shelly devices of generation 1 become dead letters with the reason', async () => {
    const gateway = await createGateway(api, tenant, 'generation 1')
    await publish(gateway, [['shellies/shellyem3-485519C9A1B2/emeter/0/power', 42.5]])
    expect(await deadLetters(gateway)).toMatchObject([{ reason: 'unknown_topic' }])
  })
})
