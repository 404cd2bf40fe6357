import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpDevice } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { postSamples, readAggregated, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant

beforeAll(async () => {
  api = await startApi({ now: '2026-11-05T12:30:00Z' })
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const post = async (path: string, body: object) => {
  const response = await api.call('POST', path, { token: tenantA.admin.token, body })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}
const get = (path: string) => api.call('GET', path, { token: tenantA.viewer.token })
const device = (name: string, body: object = {}) =>
  post('/api/devices', { name, device_type: 'energy_analyzer', ...body })
const keyOf = async (id: string): Promise<TestDevice> =>
  api.deps.database.kysely
    .selectFrom('device')
    .select(['id', 'key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('device tree', () => {
  it('contains descendants and ancestors of a device with their gateways and subregions', async () => {
    const region = await post('/api/regions', { name: 'OSB' })
    const hall = await post('/api/subregions', { name: 'Hol', region_id: region.id })
    const gateway = await post('/api/gateways', {
      name: 'Pano',
      gateway_type: 'modbus',
      subregion_id: hall.id,
    })
    const top = await device('ana', { gateway_id: gateway.id })
    const press = await device('pres', { parent_id: top.id })
    const line = await device('hat', { parent_id: top.id, gateway_id: gateway.id })
    const motor = await device('motor', { parent_id: line.id })

    const { body } = await get(`/api/devices/${line.id}/hierarchy`)
    const paths = { gateway: { id: gateway.id, name: 'Pano' }, subregion: { id: hall.id, name: 'Hol' } }
    expect(body).toMatchObject({ id: line.id, name: 'hat', ...paths, total: 1, is_truncated: false })
    expect(body.ancestors).toEqual([expect.objectContaining({ id: top.id, ...paths })])
    expect(body.children).toEqual([
      expect.objectContaining({ id: motor.id, gateway: null, subregion: null, children: [] }),
    ])

    const whole = (await get(`/api/devices/${top.id.toUpperCase()}/hierarchy`)).body
    expect(whole.children.map(({ name }: { name: string }) => name)).toEqual(['hat', 'pres'])
    expect(whole).toMatchObject({
      total: 3,
      ancestors: [],
      children: [{ children: [{ name: 'motor' }] }, {}],
    })
    expect((await get(`/api/devices/${top.id}/hierarchy?max_depth=1`)).body).toMatchObject({
      total: 2,
      is_truncated: true,
      children: [{ children: [] }, { children: [] }],
    })
    expect((await get(`/api/devices/${top.id}/hierarchy?max_depth=21`)).status).toBe(422)

    const children = await get(`/api/devices/${top.id}/children?limit=1`)
    expect(children.headers.get('x-total-count')).toBe('2')
    expect(children.body).toEqual([(await get(`/api/devices/${line.id}`)).body])
    expect((await get(`/api/devices/${press.id}/children`)).body).toEqual([])
  })

  it('is truncated when it is too large, the lowest level first', async () => {
    const top = await device('wide')
    const rows = Array.from({ length: 2_005 }, (_, index) => ({
      tenant_id: tenantA.id,
      name: `below ${index}`,
      device_type: 'meter',
      device_source: 'manual',
      parent_id: top.id,
    }))
    await api.deps.database.kysely.insertInto('device').values(rows).execute()
    const { body } = await get(`/api/devices/${top.id}/hierarchy`)
    expect(body).toMatchObject({ total: 2_000, is_truncated: true })
    const below = body.children[0].id
    await device('lowest', { parent_id: below })
    expect((await get(`/api/devices/${top.id}/hierarchy`)).body.total).toBe(2_000)
  })

  it('contains devices of the own tenant only', async () => {
    const { id } = await device('ours')
    for (const path of ['hierarchy', 'children', 'energy-consumption']) {
      const response = await api.call('GET', `/api/devices/${id}/${path}`, { token: tenantB.viewer.token })
      expect(response.status, path).toBe(404)
    }
  })
})

describe('energy of a device', () => {
  const hours = (day: number, count: number) =>
    Array.from({ length: count }, (_, hour) => Date.UTC(2026, 10, day, hour))

  it('equals the aggregates, rolled up or not, with exact totals', async () => {
    const main = await keyOf((await device('main')).id)
    const sub = await keyOf((await device('sub', { parent_id: main.id })).id)
    const plant = await keyOf(
      (await device('plant', { parent_id: main.id, device_type: 'inverter', device_role: 'inverter' })).id,
    )
    const samples = hours(5, 12).flatMap((at, step) => [
      sample(main, at, {
        import_active_energy: 1_000 + step * 0.7,
        export_active_energy: 5 + step * 0.1,
      }),
      sample(sub, at, { import_active_energy: 50 + step * 0.2 }),
      sample(plant, at, { production_active_energy: 300 + step * 1.3 }),
    ])
    expect((await postSamples(api, tenantA, samples)).status).toBe(201)
    const range = 'start=2026-11-05T00:00:00Z&end=2026-11-05T12:00:00Z'
    for (const isRolled of [false, true]) {
      if (isRolled) {
        for (const { key } of [main, sub, plant]) {
          await rollUpDevice(api.deps, { tenantId: tenantA.id, deviceKey: key })
        }
      }
      const { body } = await get(`/api/devices/${main.id}/energy-consumption?${range}&include_children=true`)
      expect(body.totals).toEqual({
        consumption_kwh: 7.7,
        production_kwh: null,
        export_kwh: 1.1,
        is_estimated: false,
        data_quality: 'partial',
      })
      const rows = await readAggregated(api, tenantA, `/devices/${main.id}/aggregated?${range}`)
      expect(body.data.map((row: { consumption_kwh: number }) => row.consumption_kwh)).toEqual(
        rows.map(({ total_energy }) => total_energy),
      )
      expect(body.children).toMatchObject([
        { device_id: plant.id, totals: { consumption_kwh: null, production_kwh: 14.3, export_kwh: null } },
        { device_id: sub.id, device_name: 'sub', totals: { consumption_kwh: 2.2 } },
      ])
      expect(body).toMatchObject({
        children_consumption_kwh: 2.2,
        not_submetered_kwh: 5.5,
        children_truncated: false,
      })
    }
    for (const interval of ['daily', 'monthly']) {
      const { body } = await get(`/api/devices/${plant.id}/energy-consumption?${range}&interval=${interval}`)
      expect(body.totals.production_kwh).toBe(14.3)
      expect(body.children).toBeUndefined()
    }
  })

  it('is null without data, and is rejected for an invalid range', async () => {
    const { id } = await device('silent')
    const { body } = await get(`/api/devices/${id}/energy-consumption?include_children=true`)
    expect(body).toMatchObject({ data: [], children: [], not_submetered_kwh: null })
    expect(body.totals).toEqual({
      consumption_kwh: null,
      production_kwh: null,
      export_kwh: null,
      is_estimated: false,
      data_quality: 'missing',
    })
    const path = `/api/devices/${id}/energy-consumption`
    expect((await get(`${path}?start=2026-11-05&end=2026-11-04`)).status).toBe(422)
    expect((await get(`${path}?interval=weekly`)).status).toBe(422)
  })
})
