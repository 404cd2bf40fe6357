import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse, TestApi } from '../../support/api.ts'
import { base, calculate, makePair, openSite, read } from '../../support/netting/calculation.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { importMeterData } from '../../support/netting/osos.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterAll(() => api.close())

const get = (path: string, token = tenant.viewer.token): Promise<ApiResponse> =>
  api.call('GET', path, { token })
const compare = (ids: readonly string[], from = '2026-11', to = from, token?: string) =>
  get(`/api/mahsuplasma/comparison?facility_ids=${ids.join(',')}&from=${from}&to=${to}`, token)

/** Imports hourly energy from the start of a local date. */
async function declare(
  facilityId: string,
  role: 'main_production' | 'main_consumption',
  { from, values }: { from: string; values: readonly (number | null)[] },
): Promise<void> {
  const start = Date.parse(`${from}T00:00:00+03:00`)
  const lines = values.flatMap((value, at) =>
    value === null ? [] : `${new Date(start + at * 3_600_000).toISOString()},${value}`,
  )
  const report = await importMeterData(api, tenant, {
    ...{ facility_id: facilityId, measurement_role: role, value_kind: 'interval', unit: 'kWh' },
    ...{ label: 'hour_starting', interval_minutes: '60', file: ['date,value', ...lines].join('\n') },
  })
  expect(report.body, report.text).toMatchObject({ is_stored: true })
}

describe('comparison on readings alone', () => {
  it('gives the figures of the comparison of a group, without needing one', async () => {
    const { group, producer, consumer } = await makePair('12000.000', 456, (index) => [
      `${index % 7}.500`,
      `${index % 5}.250`,
    ])
    const ofGroup = (await get(`${base(group)}/comparison?billing_period=2026-11`)).body
    const response = await compare([producer.id, consumer.id])
    expect(response.status, response.text).toBe(200)
    const { body } = response
    expect(body).toMatchObject({
      data_basis: 'readings_only',
      facility_ids: [producer.id, consumer.id].sort(),
      from_period: '2026-11-01',
      to_period: '2026-11-01',
      to_hour: '2026-11-20T09:00:00.000Z',
      hours_expected: 468,
      hours_compared: 456,
      completeness_pct: 97.43,
      limits: [
        { facility_id: consumer.id, year: 2026, limit_kwh: '12000.000', limit_basis: 'limit_account' },
      ],
      hourly: ofGroup.hourly,
      monthly: ofGroup.monthly,
      difference: ofGroup.difference,
      amounts: ofGroup.amounts,
    })
    expect(body.facilities.map(({ role }: { role: string }) => role).sort()).toEqual([
      'consumption',
      'production',
    ])
    expect(body.months).toHaveLength(1)
    expect(body.months[0]).toMatchObject({ billing_period: '2026-11-01', scenario: 'standard_hourly' })
    expect(body.note_details.map(({ message_code }: { message_code: string }) => message_code)).toEqual([
      'READINGS_ASSUMED_GROUP',
      'READINGS_FULL_LIMIT',
      'READINGS_HOURS_LEFT_OUT',
    ])
    await calculate(group, 0, 168)
    expect((await compare([producer.id, consumer.id])).body.hourly).toEqual(body.hourly)
    expect((await read(group, 'runs')).body).toHaveLength(1)
  })

  it('leaves out hours that lack a value, instead of netting them against nothing', async () => {
    const [plant, factory] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    await declare(plant.id, 'main_production', { from: '2026-10-01', values: [10, 10, 0, 7] })
    await declare(factory.id, 'main_consumption', { from: '2026-10-01', values: [2, 4, 12, null] })
    const { body } = await compare([plant.id, factory.id], '2026-09', '2026-10')
    expect(body).toMatchObject({
      hours_expected: 1464,
      hours_compared: 3,
      hourly: {
        production_kwh: '20.000',
        matched_kwh: '6.000',
        bedelli_kwh: '14.000',
        net_import_kwh: '12.000',
      },
      monthly: {
        production_kwh: '20.000',
        matched_kwh: '18.000',
        bedelli_kwh: '2.000',
        net_import_kwh: '0.000',
      },
      difference: { matched_kwh: '-12.000' },
      limits: [{ facility_id: factory.id, limit_kwh: null, limit_basis: 'unlimited' }],
    })
    expect(body.months[0]).toMatchObject({ hours_compared: 0, hourly: null, difference: null, amounts: [] })
    expect(body.notes.join(' ')).toContain('No limit is known')
    const turkish = await api.call(
      'GET',
      `/api/mahsuplasma/comparison?facility_ids=${plant.id},${factory.id}&from=2026-10&to=2026-10`,
      { token: tenant.viewer.token, headers: { 'accept-language': 'tr' } },
    )
    expect(turkish.body.notes[0]).toContain('Yalnız okumalar')
  })

  it('takes twice the consumption of last year as the limit, used by each side from month to month', async () => {
    const [plant, factory] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    await declare(factory.id, 'main_consumption', {
      from: '2025-01-01',
      values: [...Array(8760).fill(0.01), ...Array(48).fill(1)],
    })
    await declare(plant.id, 'main_production', { from: '2026-01-01', values: Array(48).fill(4) })
    await declare(factory.id, 'main_consumption', { from: '2026-02-01', values: Array(24).fill(1) })
    await declare(plant.id, 'main_production', { from: '2026-02-01', values: Array(24).fill(4) })
    const { body } = await compare([plant.id, factory.id], '2026-01', '2026-02')
    expect(body.limits).toMatchObject([
      { year: 2026, limit_kwh: '175.200', limit_basis: 'previous_year_consumption' },
    ])
    // January uses the whole limit: 43 hours of 4 kWh and 3.2 kWh of the next. So nothing is left for February.
    expect(body.months).toMatchObject([
      { hourly: { matched_kwh: '48.000', bedelli_kwh: '131.200', skb_kwh: '12.800' } },
      { hourly: { matched_kwh: '24.000', bedelli_kwh: '0.000', skb_kwh: '72.000' } },
    ])
    expect(body.hourly).toMatchObject({ skb_kwh: '84.800', limit_used_kwh: '175.200' })
  })

  it('is null without readings, and never a figure', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const { body } = await compare([facility.id])
    expect(body).toMatchObject({
      facilities: [],
      hours_compared: 0,
      completeness_pct: 0,
      hourly: null,
      monthly: null,
      difference: null,
    })
    expect(body.notes.join(' ')).toContain(facility.id)
  })

  it('refuses foreign and unknown facilities alike, and ranges that are wrong', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const foreign = await compare([facility.id], '2026-11', '2026-11', foreignTenant.viewer.token)
    expect([foreign.status, foreign.body.detail.error_code]).toEqual([422, 'INVALID_REFERENCE'])
    const unknown = await compare(['00000000-0000-4000-8000-000000000000'])
    expect(unknown.text).toBe(foreign.text)
    for (const [from, to] of [
      ['2026-12', '2026-12'],
      ['2026-11', '2026-10'],
      ['2025-01', '2026-01'],
      ['1999-01', '1999-02'],
    ] as const) {
      expect((await compare([facility.id], from, to)).status, `${from} ${to}`).toBe(422)
    }
    expect((await compare(Array.from({ length: 21 }, () => crypto.randomUUID()))).status).toBe(422)
    expect((await compare(['x'.repeat(36)])).status).toBe(422)
  })
})

