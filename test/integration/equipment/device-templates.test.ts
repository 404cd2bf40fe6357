import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureSystemTemplates } from '../../../src/areas/equipment/device-templates/index.ts'
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
  await ensureSystemTemplates(api.deps)
})
afterAll(() => api.close())

const TEMPLATES = '/api/devices/device-templates'
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenantA.admin.token, body })

async function template(body: object = {}) {
  count += 1
  const whole = { name: `template ${count}`, device_type: 'energy_analyzer', ...body }
  const response = await call('POST', TEMPLATES, whole)
  expect(response.status, response.text).toBe(201)
  return response.body
}
const systemTemplate = async (name: string, tenant = tenantA) => {
  const { body } = await api.call('GET', `${TEMPLATES}?limit=200`, { token: tenant.viewer.token })
  return body.items.find((item: { name: string }) => item.name === name)
}

/** Uploads a file as curl does. */
const upload = (id: string, text: string, headers: Record<string, string>) =>
  fetch(`${api.url}${TEMPLATES}/${id}/register-map`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tenantA.admin.token}`, ...headers },
    body: text,
  })
const download = (id: string, format: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${TEMPLATES}/${id}/register-map/download?format=${format}`, {
    headers: { authorization: `Bearer ${tenantA.viewer.token}`, ...headers },
  })
const CSV = { 'content-type': 'text/csv' }
const JSON_TYPE = { 'content-type': 'application/json' }

const map = {
  format: 'ems-register-map/1',
  vendor: 'Eastron',
  model: 'SDM630',
  transports: ['modbus_tcp', 'mqtt'],
  registers: [
    {
      key: 'import_energy',
      metric: 'import_active_energy',
      address: 72,
      function: 4,
      type: 'float32',
      unit: 'kWh',
      kind: 'cumulative_counter',
      precision: 3,
      mqtt_path: '$.ENERGY.Total',
    },
  ],
  tests: [{ frame: '0104044499999A', registers: '72+2', expect: { import_energy: 1228.8 } }],
}

