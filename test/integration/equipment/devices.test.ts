import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant
let count = 0

beforeAll(async () => {
  api = await startApi()
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const as = (tenant: TestTenant) => ({
  post: (path: string, body: unknown) => api.call('POST', path, { token: tenant.admin.token, body }),
  put: (path: string, body: unknown) => api.call('PUT', path, { token: tenant.admin.token, body }),
  get: (path: string) => api.call('GET', path, { token: tenant.viewer.token }),
  delete: (path: string) => api.call('DELETE', path, { token: tenant.admin.token }),
})

/** Creates a device and returns it; throws on failure. */
async function device(body: object = {}) {
  count += 1
  const response = await as(tenantA).post('/api/devices', {
    name: `meter ${count}`,
    device_type: 'energy_analyzer',
    ...body,
  })
  expect(response.status, response.text).toBe(201)
  return response.body
}
async function gateway(type: string) {
  count += 1
  const response = await as(tenantA).post('/api/gateways', { name: `gateway ${count}`, gateway_type: type })
  expect(response.status, response.text).toBe(201)
  return response.body
}
async function template(protocols: string[]) {
  count += 1
  const body = { name: `template ${count}`, device_type: 'energy_analyzer', protocols }
  const response = await as(tenantA).post('/api/devices/device-templates', body)
  expect(response.status, response.text).toBe(201)
  return response.body
}

describe('devices', () => {
  it('are created with defaults and read back unchanged', async () => {
    const created = await device({ name: 'main meter' })
    expect(created).toMatchObject({
      name: 'main meter',
      device_source: 'manual',
      gateway_id: null,
      subregion_id: null,
      is_online: false,
      last_seen: null,
      offline_threshold_s: 3600,
      extra_metadata: {},
    })
    expect((await as(tenantA).get(`/api/devices/${created.id}`)).body).toEqual(created)
  })

  it.each(['modbus', 'zigbee', 'virtual', 'manual', 'ocpp'])('store the source %s', async (device_source) => {
    expect(await device({ device_source })).toMatchObject({ device_source })
  })

  it('ignore keys that are unknown or not writable', async () => {
    const created = await device({ is_online: true, subregion_id: crypto.randomUUID(), colour: 'red' })
    expect(created).toMatchObject({ is_online: false, subregion_id: null })
    expect(created).not.toHaveProperty('colour')
  })

  it('merge extra_metadata: absent and null change nothing, {} clears, else by key', async () => {
    const { id } = await device({ extra_metadata: { panel: 'A1', ct: 100 } })
    const put = async (extra_metadata?: unknown) =>
      (await as(tenantA).put(`/api/devices/${id}`, { name: 'x', extra_metadata })).body.extra_metadata
    expect(await put()).toEqual({ panel: 'A1', ct: 100 })
    expect(await put(null)).toEqual({ panel: 'A1', ct: 100 })
    expect(await put({ ct: 200, note: null })).toEqual({ panel: 'A1', ct: 200, note: null })
    expect(await put({})).toEqual({})
  })

  it('merge twenty concurrent updates of metadata without losing one', async () => {
    const { id } = await device()
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`)
    await Promise.all(
      keys.map((key) => as(tenantA).put(`/api/devices/${id}`, { extra_metadata: { [key]: 1 } })),
    )
    const { extra_metadata } = (await as(tenantA).get(`/api/devices/${id}`)).body
    expect(Object.keys(extra_metadata).sort()).toEqual([...keys].sort())
  })

  it('require a template with MQTT or Zigbee when bound to MQTT', async () => {
    const [{ id: mqtt_gateway_id }, modbus, mqtt] = await Promise.all([
      gateway('mqtt'),
      template(['modbus_tcp']),
      template(['modbus_tcp', 'mqtt']),
    ])
    const { id } = await device({ mqtt_gateway_id, device_source: 'modbus' })
    for (const template_id of ['', null, modbus.id]) {
      const refused = await as(tenantA).put(`/api/devices/${id}`, { template_id })
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({
        error_code: 'MQTT_TEMPLATE_REQUIRED',
        message: expect.any(String),
        device_id: id,
        current_template_id: null,
      })
    }
    const accepted = await as(tenantA).put(`/api/devices/${id}`, { template_id: mqtt.id })
    expect(accepted.status).toBe(200)
    expect(accepted.body.template_id).toBe(mqtt.id)
  })

  it('are accepted without a template for Modbus', async () => {
    const { id: gateway_id } = await gateway('modbus')
    const { id } = await device({ gateway_id, slave_id: 3 })
    expect((await as(tenantA).put(`/api/devices/${id}`, { template_id: null })).status).toBe(200)
  })

  it('have a Modbus address of their own on the line of their gateway', async () => {
    const [{ id: gateway_id }, { id: other }] = [await gateway('modbus'), await gateway('modbus')]
    const first = await device({ gateway_id, slave_id: 3 })
    const body = { name: 'same address', device_type: 'meter', gateway_id, slave_id: 3 }
    const refused = await as(tenantA).post('/api/devices', body)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    const second = await device({ gateway_id, slave_id: 4 })
    const changed = await as(tenantA).put(`/api/devices/${second.id}`, { slave_id: 3 })
    expect([changed.status, changed.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    await device({ gateway_id: other, slave_id: 3 })
    await device({ gateway_id })
    await device({ gateway_id })
    expect((await as(tenantA).put(`/api/devices/${first.id}`, { slave_id: 5 })).status).toBe(200)
    expect((await as(tenantA).put(`/api/devices/${second.id}`, { slave_id: 3 })).status).toBe(200)
  })

  it.each(['gateway_id', 'mqtt_gateway_id', 'template_id', 'parent_id'])(
    'are rejected with 422 for an unknown %s',
    async (field) => {
      const body = { name: 'x', device_type: 'meter', [field]: crypto.randomUUID() }
      const response = await as(tenantA).post('/api/devices', body)
      expect(response.status).toBe(422)
      expect(response.body.error_code).toBe('INVALID_REFERENCE')
    },
  )

  it('become no parents of each other when both requests are concurrent', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [await device(), await device()]
      const put = (id: string, parent_id: string) => as(tenantA).put(`/api/devices/${id}`, { parent_id })
      const responses = await Promise.all([put(a.id, b.id), put(b.id, a.id)])
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422])
    }
  })

  it('are rejected for a foreign parent, a gateway of the wrong type and a cycle', async () => {
    const foreign = await as(tenantB).post('/api/devices', { name: 'theirs', device_type: 'meter' })
    const [top, { id: modbusGateway }] = await Promise.all([device(), gateway('modbus')])
    const below = await device({ parent_id: top.id })
    const put = (body: object) => as(tenantA).put(`/api/devices/${top.id}`, body)
    expect((await put({ parent_id: foreign.body.id })).body.error_code).toBe('INVALID_REFERENCE')
    expect((await put({ parent_id: below.id })).status).toBe(422)
    expect((await put({ parent_id: top.id })).status).toBe(422)
    expect((await put({ mqtt_gateway_id: modbusGateway })).status).toBe(422)
  })

  it('are listed by filter and order; an unknown order and a page over 200 are rejected', async () => {
    const list = (query: string) => as(tenantB).get(`/api/devices?${query}`)
    for (const [name, device_type] of [
      ['b', 'inverter'],
      ['a', 'inverter'],
      ['c', 'meter'],
    ]) {
      await as(tenantB).post('/api/devices', { name, device_type })
    }
    const { body } = await list('device_type=inverter&sort_by=name&sort_order=asc')
    expect(body).toMatchObject({ total: 2, skip: 0, limit: 50 })
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    expect((await list(`device_type=${encodeURIComponent('İNVERTER')}`)).body.total).toBe(2)
    expect((await list('device_type=inverte')).body.total).toBe(0)
    expect((await list('is_online=true')).body.total).toBe(0)
    expect((await list('sort_by=password')).status).toBe(422)
    expect((await list('limit=201')).status).toBe(422)
    expect((await list('limit=200&skip=1')).status).toBe(200)
  })

  it('count as online within their own threshold', async () => {
    const { id } = await device({ offline_threshold_s: 60 })
    await api.deps.database.kysely
      .updateTable('device')
      .set({ last_seen: new Date(api.clock.now() - 59_000) })
      .where('id', '=', id)
      .execute()
    expect((await as(tenantA).get(`/api/devices/${id}`)).body.is_online).toBe(true)
    api.clock.advance(2_000)
    expect((await as(tenantA).get(`/api/devices/${id}`)).body.is_online).toBe(false)
  })

  it('are deleted, but not with children', async () => {
    const top = await device()
    const below = await device({ parent_id: top.id })
    expect((await as(tenantA).delete(`/api/devices/${top.id}`)).body).toMatchObject({
      error_code: 'STATE_CONFLICT',
    })
    expect((await as(tenantA).delete(`/api/devices/${below.id}`)).status).toBe(204)
    expect((await as(tenantA).delete(`/api/devices/${top.id}`)).status).toBe(204)
    expect((await as(tenantA).delete(`/api/devices/${top.id}`)).status).toBe(404)
  })
})

describe('device templates', () => {
  it('are created, filtered by protocol, changed and deleted', async () => {
    const created = await template(['mqtt'])
    const listed = await as(tenantA).get('/api/devices/device-templates?protocol=mqtt&limit=200')
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toContain(created.id)
    const path = `/api/devices/device-templates/${created.id}`
    const changed = await as(tenantA).put(path, { vendor: 'Eastron', register_map: { registers: [] } })
    expect(changed.body).toEqual({ ...created, vendor: 'Eastron', register_map: { registers: [] } })
    expect((await as(tenantA).delete(path)).status).toBe(204)
    expect((await as(tenantA).get(path)).status).toBe(404)
  })

  it('cannot be deleted while used, and system templates cannot be changed', async () => {
    const used = await template(['mqtt'])
    await device({ template_id: used.id })
    expect((await as(tenantA).delete(`/api/devices/device-templates/${used.id}`)).status).toBe(409)
    const { id } = await api.deps.database.kysely
      .insertInto('device_template')
      .values({ tenant_id: tenantA.id, name: 'of the system', device_type: 'meter', is_system: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await as(tenantA).put(`/api/devices/device-templates/${id}`, { name: 'mine' })).status).toBe(409)
    expect((await as(tenantA).delete(`/api/devices/device-templates/${id}`)).status).toBe(409)
  })
})

describe('gateways', () => {
  it('raise config_version only when the config changes', async () => {
    const { id, config_version } = await gateway('mqtt')
    expect(config_version).toBe(1)
    const put = async (body: object) => (await as(tenantA).put(`/api/gateways/${id}`, body)).body
    expect(await put({ config: { interval: 10 } })).toMatchObject({
      config: { interval: 10 },
      config_version: 2,
    })
    expect(await put({ config: { interval: 10 }, name: 'renamed' })).toMatchObject({
      name: 'renamed',
      config_version: 2,
    })
    expect(await put({})).toMatchObject({ config_version: 2 })
  })

  it('reject a foreign subregion, and cannot be deleted with devices', async () => {
    const region = await as(tenantB).post('/api/regions', { name: 'r' })
    const subregion = await as(tenantB).post('/api/subregions', { name: 's', region_id: region.body.id })
    const body = { name: 'g', gateway_type: 'mqtt', subregion_id: subregion.body.id }
    expect((await as(tenantA).post('/api/gateways', body)).body.error_code).toBe('INVALID_REFERENCE')
    const { id } = await gateway('modbus')
    await device({ gateway_id: id })
    expect((await as(tenantA).delete(`/api/gateways/${id}`)).status).toBe(409)
  })
})

describe('subregions', () => {
  it('belong to a region of the tenant and have a unique name in it', async () => {
    const { body: region } = await as(tenantA).post('/api/regions', { name: 'with subregions' })
    const body = {
      name: 'Gebze',
      region_id: region.id,
      latitude: 40.8,
      longitude: 29.43,
      contracted_power_kw: 1250.5,
    }
    const created = await as(tenantA).post('/api/subregions', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject(body)
    expect((await as(tenantA).post('/api/subregions', body)).status).toBe(409)
    expect(
      (await as(tenantA).post('/api/subregions', { ...body, region_id: crypto.randomUUID() })).status,
    ).toBe(422)
    expect((await as(tenantA).post('/api/subregions', { ...body, latitude: 91 })).body.detail[0].loc).toEqual(
      ['body', 'latitude'],
    )
    const listed = await as(tenantA).get(`/api/subregions?region_id=${region.id}`)
    expect(listed.body.items).toEqual([created.body])
    expect((await as(tenantA).delete(`/api/regions/${region.id}`)).status).toBe(409)
  })
})
