import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followConfigReports } from '../../../src/field/mqtt/config-reports.ts'
import { toJson } from '../../../src/platform/db/json-columns.ts'
import type { BrokerMessage } from '../../../src/platform/messaging/broker.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { type MapOptions, type MapRegister, mapDocument } from '../../support/field/modbus-map.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const call = (
  method: string,
  path: string,
  body?: unknown,
  token = tenant.admin.token,
): Promise<ApiResponse> => api.call(method, path, { token, ...(body !== undefined && { body }) })

async function post(path: string, body: object): Promise<string> {
  const response = await call('POST', path, body)
  expect([response.status, response.text]).toEqual([201, expect.any(String)])
  return response.body.id
}

/** Inserted directly, because uploads of templates are tested elsewhere. */
async function createTemplate(
  registers: readonly MapRegister[],
  options?: MapOptions,
  protocols = ['modbus_tcp'],
) {
  const { id } = await api.deps.database.kysely
    .insertInto('device_template')
    .values({
      tenant_id: tenant.id,
      name: randomUUID(),
      device_type: 'energy_analyzer',
      protocols,
      register_map: toJson({ ...mapDocument(registers, options), transports: protocols }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const createGateway = (type: string, more: object = {}) =>
  post('/api/gateways', { name: randomUUID(), gateway_type: type, ...more })
const createDevice = (more: object) =>
  post('/api/devices', {
    name: randomUUID(),
    device_type: 'energy_analyzer',
    device_source: 'modbus',
    ...more,
  })
const preview = async (id: string) => (await call('GET', `/api/gateways/${id}/rawconfig/preview`)).body
async function turkishPreview(id: string) {
  const headers = { 'accept-language': 'tr' }
  const options = { token: tenant.admin.token, headers }
  return (await api.call('GET', `/api/gateways/${id}/rawconfig/preview`, options)).body
}
const sync = (id: string, body?: object) => call('POST', `/api/gateways/${id}/rawconfig/sync`, body)

const REGISTERS = [
  { key: 'u1', address: 0, function: 4, type: 'f32', metric: 'voltage_l1', unit: 'V', poll_group: 'fast' },
  { key: 'u2', address: 2, function: 4, type: 'f32', metric: 'voltage_l2', unit: 'V', poll_group: 'fast' },
  {
    key: 'e',
    address: 72,
    function: 4,
    type: 'f32',
    metric: 'import_active_energy',
    unit: 'kWh',
    kind: 'cumulative_counter',
  },
]
const GROUPS = { fast: 1000, normal: 10_000 }

/** 60 registers per device at 9600 baud with a pause of 20 ms: about 0.2 s each. */
const WIDE = Array.from({ length: 30 }, (_, index) => ({
  key: `r${index}`,
  address: index * 2,
  type: 'f32',
  metric: `m${index}`,
}))
const SERIAL = { defaults: { baud_rate: 9600, inter_request_ms: 20 }, groups: { normal: 1000 } }

async function modbusGateway(count = 1, template?: string) {
  const id = await createGateway('modbus', { host: '127.0.0.1', port: 1502 })
  const templateId = template ?? (await createTemplate(REGISTERS, { groups: GROUPS }))
  const devices = []
  for (let unit = 1; unit <= count; unit++)
    devices.push(await createDevice({ gateway_id: id, slave_id: unit, template_id: templateId }))
  return { id, templateId, devices }
}

describe('the preview', () => {
  it('shows registers, requests, time on the line and what changes', async () => {
    const { id, templateId, devices } = await modbusGateway()
    const shown = await preview(id)
    expect(shown).toMatchObject({
      gateway_id: id,
      gateway_type: 'modbus',
      next_version: 1,
      is_changed: true,
      config_state: null,
      synced_version: null,
      is_possible: true,
      warnings: [],
      polling: null,
    })
    expect(shown.devices).toMatchObject([
      { device_id: devices[0], unit_id: 1, template_id: templateId, problem: null },
    ])
    expect(shown.devices[0].registers).toHaveLength(3)
    expect(shown.devices[0].blocks).toEqual([
      {
        ...{ poll_group: 'fast', function: 4, address: 0, count: 4, keys: ['u1', 'u2'] },
        ...{ expected_ms: 5, worst_case_ms: 15, worst_case_requests: 3 },
      },
      {
        ...{ poll_group: 'normal', function: 4, address: 72, count: 2, keys: ['e'] },
        ...{ expected_ms: 5, worst_case_ms: 5, worst_case_requests: 1 },
      },
    ])
    expect(shown.poll_groups).toEqual([
      { name: 'fast', period_ms: 1000, expected_ms: 5, worst_case_ms: 15, is_possible: true },
      { name: 'normal', period_ms: 10_000, expected_ms: 5, worst_case_ms: 5, is_possible: true },
    ])
    expect(shown.bus_load_pct).toBe(0.6)
    expect(shown.changes).toContainEqual({
      ...{ kind: 'register', template_id: templateId, name: 'u1', change: 'added', fields: [] },
    })
  })

  it('reports a period that cannot be kept, and possible remedies', async () => {
    const template = await createTemplate(WIDE, SERIAL)
    const { id } = await modbusGateway(9, template)
    const shown = await preview(id)
    expect(shown.poll_groups).toMatchObject([{ name: 'normal', period_ms: 1000, is_possible: false }])
    expect(shown.warning_codes).toEqual(['BUS_TIME_EXCEEDED'])
    expect(shown.warnings).toEqual(['poll group normal needs 1.8 s, period 1 s'])
    expect((await turkishPreview(id)).warnings).toEqual([
      'normal okuma grubu 1,8 saniye gerektiriyor, periyodu 1 saniye',
    ])
    expect(shown.is_possible).toBe(false)
    await call('PUT', `/api/gateways/${id}`, { poll_interval_s: 5 })
    expect(await preview(id)).toMatchObject({ is_possible: true, warnings: [] })
    await call('PUT', `/api/gateways/${id}`, { poll_interval_s: null, config: { baud_rate: 38_400 } })
    expect(await preview(id)).toMatchObject({ is_possible: true, warnings: [] })
  })

  it('reports devices that are not read and settings that are ignored', async () => {
    const id = await createGateway('modbus', { config: { baud_rate: 'fast' } })
    const name = `no template ${randomUUID()}`
    const device = await createDevice({ gateway_id: id, slave_id: 1, name })
    const shown = await preview(id)
    expect(shown.devices).toMatchObject([
      { device_id: device, problem: 'the device has no template', blocks: [] },
    ])
    expect(shown.warning_codes).toEqual([
      'GATEWAY_SETTING_IGNORED',
      'DEVICE_NOT_READ',
      'GATEWAY_SETTING_IGNORED',
    ])
    expect(shown.warnings).toEqual([
      'config.baud_rate is not a whole number from 300 to 1000000 and is not used',
      `device ${name} is not read: the device has no template`,
      'the gateway has no host and is not polled',
    ])
    const read = await turkishPreview(id)
    expect(read.devices).toMatchObject([{ problem: 'cihazın şablonu yok' }])
    expect(read.warnings).toEqual([
      'config.baud_rate, 300 ile 1000000 arasında bir tam sayı değil ve kullanılmıyor',
      `${name} cihazı okunmuyor: cihazın şablonu yok`,
      'ağ geçidinin adresi (host) yok; sorgulanmıyor',
    ])
  })

  it('and the sync are rejected for a Zigbee gateway', async () => {
    const id = await createGateway('zigbee')
    for (const response of [await call('GET', `/api/gateways/${id}/rawconfig/preview`), await sync(id)]) {
      expect([response.status, response.body.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
      expect(response.body.detail).toContain('zigbee2mqtt')
    }
  })

  it('may be read by a viewer, who may not sync', async () => {
    const { id } = await modbusGateway()
    const seen = await call('GET', `/api/gateways/${id}/rawconfig/preview`, undefined, tenant.viewer.token)
    const refused = await call('POST', `/api/gateways/${id}/rawconfig/sync`, undefined, tenant.viewer.token)
    expect([seen.status, refused.status]).toEqual([200, 403])
  })
})

describe('a sync', () => {
  it('stores each pushed configuration, and lists the changes against the last one', async () => {
    const { id, templateId, devices } = await modbusGateway(2)
    const before = await preview(id)
    const first = await sync(id)
    expect([first.status, first.body]).toMatchObject([
      200,
      { gateway_id: id, version: 1, sha256: before.sha256, is_new: true, config_state: 'in_sync' },
    ])
    expect(await preview(id)).toMatchObject({
      is_changed: false,
      next_version: 1,
      changes: [],
      changes_total: 0,
    })
    await call('DELETE', `/api/devices/${devices[1]}`)
    await call('PUT', `/api/devices/${devices[0]}`, { slave_id: 7 })
    await call('PUT', `/api/gateways/${id}`, { port: 1503, config: { keep_connection: false } })
    expect((await preview(id)).changes).toEqual([
      { kind: 'setting', template_id: null, name: 'port', change: 'changed', fields: [] },
      { kind: 'setting', template_id: null, name: 'config.keep_connection', change: 'added', fields: [] },
      { kind: 'device', template_id: null, name: devices[0], change: 'changed', fields: ['unit_id'] },
      { kind: 'device', template_id: null, name: devices[1], change: 'removed', fields: [] },
    ])
    const registers = REGISTERS.map((one) => (one.key === 'u1' ? { ...one, address: 8 } : one)).slice(0, 2)
    await api.deps.database.kysely
      .updateTable('device_template')
      .set({ register_map: toJson(mapDocument(registers, { groups: GROUPS })) })
      .where('id', '=', templateId)
      .execute()
    const { changes } = await preview(id)
    expect(changes).toContainEqual({
      ...{ kind: 'register', template_id: templateId, name: 'u1', change: 'changed', fields: ['address'] },
    })
    expect(changes).toContainEqual({
      ...{ kind: 'register', template_id: templateId, name: 'e', change: 'removed', fields: [] },
    })
    expect((await sync(id)).body).toMatchObject({ version: 2, is_new: true })
    expect((await sync(id)).body).toMatchObject({ version: 2, is_new: false })
    const rows = await api.deps.database.kysely
      .selectFrom('gateway_config')
      .select(['version', 'created_by', 'is_forced'])
      .where('gateway_id', '=', id)
      .orderBy('version')
      .execute()
    expect(rows).toEqual(
      [1, 2].map((version) => ({ version, created_by: tenant.admin.id, is_forced: false })),
    )
    await expect(
      api.deps.database.kysely.updateTable('gateway_config').set({ version: 9 }).execute(),
    ).rejects.toThrow('permission denied')
  })

  it('applies to the poller at once, and counts as reported', async () => {
    const { id } = await modbusGateway()
    const received: unknown[] = []
    const stop = api.deps.bus.on('gateways_changed', (event) => received.push(event))
    await sync(id)
    stop()
    expect(received).toEqual([{ tenantId: tenant.id, gatewayId: id }])
    const gateway = (await call('GET', `/api/gateways/${id}`)).body
    expect(gateway).toMatchObject({ config_state: 'in_sync', synced_version: 1, reported_version: 1 })
    expect(gateway.config_synced_at).toBe(gateway.reported_at)
  })

  it('is rejected for periods that the line cannot keep, unless forced', async () => {
    const { id } = await modbusGateway(9, await createTemplate(WIDE, SERIAL))
    const refused = await sync(id)
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { detail: 'poll group normal needs 1.8 s, period 1 s', error_code: 'BUS_TIME_EXCEEDED' },
    ])
    await createDevice({
      ...{ gateway_id: id, slave_id: 10 },
      template_id: await createTemplate(WIDE, { ...SERIAL, groups: { normal: 100 } }),
    })
    const several = 'poll group normal needs 0.2 s, period 0.1 s; poll group normal needs 1.8 s, period 1 s'
    expect((await sync(id)).body.detail).toBe(several)
    expect((await preview(id)).synced_version).toBeNull()
    const forced = await sync(id, { force: true })
    expect([forced.status, new Set(forced.body.warning_codes)]).toEqual([200, new Set(['BUS_TIME_EXCEEDED'])])
    expect((await sync(id, { force: 'perhaps' })).status).toBe(422)
  })

  it('assigns consecutive versions to concurrent syncs', async () => {
    const { id } = await modbusGateway()
    const both = await Promise.all([sync(id), sync(id)])
    expect(both.map(({ body }) => body.version)).toEqual([1, 1])
    expect(both.map(({ body }) => body.is_new).toSorted()).toEqual([false, true])
  })
})

describe('the pushed versions', () => {
  const versions = (id: string, more = '') => call('GET', `/api/gateways/${id}/rawconfig/versions${more}`)

  it('are listed and read with their configuration and the changes from another version', async () => {
    const { id, devices } = await modbusGateway()
    expect((await versions(id)).body).toEqual({ items: [], total: 0, skip: 0, limit: 50 })
    const hashes: string[] = []
    for (const port of [1502, 1503, 1504]) {
      await call('PUT', `/api/gateways/${id}`, { port })
      hashes.push((await sync(id)).body.sha256)
    }
    const list = (await versions(id, '?limit=2')).body
    expect(list).toMatchObject({ total: 3, skip: 0, limit: 2 })
    expect(list.items.map((one: { version: number }) => one.version)).toEqual([3, 2])
    expect((await versions(id, '?sort_order=asc&skip=1&limit=1')).body.items).toEqual([list.items[1]])

    const { body: second, headers } = await versions(id, '/2')
    expect(second).toEqual({
      ...list.items[1],
      ...{ gateway_id: id, version: 2, sha256: hashes[1], is_forced: false, created_by: tenant.admin.id },
      config: expect.objectContaining({
        gateway: expect.objectContaining({ id, port: 1503 }),
        devices: [expect.objectContaining({ id: devices[0], unit_id: 1 })],
      }),
      compared_with: 1,
      changes: [{ kind: 'setting', template_id: null, name: 'port', change: 'changed', fields: [] }],
      changes_total: 1,
    })
    const bytes = JSON.stringify(second.config)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hashes[1])
    expect(second.size_bytes).toBe(Buffer.byteLength(bytes))
    expect(headers.get('etag')).toMatch(/^"/)

    const first = (await versions(id, '/1')).body
    expect([first.compared_with, first.changes_total]).toEqual([null, first.changes.length])
    expect(first.changes).toContainEqual(
      expect.objectContaining({ kind: 'device', name: devices[0], change: 'added' }),
    )
    const [same, later] = [await versions(id, '/3?compare_with=3'), await versions(id, '/1?compare_with=3')]
    expect([same.body.changes, later.body.compared_with, later.body.changes_total]).toEqual([[], 3, 1])
  })

  it('refuse unknown versions, and are open to viewers of their tenant only', async () => {
    const { id } = await modbusGateway()
    await sync(id)
    expect((await versions(id, '/2')).body).toMatchObject({ detail: 'configuration version not found' })
    expect((await versions(id, '/0')).status).toBe(422)
    expect((await versions(id, '/1?compare_with=9')).body).toMatchObject({
      error_code: 'INVALID_REFERENCE',
      parameters: { field: 'compare_with' },
    })
    const path = `/api/gateways/${id}/rawconfig/versions`
    const { viewer } = tenant
    expect((await call('GET', `${path}/1`, undefined, viewer.token)).status).toBe(200)
    const other = await createTenant(api)
    for (const foreign of [path, `${path}/1`, `${path}/1?compare_with=9`]) {
      const response = await call('GET', foreign, undefined, other.admin.token)
      const unknown = await call('GET', foreign.replace(id, randomUUID()), undefined, other.admin.token)
      expect([response.status, response.body]).toEqual([404, unknown.body])
    }
    const removed = await createGateway('modbus')
    await sync(removed)
    expect((await versions(removed, '/1')).status).toBe(200)
    expect((await call('DELETE', `/api/gateways/${removed}`)).status).toBe(204)
    expect((await versions(removed, '/1')).status).toBe(404)
  })
})

describe('a gateway on a message broker', () => {
  const desired: BrokerMessage[] = []
  let stops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    stops = [
      await api.deps.broker.subscribe('ems/v1/+/+/config/desired', (message) => desired.push(message)),
      followConfigReports(api.deps),
    ]
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  async function brokerGateway() {
    const id = await createGateway('mqtt', { config: { site: 'north' } })
    const registers = REGISTERS.map((register) => ({ ...register, mqtt_path: `$.${register.key}` }))
    const templateId = await createTemplate(registers, { groups: GROUPS }, ['modbus_rtu', 'mqtt'])
    await createDevice({
      ...{ mqtt_gateway_id: id, slave_id: 3, template_id: templateId },
      extra_metadata: { external_id: 'meter-3' },
    })
    return id
  }
  const stateOf = async (id: string) => {
    const { body } = await call('GET', `/api/gateways/${id}`)
    return [body.config_state, body.reported_version]
  }
  const report = (id: string, body: unknown, uid = tenant.uid) =>
    api.deps.broker.publish(`ems/v1/${uid}/${id}/config/reported`, JSON.stringify(body))

  it('receives it retained, with the hash of its bytes', async () => {
    const id = await brokerGateway()
    const { body } = await sync(id)
    expect(body).toMatchObject({ version: 1, config_state: 'pending' })
    const message = desired.find(({ topic }) => topic === `ems/v1/${tenant.uid}/${id}/config/desired`)
    const text = message?.payload.toString() ?? ''
    const payload = JSON.parse(text)
    expect([payload.version, payload.sha256]).toEqual([1, body.sha256])
    const config = text.slice(text.indexOf('"config":') + '"config":'.length, -1)
    expect(createHash('sha256').update(config).digest('hex')).toBe(body.sha256)
    expect(payload.config).toMatchObject({
      format: 'ems-gateway-config/1',
      gateway: { id, type: 'mqtt', config: { site: 'north' } },
      devices: [{ unit_id: 3, external_id: 'meter-3' }],
    })
    const [map] = Object.values(payload.config.maps) as { registers: unknown[]; reads: unknown[] }[]
    expect([map?.registers.length, map?.reads.length]).toEqual([3, 2])
    // A later subscriber receives it too.
    const later: boolean[] = []
    const stop = await api.deps.broker.subscribe(`ems/v1/+/${id}/config/desired`, ({ isRetained }) =>
      later.push(isRetained),
    )
    await stop()
    expect(later).toEqual([true])
  })

  it('acknowledges it, or reports another configuration', async () => {
    const id = await brokerGateway()
    await report(id, { version: 3, sha256: 'a'.repeat(64), status: 'applied' })
    await waitFor(async () => (await stateOf(id))[0] === 'drift')
    const { sha256 } = (await sync(id)).body
    expect(await stateOf(id)).toEqual(['pending', 3])
    await report(id, { version: 1, sha256, status: 'applied' })
    await waitFor(async () => (await stateOf(id))[0] === 'in_sync')
    expect((await sync(id)).body).toMatchObject({ version: 1, is_new: false, config_state: 'in_sync' })
    await report(id, { version: 1, sha256: 'b'.repeat(64), status: 'applied' })
    await waitFor(async () => (await stateOf(id))[0] === 'drift')
    await report(id, { version: 1, sha256, status: 'rejected', reason: 'no such unit' })
    await waitFor(async () => (await stateOf(id))[0] === 'rejected')
    expect((await preview(id)).reported_reason).toBe('no such unit')
    await call('PUT', `/api/gateways/${id}`, { config: { site: 'south' } })
    expect((await sync(id)).body).toMatchObject({ version: 2, is_new: true, config_state: 'pending' })
    await report(id, { version: 1, sha256, status: 'applied' })
    await waitFor(async () => (await stateOf(id))[0] === 'pending')
  })

  it('of another tenant, or with an invalid report, changes nothing', async () => {
    const id = await brokerGateway()
    const other = await createTenant(api)
    await sync(id)
    await report(id, { version: 1, status: 'applied' }, other.uid)
    await report(id, { version: 'new' })
    await report(id, 'nonsense')
    await api.deps.broker.publish(`ems/v1/${tenant.uid}/${id}/config/reported`, Buffer.from([0xff, 0]))
    await report('nobody', { version: 1 })
    const good = await brokerGateway()
    await report(good, { version: 1, status: 'applied' })
    await waitFor(async () => (await stateOf(good))[0] === 'drift')
    expect(await stateOf(id)).toEqual(['pending', null])
  })

  it('receives it from a repeated sync after an outage of the broker, under the same version', async () => {
    const id = await brokerGateway()
    const { publish } = api.deps.broker
    const broker = api.deps.broker as { publish: typeof publish }
    broker.publish = () => Promise.reject(new Error('connection refused'))
    const failed = await sync(id)
    broker.publish = publish
    expect([failed.status, failed.body.error_code]).toEqual([503, 'BROKER_UNAVAILABLE'])
    const count = desired.length
    expect((await sync(id)).body).toMatchObject({ version: 1, is_new: false, config_state: 'pending' })
    expect(desired.length).toBe(count + 1)
  })
})