describe('the register map of a template', () => {
  it('may change while devices use it, and notes how many can no longer be read', async () => {
    const { id } = await template({ protocols: ['modbus_tcp', 'mqtt'] })
    const path = `${TEMPLATES}/${id}/register-map`
    const notesAfter = async (transports: string[]) => {
      const { status, body } = await call('PUT', path, { ...map, transports })
      expect(status).toBe(200)
      return body.notes.map(({ note }: { note: string }) => note)
    }
    for (const [gateway_type, binding] of [
      ['modbus', 'gateway_id'],
      ['mqtt', 'mqtt_gateway_id'],
    ] as const) {
      const gateway = await call('POST', '/api/gateways', { name: `${gateway_type} of notes`, gateway_type })
      const device = { name: 'm', device_type: 'meter', device_source: 'modbus', template_id: id }
      const created = await call('POST', '/api/devices', { ...device, [binding]: gateway.body.id })
      expect(created.status, created.text).toBe(201)
    }
    expect(await notesAfter(['modbus_rtu', 'mqtt'])).toEqual([])
    expect(await notesAfter(['modbus_tcp'])).toEqual([
      "1 of the template's devices stand behind gateways on a message broker, which it no longer serves",
    ])
    expect(await notesAfter(['mqtt'])).toEqual([
      "1 of the template's devices stand behind Modbus gateways, which it no longer serves",
    ])
    const inTurkish = await api.call('PUT', path, {
      ...{ token: tenantA.admin.token, headers: { 'accept-language': 'tr' } },
      body: { ...map, transports: ['mqtt'] },
    })
    expect(inTurkish.body.notes).toEqual([
      {
        key: null,
        note: 'şablonun 1 cihazı Modbus ağ geçitlerinin arkasında; şablon bunları artık desteklemiyor',
      },
    ])
  })

  it('decodes recorded frames without being stored', async () => {
    const path = `${TEMPLATES}/run-frames`
    const run = (body: object) => api.call('POST', path, { token: tenantA.viewer.token, body })
    const frames = [
      ...map.tests,
      { ...map.tests[0], expect: { import_energy: 1 } },
      { ...map.tests[0], expect: {} },
    ]
    const { status, body } = await run({ ...map, tests: frames })
    expect(status).toBe(200)
    expect(body).toMatchObject({ matched: 1, differing: 1 })
    expect(body.frames.map(({ values }: { values: object[] }) => values[0])).toEqual(
      [
        { expected: 1228.8, is_match: true },
        { expected: 1, is_match: false },
        { expected: null, is_match: null },
      ].map((one) => ({
        ...{
          key: 'import_energy',
          metric: 'import_active_energy',
          unit: 'kWh',
          actual: 1228.8,
          problem: null,
        },
        ...one,
      })),
    )
    const faulty = await run({
      ...map,
      registers: [{ ...map.registers[0], unit: 'V' }],
      tests: [{ frame: 'X' }],
    })
    expect(faulty.status).toBe(422)
    expect(faulty.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([
      'body.registers.0.unit',
      'body.tests.0.frame',
    ])
    expect((await run([])).status).toBe(422)
  })

  it('runs the golden frames of each template of the service', async () => {
    const { body } = await api.call('GET', `${TEMPLATES}?limit=200`, { token: tenantA.viewer.token })
    const own = body.items.filter(({ is_system }: { is_system: boolean }) => is_system)
    expect(own.length).toBeGreaterThan(20)
    for (const { name, register_map } of own) {
      const result = await api.call('POST', `${TEMPLATES}/run-frames`, {
        ...{ token: tenantA.viewer.token, body: register_map },
      })
      expect(result.body, name).toMatchObject({ differing: 0 })
      expect(result.body.matched, name).toBeGreaterThan(0)
    }
  })

  it('is uploaded, sets the protocols, and is downloaded unchanged as JSON and as CSV', async () => {
    const { id } = await template()
    const response = await call('PUT', `${TEMPLATES}/${id}/register-map`, map)
    expect(response.status, response.text).toBe(200)
    expect(response.body).toMatchObject({
      id,
      vendor: 'Eastron',
      protocols: ['modbus_tcp', 'mqtt'],
      register_map: { registers: [{ type: 'f32', scale: 1, enum: null }] },
      notes: [],
    })
    const json = await (await download(id, 'json')).json()
    expect(json).toEqual(response.body.register_map)
    const csv = await download(id, 'csv')
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="template-\d+\.csv"$/)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')

    const other = await template()
    const again = await upload(other.id, Buffer.from(await csv.arrayBuffer()).toString(), CSV)
    expect(again.status).toBe(200)
    expect(await (await download(other.id, 'json')).json()).toEqual(json)
  })

  it('is refused with every fault and its path', async () => {
    const { id } = await template()
    const path = `${TEMPLATES}/${id}/register-map`
    const [register] = map.registers
    const broken = {
      ...map,
      registers: [
        { ...register, unit: 'V', poll_group: 'never' },
        { key: 'x', type: 'u16' },
      ],
    }
    const response = await call('PUT', path, broken)
    expect(response.status).toBe(422)
    expect(response.body.detail).toMatchObject([
      { loc: ['body', 'registers', 1, 'kind'], msg: "must have required property 'kind'", type: 'missing' },
      {
        loc: ['body', 'registers', 0, 'unit'],
        msg: expect.stringContaining('kept in kWh'),
        type: 'value_error',
      },
    ])
    const csv = `#format,ems-register-map/1\n#transports,modbus_tcp\nkey,type,kind,address\na,u99,gauge,1\n`
    const faults = await (await upload(id, csv, CSV)).json()
    expect(faults).toMatchObject({ detail: [{ loc: ['body', 'line', 4, 'type'] }] })
    expect((await call('GET', `${TEMPLATES}/${id}`)).body.register_map).toBeNull()
    expect((await download(id, 'json')).status).toBe(404)
  })

  it('is refused with texts in the language of the client, with code and parameters', async () => {
    const { id } = await template()
    const [register] = map.registers
    const response = await fetch(`${api.url}${TEMPLATES}/${id}/register-map`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${tenantA.admin.token}`,
        'accept-language': 'tr',
        ...JSON_TYPE,
      },
      body: JSON.stringify({
        ...map,
        registers: [{ ...register, count: 3, poll_group: 'never' }],
        tests: [],
      }),
    })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-language')).toBe('tr')
    expect(await response.json()).toMatchObject({
      detail: [
        {
          loc: ['body', 'registers', 0, 'count'],
          msg: 'f32 türünde şu değerlerden biri olmalı: 2',
          message_code: 'MAP_COUNT_OF_TYPE',
          parameters: { counts: 2, type: 'f32' },
        },
        {
          loc: ['body', 'registers', 0, 'poll_group'],
          msg: 'never bu haritada bir grup değil',
          message_code: 'MAP_GROUP_UNKNOWN',
          parameters: { group: 'never' },
        },
      ],
    })
  })

  it('is refused when a golden frame decodes to another value, with both values', async () => {
    const { id } = await template()
    const tests = [{ ...map.tests[0], expect: { import_energy: 1228.9 } }]
    const response = await call('PUT', `${TEMPLATES}/${id}/register-map`, { ...map, tests })
    expect(response.status).toBe(422)
    expect(response.body.detail).toMatchObject([
      {
        loc: ['body', 'tests', 0, 'expect', 'import_energy'],
        type: 'golden_frame',
        expected: 1228.9,
        actual: 1228.8,
      },
    ])
  })

  it('refuses other content types, text that is not UTF-8, and text that cannot be stored', async () => {
    const { id } = await template()
    expect((await upload(id, 'a', { 'content-type': 'application/xml' })).status).toBe(415)
    expect((await upload(id, '"text"', JSON_TYPE)).status).toBe(422)
    const latin = await fetch(`${api.url}${TEMPLATES}/${id}/register-map`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tenantA.admin.token}`, ...CSV },
      body: Buffer.from([0x6b, 0xfd]),
    })
    expect(latin.status).toBe(422)
    const nul = `#format,ems-register-map/1\n#notes,a\0b\n#transports,mqtt\nkey,metric,type,kind,mqtt_path\na,a,f64,gauge,$.a\n`
    expect(await (await upload(id, nul, CSV)).text()).toContain('NUL')
  })

  it('has an ETag: 304 for an unchanged download, 412 for an upload after a change', async () => {
    const { id } = await template({ register_map: map })
    const first = await download(id, 'csv')
    const etag = first.headers.get('etag') ?? ''
    expect((await download(id, 'csv', { 'if-none-match': etag })).status).toBe(304)
    const text = JSON.stringify({ ...map, version: '2' })
    expect((await upload(id, text, { ...JSON_TYPE, 'if-match': etag })).status).toBe(200)
    expect((await upload(id, text, { ...JSON_TYPE, 'if-match': etag })).status).toBe(412)
    expect((await upload(id, text, { ...JSON_TYPE, 'if-match': '*' })).status).toBe(200)
    expect((await upload(id, text, { ...JSON_TYPE, 'if-match': 'not a tag' })).status).toBe(422)
    const empty = await template({})
    expect((await upload(empty.id, text, { ...JSON_TYPE, 'if-match': '*' })).status).toBe(412)
    expect((await download(id, 'csv', { 'if-none-match': etag })).status).toBe(200)
  })

  it('is also checked within a template when it has a format', async () => {
    const { protocols } = await template({ register_map: map })
    expect(protocols).toEqual(['modbus_tcp', 'mqtt'])
    const wrong = { name: 'wrong', device_type: 'meter', register_map: { ...map, transports: [] } }
    const refused = await call('POST', TEMPLATES, wrong)
    expect(refused.body.detail[0].loc).toEqual(['body', 'register_map', 'transports'])
    const unfit = await call('POST', TEMPLATES, { ...wrong, register_map: map, protocols: ['zigbee'] })
    expect(unfit.body.detail[0].loc).toEqual(['body', 'protocols'])
    const free = await template({ register_map: { registers: [] } })
    expect((await download(free.id, 'json')).status).toBe(200)
    expect((await download(free.id, 'csv')).status).toBe(409)
  })
})

