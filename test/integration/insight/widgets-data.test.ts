import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type DashboardFixture, fillRegister, setUpDashboard } from '../../support/insight/widgets.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Friday, 12:30 in Turkey. */
const NOW = Date.parse('2026-11-20T09:30:00Z')
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2026-11-01', [
    { purpose: 'customer_bill_active_energy', segment: 'gunduz', price: '3.000000' },
    { purpose: 'customer_bill_active_energy', segment: 'puant', price: '5.000000' },
    { purpose: 'customer_bill_active_energy', segment: 'gece', price: '1.000000' },
    { purpose: 'customer_bill_active_energy', price: '2.985253' },
    { purpose: 'customer_bill_active_energy', aboneGrubu: 'ticarethane', stepNo: 1, price: '2.000000' },
    { purpose: 'customer_bill_active_energy', aboneGrubu: 'ticarethane', stepNo: 2, price: '3.000000' },
    { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'tarimsal_sulama', price: '4.000000' },
  ])
})
afterAll(() => api.close())

const newDashboard = () => setUpDashboard(api, tenant)
const November = { from: '2026-10-31T21:00:00Z', to: '2026-11-20T09:00:00Z' }

describe('consumption widget', () => {
  it('equals the aggregates endpoint, before and after the roll-up', async () => {
    const dashboard = await newDashboard()
    const meter = await dashboard.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 2.5 })
    const chart = await dashboard.dataOf('consumption_chart', { device_id: meter.id, period: '7d' })
    const aggregated = await api.call(
      'GET',
      `/api/measurements/aggregated?${new URLSearchParams({ device_id: meter.id, interval: 'daily', start: chart.start, end: chart.end })}`,
      { token: tenant.viewer.token },
    )
    expect(
      chart.data.map(({ timestamp, energy_kwh }: Record<string, unknown>) => [timestamp, energy_kwh]),
    ).toEqual(
      aggregated.body.data.map((row: Record<string, unknown>) => [row['timestamp'], row['total_energy']]),
    )
    // Six whole days and twelve hours of today.
    expect(chart).toMatchObject({
      period: '7d',
      period_label: 'Last 7 days',
      interval: 'daily',
      total_kwh: 390,
    })
    const numeric = await dashboard.dataOf('consumption_numeric', { device_id: meter.id })
    expect(numeric).toMatchObject({ value_kwh: 390, unit: 'kWh', is_estimated: false })
  })

  it('sums meters, and finds those of its subregion by itself', async () => {
    const dashboard = await newDashboard()
    const meters = [await dashboard.device(), await dashboard.device()]
    await dashboard.device({ device_type: 'inverter' })
    for (const meter of meters) await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
    const named = await dashboard.dataOf('consumption_numeric', {
      device_id: meters[0]?.id,
      device_ids: meters.map(({ id }) => id),
      period: 'yesterday',
    })
    expect(named.value_kwh).toBe(48)
    expect(named.devices.map((row: { energy_kwh: number }) => row.energy_kwh)).toEqual([24, 24])
    const found = await dashboard.dataOf('consumption_numeric', { period: 'yesterday' })
    expect(found.value_kwh).toBe(48)
    expect(found.devices).toHaveLength(2)
    const [billed] = meters
    await api.deps.database.kysely
      .insertInto('meter_assignment')
      .values({
        tenant_id: tenant.id,
        subregion_id: dashboard.subregionId,
        device_id: billed?.id ?? '',
        measurement_role: 'main_consumption',
        valid_from: '2026-11-01T00:00:00+03:00',
      })
      .execute()
    expect((await dashboard.dataOf('consumption_numeric', { period: 'yesterday' })).devices).toHaveLength(1)
    expect((await dashboard.dataOf('consumption_numeric', { period: 'last_month' })).devices).toHaveLength(2)
  })

  it('uses config.period, then time_range, then 7d, and rejects other values', async () => {
    const dashboard = await newDashboard()
    const set = await dashboard.widget('consumption_chart', { period: 'today' })
    const free = await dashboard.widget('consumption_chart')
    const periodOf = async (id: string, query: string) =>
      (await dashboard.data(id, `consumption-chart${query}`)).body.period
    expect(await periodOf(set, '?time_range=30d')).toBe('today')
    expect(await periodOf(free, '?time_range=30d')).toBe('30d')
    expect(await periodOf(free, '')).toBe('7d')
    const wrong = await dashboard.data(free, 'consumption-chart?time_range=ever')
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'time_range']])
  })

  it('has null, not 0, where nothing is known', async () => {
    const dashboard = await newDashboard()
    const meter = await dashboard.device()
    const chart = await dashboard.dataOf('consumption_chart', { device_id: meter.id })
    expect(chart).toMatchObject({ total_kwh: null, data: [] })
    expect(
      await dashboard.dataOf('cost_numeric', { device_id: meter.id, abone_grubu: 'sanayi' }),
    ).toMatchObject({
      value_try: null,
      reason: 'no_data',
    })
  })
})

