import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { addFacts, addSamples, type FactSpec, hourlyFacts } from '../../support/netting/energy.ts'
import { makeFacility, makeMeter, type TestFacility, type TestMeter } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T12:30:00+03:00')
const MIDNIGHT = Date.parse('2026-11-20T00:00:00+03:00')
const YESTERDAY = MIDNIGHT - 24 * HOUR_MS

let api: TestApi
let tenant: TestTenant
let otherTenant: TestTenant
/** A plant with a production and a boundary meter, and a hall with a consumption meter. */
let plant: TestFacility
let hall: TestFacility

beforeAll(async () => {
  api = await startApi({ now: new Date(NOW).toISOString() })
  tenant = await createTenant(api)
  otherTenant = await createTenant(api)
  plant = await makeFacility(api.deps, tenant, {
    name: 'a plant',
    meters: ['main_production', 'pcc_import_export', 'check_meter'],
    reportingIntervalS: 5,
  })
  hall = await makeFacility(api.deps, tenant, { name: 'b hall', meters: ['main_consumption'] })
  await makeFacility(api.deps, otherTenant, { meters: ['main_consumption'] })
})
afterAll(() => api.close())

const get = (path: string, by = tenant.viewer.token) => api.call('GET', `/api/overview${path}`, { token: by })
const meterOf = (facility: TestFacility, role: keyof TestFacility['meters']): TestMeter => {
  const meter = facility.meters[role]
  if (!meter) throw new Error(`no meter as ${role}`)
  return meter
}

describe('power of the overview', () => {
  it('lists the meters in force with their latest power of the last hour', async () => {
    await addSamples(api.deps, tenant, meterOf(plant, 'main_production'), [
      { at: NOW - 60_000, active_power: -8 },
      { at: NOW - 4_000, active_power: -7.5 },
      { at: NOW - 2_000, production_active_energy: 100 },
    ])
    await addSamples(api.deps, tenant, meterOf(plant, 'check_meter'), [{ at: NOW, active_power: 1 }])
    await addSamples(api.deps, tenant, meterOf(hall, 'main_consumption'), [
      { at: NOW - HOUR_MS - 1, active_power: 3 },
    ])
    const { status, body } = await get('/power')
    expect(status).toBe(200)
    expect(body).toMatchObject({ timestamp: new Date(NOW).toISOString(), is_truncated: false })
    const shown = body.meters.map((meter: Record<string, unknown>) => [
      meter['facility_name'],
      meter['measurement_role'],
      meter['active_power_kw'],
      meter['timestamp'],
      meter['stale_after_s'],
    ])
    expect(shown).toHaveLength(3)
    expect(shown).toEqual(
      expect.arrayContaining([
        ['a plant', 'main_production', -7.5, new Date(NOW - 4_000).toISOString(), 30],
        ['a plant', 'pcc_import_export', null, null, 30],
        ['b hall', 'main_consumption', null, null, 300],
      ]),
    )
  })

  it('narrows to a facility and a subregion, and knows no assignment that has ended', async () => {
    await makeMeter(api.deps, tenant, {
      facilityId: hall.id,
      subregionId: hall.subregionId,
      role: 'battery',
      to: new Date(NOW - 1).toISOString(),
    })
    const roles = async (query: string) =>
      (await get(`/power?${query}`)).body.meters.map(
        (meter: Record<string, unknown>) => meter['measurement_role'],
      )
    expect(await roles(`facility_id=${hall.id}`)).toEqual(['main_consumption'])
    expect((await roles(`subregion_id=${plant.subregionId}`)).toSorted()).toEqual([
      'main_production',
      'pcc_import_export',
    ])
    expect(await roles(`facility_id=${randomUUID()}`)).toEqual([])
  })

  it('shows nothing of another tenant', async () => {
    expect((await get(`/power?facility_id=${hall.id}`, otherTenant.viewer.token)).body.meters).toEqual([])
    const { body } = await get(`/energy?facility_id=${hall.id}`, otherTenant.viewer.token)
    expect(body).toMatchObject({ facilities: 0, compared_hours: 0 })
  })
})

describe('energy of the overview', () => {
  const facts = (from: number, to: number, fact: Pick<FactSpec, 'facilityId' | 'role'>, values: object) =>
    hourlyFacts({ from, to }, fact, () => values)

  it('compares the hours of today with the same ones of yesterday, where both are known', async () => {
    const production = { facilityId: plant.id, role: 'main_production' } as const
    const boundary = { facilityId: plant.id, role: 'pcc_import_export' } as const
    const consumption = { facilityId: hall.id, role: 'main_consumption' } as const
    await addFacts(api.deps, tenant, [
      ...facts(YESTERDAY, MIDNIGHT, production, { production: '10.001' }),
      ...facts(YESTERDAY, MIDNIGHT, boundary, { import: '1.000', export: '4.000' }),
      ...facts(YESTERDAY, MIDNIGHT, consumption, { consumption: '2.000' }),
      ...facts(MIDNIGHT, MIDNIGHT + 12 * HOUR_MS, production, { production: '11.000' }),
      ...facts(MIDNIGHT, MIDNIGHT + 12 * HOUR_MS, boundary, { import: '0.000', export: '5.000' }),
      ...facts(MIDNIGHT, MIDNIGHT + 10 * HOUR_MS, consumption, { consumption: '3.000' }),
    ])
    const { status, body } = await get('/energy')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      date: '2026-11-20',
      facilities: 2,
      is_truncated: false,
      compared_hours: 12,
      values_left_out: 2,
      so_far: {
        today: { production_kwh: '132.000', consumption_kwh: '102.000' },
        yesterday: { production_kwh: '120.012', consumption_kwh: '104.012' },
      },
    })
    expect(body.hours).toHaveLength(24)
    expect(body.hours[11]).toEqual({
      hour: 11,
      today: { production_kwh: '11.000', consumption_kwh: '6.000', facilities_unknown: 1 },
      yesterday: { production_kwh: '10.001', consumption_kwh: '9.001', facilities_unknown: 0 },
    })
    expect(body.hours[12].today).toEqual({
      production_kwh: null,
      consumption_kwh: null,
      facilities_unknown: 2,
    })
    const narrowed = await get(`/energy?subregion_id=${hall.subregionId}`)
    expect(narrowed.body).toMatchObject({
      facilities: 1,
      compared_hours: 10,
      so_far: { today: { production_kwh: null, consumption_kwh: '30.000' } },
    })
  })
})