describe('forecast on readings alone', () => {
  const forecast = (ids: readonly string[], rest = '') =>
    get(`/api/mahsuplasma/forecast?facility_ids=${ids.join(',')}${rest}`)

  it('estimates the day on which the limit would be used up', async () => {
    const [plant, factory] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    const hours = (324 - 1) * 24
    await declare(factory.id, 'main_consumption', { from: '2025-01-01', values: Array(8760 + hours).fill(1) })
    await declare(plant.id, 'main_production', { from: '2025-01-01', values: Array(8760 + hours).fill(2) })
    const { body } = await forecast([plant.id, factory.id])
    expect(body).toMatchObject({
      data_basis: 'readings_only',
      year: 2026,
      limits: [{ limit_kwh: '17520.000', limit_basis: 'previous_year_consumption' }],
      limit_kwh: '17520.000',
      used_kwh: `${hours * 2}.000`,
      remaining_kwh: `${17_520 - hours * 2}.000`,
      is_exhausted: false,
      basis: 'last_year_usage',
      run_out_date: '2026-12-31',
      daily_rate_kwh: '48.000',
      completeness_pct: 99.84,
    })
  })

  it('has no figures of a limit that is not known', async () => {
    const [plant, factory] = [await makeFacility(api.deps, tenant), await makeFacility(api.deps, tenant)]
    await declare(plant.id, 'main_production', { from: '2026-11-01', values: Array(48).fill(2) })
    await declare(factory.id, 'main_consumption', { from: '2026-11-01', values: Array(48).fill(1) })
    const { body } = await forecast([plant.id, factory.id])
    expect(body).toMatchObject({
      limit_kwh: null,
      remaining_kwh: null,
      is_exhausted: null,
      run_out_date: null,
      shortfall_kwh: null,
      used_kwh: '96.000',
      basis: 'recent_average',
    })
    expect((await forecast([plant.id], '&year=2027')).status).toBe(422)
  })

  it('refuses homes, which have no limit', async () => {
    const home = await makeFacility(api.deps, tenant, { aboneGrubu: 'mesken', meters: ['main_consumption'] })
    const response = await forecast([home.id])
    expect([response.status, response.body.detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
  })
})