describe('system templates', () => {
  it('exist in every tenant under the same id, with their sources', async () => {
    const mine = await systemTemplate('Eastron SDM630')
    expect(mine).toMatchObject({ is_system: true, register_map: { source: { title: expect.any(String) } } })
    expect((await systemTemplate('Eastron SDM630', tenantB)).id).toBe(mine.id)
    const listed = await call('GET', `${TEMPLATES}?limit=200`)
    const system = listed.body.items.filter((item: { is_system: boolean }) => item.is_system)
    expect(system.length).toBeGreaterThanOrEqual(12)
  })

  it('can be downloaded and used but not changed; own templates may have the same name', async () => {
    const { id } = await systemTemplate('Tasmota energy')
    expect((await call('PUT', `${TEMPLATES}/${id}/register-map`, map)).status).toBe(409)
    expect((await call('DELETE', `${TEMPLATES}/${id}`)).status).toBe(409)
    const csv = await (await download(id, 'csv')).text()
    const own = await template({ name: 'Tasmota energy' })
    expect((await upload(own.id, csv, CSV)).status).toBe(200)
    const again = await call('POST', TEMPLATES, { name: 'Tasmota energy', device_type: 'x' })
    expect(again.status).toBe(409)
  })

  it('are inserted into a new tenant', async () => {
    const created = await api.call('POST', '/api/v1/admin/tenants', {
      token: tenantA.superuser.token,
      body: {
        name: 'newborn',
        admin_email: 'newborn@example.test',
        admin_password: 'a password of 12',
        admin_full_name: 'New Born',
      },
    })
    expect(created.status, created.text).toBe(201)
    const rows = await api.deps.database.kysely
      .selectFrom('device_template as t')
      .innerJoin('tenant', 'tenant.id', 't.tenant_id')
      .select('t.name')
      .where('tenant.uid', '=', created.body.id)
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(12)
  })

  it('are restored and updated at start', async () => {
    const { id } = await systemTemplate('Eastron SDM120')
    const { kysely } = api.deps.database
    await kysely.updateTable('device_template').set({ model: 'old' }).where('id', '=', id).execute()
    const sdm630 = await systemTemplate('Eastron SDM630')
    await kysely.deleteFrom('device_template').where('id', '=', sdm630.id).execute()
    await ensureSystemTemplates(api.deps)
    expect((await systemTemplate('Eastron SDM120', tenantB)).model).toBe('SDM120')
    expect(await systemTemplate('Eastron SDM630')).toMatchObject({ id: sdm630.id })
  })
})

