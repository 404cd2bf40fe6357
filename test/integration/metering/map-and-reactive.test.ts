import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpDevice } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let hall: string
let region: string

const HOUR = 3_600_000
const MIDNIGHT = Date.parse('2026-11-05T00:00:00+03:00')

beforeAll(async () => {
  api = await startApi({ now: '2026-11-05T12:20:00+03:00' })
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  region = (await post('/api/regions', { name: 'OSB' })).id
  hall = (
    await post('/api/subregions', {
      name: 'Hol',
      region_id: region,
      latitude: 40.1,
      longitude: 29.2,
      contracted_power_kw: 40,
    })
  ).id
})
afterAll(() => api.close())

const post = async (path: string, body: object) => {
  const response = await api.call('POST', path, { token: ownTenant.admin.token, body })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}
const get = (path: string, tenant = ownTenant) =>
  api.call('GET', `/api/measurements${path}`, { token: tenant.viewer.token })
async function device(name: string, body: object = {}): Promise<TestDevice> {
  const { id } = await post('/api/devices', { name, device_type: 'energy_analyzer', ...body })
  return api.deps.database.kysely
    .selectFrom('device')
    .select(['id', 'key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
const assign = (meter: TestDevice, measurement_role: string, subregion_id = hall) =>
  post('/api/mahsuplasma/meters/assign', {
    subregion_id,
    device_id: meter.id,
    measurement_role,
    valid_from: '2026-10-01T00:00:00+03:00',
  })

describe('map', () => {
  it('shows positions and current values, rolled up or not', async () => {
    const gateway = await post('/api/gateways', {
      name: 'Pano',
      gateway_type: 'modbus',
      subregion_id: hall,
    })
    const main = await device('a main', { gateway_id: gateway.id })
    const sub = await device('b sub', {
      parent_id: main.id,
      gateway_id: gateway.id,
      extra_metadata: { latitude: 41, longitude: 'east' },
    })
    const plant = await device('c plant', { device_type: 'inverter', device_role: 'inverter' })
    const silent = await device('d silent')
    await assign(plant, 'main_production')
    const samples = Array.from({ length: 16 }, (_, step) => MIDNIGHT + (step - 3) * HOUR).flatMap(
      (at, step) => [
        sample(main, at, { import_active_energy: 100 + step * 2, active_power: 2 + step }),
        sample(sub, at, { import_active_energy: 7 + step }),
        sample(plant, at, { production_active_energy: 10 + step * 0.5, active_power: -5 }),
      ],
    )
    const tail = sample(main, MIDNIGHT + 12 * HOUR + 600_000, { import_active_energy: 130.25 })
    expect((await postSamples(api, ownTenant, [...samples, tail])).status).toBe(201)
    for (const { key } of [main, plant])
      await rollUpDevice(api.deps, { tenantId: ownTenant.id, deviceKey: key })

    const { status, body } = await get('/map-data')
    expect(status).toBe(200)
    const location = { subregion_id: hall, latitude: 40.1, longitude: 29.2 }
    expect(body.devices).toMatchObject([
      {
        ...{ name: 'a main', ...location, active_power_kw: 17 },
        ...{ energy_today_kwh: 24.25, production_today_kwh: null },
      },
      { name: 'b sub', ...location, latitude: 41, active_power_kw: null, energy_today_kwh: 12 },
      { name: 'c plant', ...location, active_power_kw: -5, energy_today_kwh: null, production_today_kwh: 6 },
      { name: 'd silent', subregion_id: null, latitude: null, is_online: false, energy_today_kwh: null },
    ])
    expect(body.subregions).toEqual([
      expect.objectContaining({
        ...{ id: hall, name: 'Hol', device_count: 3, active_power_kw: 17 },
        ...{ energy_today_kwh: 24.25, production_today_kwh: 6 },
      }),
    ])
    expect(body).toMatchObject({ is_truncated: false, timestamp: '2026-11-05T09:20:00.000Z' })
    expect((await get(`/map-data?region_id=${region}`)).body.devices).toHaveLength(3)
    expect((await get(`/map-data?subregion_id=${crypto.randomUUID()}`)).body).toMatchObject({ devices: [] })
    expect((await get('/map-data', otherTenant)).body).toMatchObject({ devices: [], subregions: [] })
    expect(silent.key).toBeGreaterThan(0)
  })
})

describe('reactive energy ratio', () => {
  const days = (count: number) => Array.from({ length: count }, (_, day) => MIDNIGHT - (4 - day) * 24 * HOUR)

  it('of a meter is computed from its registers, by day and month, with the limits of its subregion', async () => {
    const meter = await device('m1')
    await assign(meter, 'main_consumption')
    // 100 kWh a day; inductive 30, 34, 40 and 20 kvarh, capacitive none, then 25.
    const inductive = [0, 30, 64, 104, 124]
    const capacitive = [0, 0, 0, 0, 25]
    const samples = days(5).map((at, day) =>
      sample(meter, at, {
        import_active_energy: 1_000 + day * 100,
        inductive_reactive_energy: 500 + (inductive[day] ?? 0),
        capacitive_reactive_energy: capacitive[day] ?? 0,
      }),
    )
    expect((await postSamples(api, ownTenant, samples)).status).toBe(201)
    const { status, body } = await get(`/reactive-ratio?device_id=${meter.id.toUpperCase()}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ device_id: meter.id, subregion_id: hall, contracted_power_kw: 40 },
      limits: { power_class: 'below_50_kva', inductive_limit_pct: 33, capacitive_limit_pct: 20 },
      start: '2026-10-31T21:00:00.000Z',
      total: {
        ...{ active_energy_kwh: 400, inductive_reactive_energy_kvarh: 124, inductive_ratio_pct: 31 },
        ...{ capacitive_ratio_pct: 6.25, inductive_status: 'warning', capacitive_status: 'ok' },
        status: 'warning',
      },
      meters: [{ device_name: 'm1', has_reactive: true }],
    })
    expect(
      body.data.map((row: Record<string, unknown>) => [row['inductive_ratio_pct'], row['status']]),
    ).toEqual([
      [30, 'warning'],
      [34, 'exceeded'],
      [40, 'exceeded'],
      [20, 'exceeded'],
      // Today has one reading so far; the rest is not known yet.
      [null, 'unknown'],
    ])
    const large = await get(`/reactive-ratio?device_id=${meter.id}&contracted_power_kw=50&interval=monthly`)
    expect(large.body).toMatchObject({
      limits: { inductive_limit_pct: 20, capacitive_limit_pct: 15, source: expect.stringMatching('5999-3') },
      data: [{ timestamp: '2026-10-31T21:00:00.000Z', inductive_ratio_pct: 31, status: 'exceeded' }],
      total: { status: 'exceeded' },
    })
  })

  it('of a subregion uses its main meters, and the power of the facility before that of the subregion', async () => {
    const other = (await post('/api/subregions', { name: 'Depo', region_id: region })).id
    const [a, b] = [await device('p1'), await device('p2')]
    await assign(a, 'main_consumption', other)
    await assign(b, 'check_meter', other)
    const samples = days(3).flatMap((at, day) => [
      sample(a, at, { import_active_energy: day * 10, inductive_reactive_energy: day * 3 }),
      sample(b, at, { import_active_energy: day * 1_000 }),
    ])
    expect((await postSamples(api, ownTenant, samples)).status).toBe(201)
    const read = async () => (await get(`/reactive-ratio?subregion_id=${other}`)).body
    expect(await read()).toMatchObject({
      ...{ device_id: null, subregion_id: other, contracted_power_kw: null },
      limits: { power_class: 'unknown', inductive_limit_pct: null },
      total: {
        active_energy_kwh: 20,
        inductive_ratio_pct: 30,
        capacitive_ratio_pct: null,
        status: 'unknown',
      },
      meters: [{ device_id: a.id }],
    })
    await post('/api/mahsuplasma/facilities', {
      subregion_id: other,
      contracted_power_kw: '60',
      valid_from: '2026-01-01',
    })
    expect(await read()).toMatchObject({
      contracted_power_kw: 60,
      total: { inductive_status: 'exceeded', status: 'exceeded' },
    })
  })

  it('of a subregion without assigned meters uses the top-level devices that have registers', async () => {
    const third = (await post('/api/subregions', { name: 'Ofis', region_id: region })).id
    const gateway = await post('/api/gateways', {
      name: 'Ofis panosu',
      gateway_type: 'modbus',
      subregion_id: third,
    })
    const fields = { gateway_id: gateway.id }
    const top = await device('o1', fields)
    const bare = await device('o2', fields)
    const below = await device('o3', { ...fields, parent_id: top.id })
    const samples = days(2).flatMap((at, day) => [
      sample(top, at, { import_active_energy: day * 10, capacitive_reactive_energy: day }),
      sample(bare, at, { import_active_energy: day * 500 }),
      sample(below, at, { import_active_energy: day * 5, capacitive_reactive_energy: day * 5 }),
    ])
    expect((await postSamples(api, ownTenant, samples)).status).toBe(201)
    const { body } = await get(`/reactive-ratio?subregion_id=${third}&contracted_power_kw=9`)
    expect(body).toMatchObject({
      limits: { power_class: 'exempt' },
      total: { active_energy_kwh: 10, capacitive_ratio_pct: 10, status: 'ok' },
      meters: [
        { device_name: 'o1', has_reactive: true },
        { device_name: 'o2', has_reactive: false },
      ],
    })
  })

  it('is null without data, and requires either a meter or a subregion', async () => {
    const { id } = await device('nothing')
    expect((await get(`/reactive-ratio?device_id=${id}`)).body).toMatchObject({
      ...{ data: [], subregion_id: null },
      total: { active_energy_kwh: null, inductive_ratio_pct: null, status: 'unknown', is_estimated: false },
    })
    expect((await get('/reactive-ratio')).status).toBe(422)
    expect((await get(`/reactive-ratio?device_id=${id}&subregion_id=${hall}`)).status).toBe(422)
    const responses = await Promise.all([
      get(`/reactive-ratio?device_id=${id}`, otherTenant),
      get(`/reactive-ratio?device_id=${crypto.randomUUID()}`, otherTenant),
      get(`/reactive-ratio?subregion_id=${hall}`, otherTenant),
    ])
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(responses[0]?.text).toBe(responses[1]?.text)
  })
})
