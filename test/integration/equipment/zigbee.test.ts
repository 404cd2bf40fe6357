import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startZigbeeListener } from '../../../src/areas/equipment/zigbee/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, nextMessage } from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const ZIGBEE = '/api/v1/zigbee'
let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant
let listener: ReturnType<typeof startZigbeeListener>

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  listener = startZigbeeListener(api.deps)
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(async () => {
  await listener.stop()
  await api.close()
})

const asAdmin = (method: string, path: string, body?: unknown, tenant = tenantA) =>
  api.call(method, ZIGBEE + path, { token: tenant.admin.token, ...(body !== undefined && { body }) })
const generate = (body: object, tenant = tenantA) => asAdmin('POST', '/claims/generate', body, tenant)
const redeem = (body: object) => api.call('POST', `${ZIGBEE}/claims/redeem`, { body })

describe('Zigbee claims', () => {
  it('are returned completely once, listed while pending, and deleted', async () => {
    const created = await generate({ gateway_name: 'attic' })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ gateway_name: 'attic', status: 'pending', subregion_id: null })
    expect(created.body.code).toMatch(/^[0-9A-HJKMNP-TV-Z]+(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const path = `${ZIGBEE}/claims/pending`
    const listed = await api.call('GET', path, { token: tenantA.viewer.token })
    const { code, ...rest } = created.body
    expect(listed.body).toMatchObject({ total: 1, items: [{ ...rest, code: `****-****-${code.slice(-4)}` }] })
    expect((await api.call('GET', path, { token: tenantB.admin.token })).body.total).toBe(0)
    expect((await asAdmin('DELETE', `/claims/${rest.id}`)).status).toBe(204)
    expect((await redeem({ code })).status).toBe(400)
  })

  it('are created by an admin only, for an unused name and a subregion of the tenant', async () => {
    const denied = await api.call('POST', `${ZIGBEE}/claims/generate`, {
      token: tenantA.operator.token,
      body: { gateway_name: 'x' },
    })
    expect(denied.status).toBe(403)
    const foreign = await generate({
      gateway_name: 'x',
      subregion_id: '00000000-0000-4000-8000-000000000000',
    })
    expect(foreign.body).toMatchObject({ error_code: 'INVALID_REFERENCE' })
    await api.call('POST', '/api/gateways', {
      token: tenantA.admin.token,
      body: { name: 'taken', gateway_type: 'modbus' },
    })
    expect((await generate({ gateway_name: 'taken' })).body).toMatchObject({ error_code: 'DUPLICATE_ENTRY' })
    expect((await generate({ gateway_name: 'x', expires_in_minutes: 4 })).status).toBe(422)
  })

  it('are limited in number', async () => {
    const tenant = await createTenant(api)
    await api.deps.database.pool.query(
      `insert into zigbee_claim (tenant_id, code_hash, code_ending, gateway_name, created_at, expires_at)
       select $1, 'x', '0000', 'g', $2, $2::timestamptz + interval '1 hour' from generate_series(1, 50)`,
      [tenant.id, new Date(api.clock.now())],
    )
    const more = await generate({ gateway_name: 'one more' }, tenant)
    expect([more.status, more.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
  })

  it('admit one gateway, once, in any spelling of the code', async () => {
    const { body } = await generate({ gateway_name: 'roof' })
    const typed = body.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    const responses = await Promise.all([redeem({ code: typed }), redeem({ code: body.code })])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
    const refused = responses.find(({ status }) => status === 400)
    expect(refused?.text).toBe((await redeem({ code: '0000-0000-0000' })).text)
    const used = responses.find(({ status }) => status === 201)?.body
    expect(used).toMatchObject({
      gateway_name: 'roof',
      mqtt: {
        username: used.gateway_id,
        base_topic: 'zigbee2mqtt',
        topic_root: `ems/v1/${tenantA.uid}/${used.gateway_id}/`,
      },
    })
    const client = await connectGateway(api.mqttPort, used.mqtt)
    await client.endAsync()
  })

  it('choose another name, within the length limit, when the name was taken meanwhile', async () => {
    const code: string = (await generate({ gateway_name: '🏠'.repeat(200) })).body.code
    await api.call('POST', '/api/gateways', {
      token: tenantA.admin.token,
      body: { name: '🏠'.repeat(200), gateway_type: 'modbus' },
    })
    const { body } = await redeem({ code })
    const ending = code.replaceAll('-', '').slice(-4)
    expect(body.gateway_name).toBe(`${'🏠'.repeat(195)} ${ending}`)
    const renamed = await asAdmin('PUT', `/gateways/${body.gateway_id}`, { name: body.gateway_name })
    expect(renamed.status).toBe(200)
  })

  it('expire', async () => {
    const { body } = await generate({ gateway_name: 'late', expires_in_minutes: 5 })
    api.clock.advance(5 * 60_000)
    expect((await redeem({ code: body.code })).body).toMatchObject({ error_code: 'INVALID_CLAIM_CODE' })
  })

  it('issue a new login for a gateway that is known by its coordinator', async () => {
    const ieee_address = '0x00124B0001abcdef'
    const first = await redeem({ code: (await generate({ gateway_name: 'hall' })).body.code, ieee_address })
    const second = await redeem({
      code: (await generate({ gateway_name: 'hall 2' })).body.code,
      ieee_address,
    })
    expect(second.body).toMatchObject({ gateway_id: first.body.gateway_id, gateway_name: 'hall' })
    await expect(connectGateway(api.mqttPort, first.body.mqtt)).rejects.toThrow()
    const foreign = await generate({ gateway_name: 'hall' }, tenantB)
    const third = await redeem({ code: foreign.body.code, ieee_address })
    expect(third.body.gateway_id).not.toBe(first.body.gateway_id)
  })
})

const EXPOSES = [
  { type: 'switch', features: [{ type: 'binary', name: 'state', property: 'state' }] },
  { type: 'numeric', name: 'power', property: 'power', unit: 'W' },
  { type: 'numeric', name: 'energy', property: 'energy', unit: 'kWh' },
]
const PLUG = {
  ieee_address: '0x00158d00018255df',
  type: 'Router',
  supported: true,
  friendly_name: 'plug',
  definition: { vendor: 'Xiaomi', model: 'ZNCZ02LM', exposes: EXPOSES },
}
const COORDINATOR = { ieee_address: '0x00124b00120144ae', type: 'Coordinator', friendly_name: 'Coordinator' }
const STRANGER = {
  ieee_address: '0x00aa',
  type: 'EndDevice',
  supported: false,
  friendly_name: '0x00aa',
  definition: null,
}

describe('a Zigbee gateway', () => {
  let id: string
  let z2m: MqttClient
  const publishMessage = (topic: string, payload: unknown) =>
    z2m.publishAsync(`zigbee2mqtt/${topic}`, JSON.stringify(payload), { qos: 1, retain: true })
  const listed = async () => (await asAdmin('GET', `/gateways/${id}/devices`)).body

  beforeAll(async () => {
    const { body } = await generate({ gateway_name: 'plant' })
    const redeemed = await redeem({ code: body.code })
    id = redeemed.body.gateway_id
    z2m = await connectGateway(api.mqttPort, redeemed.body.mqtt)
    await publishMessage('bridge/state', { state: 'online' })
    await publishMessage('bridge/info', {
      version: '2.1.3',
      coordinator: { ieee_address: COORDINATOR.ieee_address },
    })
    await publishMessage('bridge/devices', [COORDINATOR, PLUG, STRANGER])
    await listener.idle()
  })
  afterAll(() => z2m.endAsync())

  it('has the properties that it reports', async () => {
    const { body } = await asAdmin('GET', `/gateways/${id}`)
    expect(body).toMatchObject({
      name: 'plant',
      ieee_address: COORDINATOR.ieee_address,
      firmware_version: '2.1.3',
      is_online: true,
      device_count: 2,
      permit_join_until: null,
    })
    const list = await asAdmin('GET', '/gateways?is_online=true&limit=5')
    expect(list.body.items.map((gateway: { id: string }) => gateway.id)).toContain(id)
  })

  it('lists paired devices, with a record for each supported one', async () => {
    const { items, total } = await listed()
    expect(total).toBe(2)
    const [foreign, plug] = items
    expect(foreign).toMatchObject({
      friendly_name: '0x00aa',
      supported: false,
      device_id: null,
      availability: null,
    })
    expect(plug).toMatchObject({
      ieee_address: PLUG.ieee_address,
      vendor: 'Xiaomi',
      model: 'ZNCZ02LM',
      supported: true,
    })
    const device = await api.call('GET', `/api/devices/${plug.device_id}`, { token: tenantA.viewer.token })
    expect(device.body).toMatchObject({
      name: 'plug',
      device_type: 'smart_plug',
      device_source: 'zigbee',
      mqtt_gateway_id: id,
      extra_metadata: { ieee_address: PLUG.ieee_address, external_id: 'plug' },
    })
  })

  it('stores measurements of its devices, and shows their link quality', async () => {
    await publishMessage('plug/availability', { state: 'online' })
    await publishMessage('plug', { power: 8, energy: 1.38, voltage: 229, linkquality: 156, state: 'ON' })
    await listener.idle()
    const plug = (await listed()).items[1]
    expect(plug).toMatchObject({ availability: 'online', linkquality: 156 })
    expect(Date.parse(plug.last_seen)).toBe(api.clock.now())
    const samples = await api.call('GET', `/api/measurements/devices/${plug.device_id}/samples`, {
      token: tenantA.viewer.token,
    })
    expect(samples.body.at(-1).values).toMatchObject({
      active_power: 0.008,
      import_active_energy: 1.38,
      voltage: 229,
    })
  })

  it('follows a renamed device, and removes a device that left but not its measurements', async () => {
    const before = (await listed()).items[1].device_id
    await publishMessage('bridge/devices', [COORDINATOR, { ...PLUG, friendly_name: 'oven' }])
    await listener.idle()
    expect((await listed()).items).toMatchObject([{ friendly_name: 'oven', device_id: before }])
    api.clock.advance(20_000)
    await publishMessage('oven', { power: 9 })
    const path = `/api/devices/${before}`
    const device = await api.call('GET', path, { token: tenantA.viewer.token })
    expect(Date.parse(device.body.last_seen)).toBe(api.clock.now())
    await publishMessage('bridge/devices', [COORDINATOR])
    await listener.idle()
    expect((await listed()).total).toBe(0)
    expect((await api.call('GET', path, { token: tenantA.viewer.token })).status).toBe(200)
  })

  it('does not recreate a device that a user deleted', async () => {
    const extra = { ...PLUG, ieee_address: '0x01', friendly_name: 'gone' }
    await publishMessage('bridge/devices', [COORDINATOR, extra])
    await listener.idle()
    const { device_id } = (await listed()).items[0]
    await api.call('DELETE', `/api/devices/${device_id}`, { token: tenantA.admin.token })
    await publishMessage('bridge/devices', [COORDINATOR, { ...extra, friendly_name: 'still gone' }])
    await listener.idle()
    expect((await listed()).items).toMatchObject([{ friendly_name: 'still gone', device_id: null }])
  })

  it('links an existing device record', async () => {
    const created = await api.call('POST', '/api/devices', {
      token: tenantA.admin.token,
      body: { name: 'boiler', device_type: 'heater', device_source: 'zigbee', mqtt_gateway_id: id },
    })
    await publishMessage('bridge/devices', [
      COORDINATOR,
      { ...PLUG, ieee_address: '0x02', friendly_name: 'boiler' },
    ])
    await listener.idle()
    expect((await listed()).items).toMatchObject([{ friendly_name: 'boiler', device_id: created.body.id }])
  })

  it('assigns the template of the product to a new device', async () => {
    const template = await api.call('POST', '/api/devices/device-templates', {
      token: tenantA.admin.token,
      body: {
        name: 'meter',
        vendor: 'Acme',
        model: 'M1',
        device_type: 'energy_analyzer',
        protocols: ['zigbee'],
      },
    })
    const definition = { vendor: 'ACME', model: 'M1', exposes: EXPOSES.slice(1) }
    const boiler = { ...PLUG, ieee_address: '0x02', friendly_name: 'boiler' }
    await publishMessage('bridge/devices', [
      COORDINATOR,
      boiler,
      { ...boiler, ieee_address: '0x03', friendly_name: 'm', definition },
    ])
    await listener.idle()
    const { device_id } = (await listed()).items[1]
    const device = await api.call('GET', `/api/devices/${device_id}`, { token: tenantA.viewer.token })
    expect(device.body).toMatchObject({ template_id: template.body.id, device_type: 'energy_analyzer' })
  })

  it('permits devices to join on request', async () => {
    await z2m.subscribeAsync('zigbee2mqtt/bridge/request/#', { qos: 1 })
    const asked = nextMessage(z2m, (topic) => topic.endsWith('permit_join'))
    const response = await asAdmin('PUT', `/gateways/${id}`, { permit_join_s: 120, name: 'plant 2' })
    expect(response.body).toMatchObject({ name: 'plant 2' })
    expect(Date.parse(response.body.permit_join_until)).toBe(api.clock.now() + 120_000)
    const { topic, payload } = await asked
    expect(topic).toBe('zigbee2mqtt/bridge/request/permit_join')
    expect(JSON.parse(payload.toString())).toEqual({ value: true, time: 120 })
    const ended = await asAdmin('PUT', `/gateways/${id}`, { permit_join_s: 0 })
    expect(ended.body.permit_join_until).toBeNull()
    expect((await asAdmin('PUT', `/gateways/${id}`, { permit_join_s: 255 })).status).toBe(422)
  })

  it('is deleted without its devices, and its login is revoked', async () => {
    const closed = new Promise<void>((resolve) => z2m.once('close', () => resolve()))
    const { device_id } = (await listed()).items[0]
    expect((await asAdmin('DELETE', `/gateways/${id}`)).status).toBe(204)
    await closed
    const device = await api.call('GET', `/api/devices/${device_id}`, { token: tenantA.viewer.token })
    expect(device.body.mqtt_gateway_id).toBeNull()
    expect((await asAdmin('GET', `/gateways/${id}`)).status).toBe(404)
  })
})