describe('cost widget', () => {
  const yesterday = async (config: object, kwhPerHour = 10, facility?: object) => {
    const dashboard = facility ? await dashboardWithFacility(facility) : await newDashboard()
    const meter = await dashboard.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour })
    return await dashboard.dataOf('cost_numeric', { device_id: meter.id, period: 'yesterday', ...config })
  }
  /** A subregion whose facility has the fields. */
  async function dashboardWithFacility(fields: object): Promise<DashboardFixture> {
    const dashboard = await newDashboard()
    await api.deps.database.kysely
      .insertInto('facility')
      .values({
        tenant_id: tenant.id,
        subregion_id: dashboard.subregionId,
        name: 'works',
        valid_from: '2026-01-01',
        ...fields,
      })
      .execute()
    return dashboard
  }

  it('uses day 06-17, peak 17-22 and night 22-06 prices where the meter is multi-time', async () => {
    // 11 h x 10 kWh x 3 + 5 h x 10 kWh x 5 + 8 h x 10 kWh x 1
    const response = await yesterday({}, 10, { abone_grubu: 'sanayi', is_multi_time: true })
    expect(response).toMatchObject({
      value_try: '660.000000',
      reason: null,
      energy_kwh: 240,
      currency: 'TRY',
    })
    expect(response.tariffs).toMatchObject([{ abone_grubu: 'sanayi', is_multi_time: true }])
    const single = await yesterday({ is_multi_time: false }, 10, {
      abone_grubu: 'sanayi',
      is_multi_time: true,
    })
    // 240 kWh x 2.985253
    expect(single.value_try).toBe('716.460720')
  })

  it('uses the price step reached in the month', async () => {
    // 48 kWh a day: 864 kWh before yesterday, threshold 30 x 30 = 900: 36 at 2 and 12 at 3 lira.
    expect((await yesterday({ abone_grubu: 'ticarethane' }, 2)).value_try).toBe('108.000000')
    // 24 kWh a day stay below it: 24 x 2.
    expect((await yesterday({ abone_grubu: 'ticarethane' }, 1)).value_try).toBe('48.000000')
  })

  it('falls back to the related tariff, and states why there is no amount', async () => {
    expect((await yesterday({ abone_grubu: 'tarimsal_sulama' })).value_try).toBe('960.000000')
    expect(await yesterday({ abone_grubu: 'aydinlatma' })).toMatchObject({
      value_try: null,
      reason: 'price_missing',
      energy_kwh: 240,
    })
    expect(await yesterday({})).toMatchObject({ value_try: null, reason: 'abone_grubu_unknown' })
  })

  it('shows in a chart the cost of each bucket, which add up to the total', async () => {
    const dashboard = await newDashboard()
    const meter = await dashboard.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 10 })
    const config = { device_id: meter.id, abone_grubu: 'sanayi', is_multi_time: true, period: 'yesterday' }
    const chart = await dashboard.dataOf('cost_chart', config)
    expect(chart.data).toHaveLength(24)
    const costs = chart.data.map((row: { cost_try: string }) => row.cost_try)
    expect([costs[0], costs[6], costs[17], costs[22]]).toEqual([
      '10.000000',
      '30.000000',
      '50.000000',
      '10.000000',
    ])
    expect(chart.total_try).toBe('660.000000')
    const month = await dashboard.dataOf('cost_chart', { ...config, period: 'last_month' })
    expect(month).toMatchObject({ total_try: null, reason: 'no_data', data: [] })
  })

  it('bills meters by the facility of each', async () => {
    const dashboard = await newDashboard()
    const meters = [await dashboard.device(), await dashboard.device()]
    const groups = ['sanayi', 'tarimsal_sulama'] as const
    for (const [index, meter] of meters.entries()) {
      await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
      const facility = await makeFacility(api.deps, tenant, { aboneGrubu: groups[index] ?? 'sanayi' })
      await api.deps.database.kysely
        .insertInto('meter_assignment')
        .values({
          tenant_id: tenant.id,
          subregion_id: dashboard.subregionId,
          device_id: meter.id,
          facility_id: facility.id,
          measurement_role: 'aux_consumption',
          valid_from: '2026-01-01T00:00:00+03:00',
        })
        .execute()
    }
    const response = await dashboard.dataOf('cost_numeric', { period: 'yesterday' })
    // 24 x 2.985253 + 24 x 4
    expect(response.value_try).toBe('167.646072')
    expect(response.tariffs).toHaveLength(2)
  })
})