describe('MQTT-bound device', () => {
  const refusal = async (deviceId: string, body: object) => {
    const response = await call('PUT', `/api/devices/${deviceId}`, body)
    expect(response.status, response.text).toBe(422)
    return response.body
  }

  it('requires a template with MQTT', async () => {
    const gateway = await call('POST', '/api/gateways', { name: 'broker', gateway_type: 'mqtt' })
    const device = await call('POST', '/api/devices', { name: 'meter', device_type: 'energy_analyzer' })
    const { id } = device.body
    const bind = { mqtt_gateway_id: gateway.body.id }
    const flat = { error_code: 'MQTT_TEMPLATE_REQUIRED', message: expect.any(String), device_id: id }
    expect(await refusal(id, bind)).toMatchObject({ ...flat, current_template_id: null })
    expect(await refusal(id, { ...bind, template_id: '' })).toMatchObject({
      ...flat,
      current_template_id: null,
    })
    const modbusOnly = await systemTemplate('Eastron SDM630')
    expect(await refusal(id, { ...bind, template_id: modbusOnly.id })).toMatchObject(flat)

    const tasmota = await systemTemplate('Tasmota energy')
    const bound = await call('PUT', `/api/devices/${id}`, { ...bind, template_id: tasmota.id })
    expect(bound.status, bound.text).toBe(200)
    expect(await refusal(id, { template_id: '' })).toMatchObject({ ...flat, current_template_id: tasmota.id })
    expect(await refusal(id, { template_id: modbusOnly.id })).toMatchObject({
      current_template_id: tasmota.id,
    })
    expect((await call('PUT', `/api/devices/${id}`, { name: 'renamed' })).status).toBe(200)
  })
})

describe('template imports', () => {
  it('create a template from a SunSpec model and from the exposes of a Zigbee device', async () => {
    const points = [
      { name: 'ID', type: 'uint16', size: 1 },
      { name: 'L', type: 'uint16', size: 1 },
      { name: 'WH', type: 'acc32', size: 2, sf: 'WH_SF', units: 'Wh' },
      { name: 'WH_SF', type: 'sunssf', size: 1 },
    ]
    const sunspec = { name: 'from a model', device_type: 'inverter', base_address: 40_069 }
    const created = await call('POST', `${TEMPLATES}/import?format=sunspec`, {
      ...sunspec,
      document: { id: 103, group: { name: 'inverter', points } },
    })
    expect(created.status, created.text).toBe(201)
    expect(created.body).toMatchObject({
      protocols: ['modbus_tcp', 'modbus_rtu'],
      register_map: {
        registers: [{ metric: 'production_active_energy', address: 40_071 }, { key: 'WH_SF' }],
      },
      notes: [],
    })
    const zigbee = await call('POST', `${TEMPLATES}/import?format=zigbee2mqtt`, {
      name: 'from exposes',
      device_type: 'plug',
      document: { vendor: 'V', exposes: [{ type: 'numeric', property: 'power', unit: 'W', access: 1 }] },
    })
    expect(zigbee.body).toMatchObject({ vendor: 'V', protocols: ['mqtt', 'zigbee'] })
    const inTurkish = await api.call('POST', `${TEMPLATES}/import?format=zigbee2mqtt`, {
      ...{ token: tenantA.admin.token, headers: { 'accept-language': 'tr' } },
      body: {
        ...{ name: 'with a note', device_type: 'plug' },
        document: {
          exposes: [
            { type: 'numeric', property: 'power', unit: 'W', access: 1 },
            { type: 'numeric', property: 'energy_today', unit: 'kWh', access: 1 },
          ],
        },
      },
    })
    expect(inTurkish.body.notes).toEqual([
      { key: 'energy_today', note: 'her dönemde yeniden başladığından sayaç değil; dışarıda bırakıldı' },
    ])
    const refused = await call('POST', `${TEMPLATES}/import?format=sunspec`, { ...sunspec, document: {} })
    expect(refused.body.detail[0].loc).toEqual(['body', 'document', 0])
  })
})
