import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, iso } from '../../src/kernel/time.ts'
import { DATA_PATHS, type DataType } from '../../src/modules/widgets/types.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { postSamples, sample, type TestDevice } from '../support/measurements.ts'
import { makeFacility } from '../support/netting.ts'
import { makePriceSet } from '../support/prices.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { fillRegister, makePlace, type TestPlace } from '../support/widgets.ts'

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

const newPlace = () => makePlace(api, tenant)
/** The data of a new widget. */
async function dataOf(place: TestPlace, type: DataType, config: object = {}, query = '') {
  const id = await place.widget(type, config)
  const { status, body, text } = await place.data(id, DATA_PATHS[type] + query)
  expect([status, text]).toEqual([200, text])
  return body
}
const November = { from: '2026-10-31T21:00:00Z', to: '2026-11-20T09:00:00Z' }

describe('consumption', () => {
  it('says the same as the aggregated answer, before and after the roll-up would see it', async () => {
    const place = await newPlace()
    const meter = await place.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 2.5 })
    const chart = await dataOf(place, 'consumption_chart', { device_id: meter.id, period: '7d' })
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
    const numeric = await dataOf(place, 'consumption_numeric', { device_id: meter.id })
    expect(numeric).toMatchObject({ value_kwh: 390, unit: 'kWh', is_estimated: false })
  })

  it('adds meters up, and finds those of its subregion by itself', async () => {
    const place = await newPlace()
    const meters = [await place.device(), await place.device()]
    await place.device({ device_type: 'inverter' })
    for (const meter of meters) await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
    const named = await dataOf(place, 'consumption_numeric', {
      device_id: meters[0]?.id,
      device_ids: meters.map(({ id }) => id),
      period: 'yesterday',
    })
    expect(named.value_kwh).toBe(48)
    expect(named.devices.map((row: { energy_kwh: number }) => row.energy_kwh)).toEqual([24, 24])
    const found = await dataOf(place, 'consumption_numeric', { period: 'yesterday' })
    expect(found.value_kwh).toBe(48)
    expect(found.devices).toHaveLength(2)
    const [billed] = meters
    await api.deps.database.kysely
      .insertInto('meter_assignment')
      .values({
        tenant_id: tenant.id,
        subregion_id: place.subregionId,
        device_id: billed?.id ?? '',
        measurement_role: 'main_consumption',
        valid_from: '2026-11-01T00:00:00+03:00',
      })
      .execute()
    expect((await dataOf(place, 'consumption_numeric', { period: 'yesterday' })).devices).toHaveLength(1)
    expect((await dataOf(place, 'consumption_numeric', { period: 'last_month' })).devices).toHaveLength(2)
  })

  it('takes config.period, then time_range, then 7d, and refuses other words', async () => {
    const place = await newPlace()
    const set = await place.widget('consumption_chart', { period: 'today' })
    const free = await place.widget('consumption_chart')
    const periodOf = async (id: string, query: string) =>
      (await place.data(id, `consumption-chart${query}`)).body.period
    expect(await periodOf(set, '?time_range=30d')).toBe('today')
    expect(await periodOf(free, '?time_range=30d')).toBe('30d')
    expect(await periodOf(free, '')).toBe('7d')
    const wrong = await place.data(free, 'consumption-chart?time_range=ever')
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'time_range']])
  })

  it('has null, not 0, where nothing is known', async () => {
    const place = await newPlace()
    const meter = await place.device()
    const chart = await dataOf(place, 'consumption_chart', { device_id: meter.id })
    expect(chart).toMatchObject({ total_kwh: null, data: [] })
    expect(await dataOf(place, 'cost_numeric', { device_id: meter.id, abone_grubu: 'sanayi' })).toMatchObject(
      {
        value_try: null,
        reason: 'no_data',
      },
    )
  })
})

describe('cost', () => {
  const yesterday = async (config: object, kwhPerHour = 10, facility?: object) => {
    const place = facility ? await placeWithFacility(facility) : await newPlace()
    const meter = await place.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour })
    return await dataOf(place, 'cost_numeric', { device_id: meter.id, period: 'yesterday', ...config })
  }
  /** A place whose facility has the fields. */
  async function placeWithFacility(fields: object): Promise<TestPlace> {
    const place = await newPlace()
    await api.deps.database.kysely
      .insertInto('facility')
      .values({
        tenant_id: tenant.id,
        subregion_id: place.subregionId,
        name: 'works',
        valid_from: '2026-01-01',
        ...fields,
      })
      .execute()
    return place
  }

  it('is day 06-17, peak 17-22 and night 22-06 by their prices where the meter is multi-time', async () => {
    // 11 h x 10 kWh x 3 + 5 h x 10 kWh x 5 + 8 h x 10 kWh x 1
    const answer = await yesterday({}, 10, { abone_grubu: 'sanayi', is_multi_time: true })
    expect(answer).toMatchObject({ value_try: '660.000000', reason: null, energy_kwh: 240, currency: 'TRY' })
    expect(answer.tariffs).toMatchObject([{ abone_grubu: 'sanayi', is_multi_time: true }])
    const single = await yesterday({ is_multi_time: false }, 10, {
      abone_grubu: 'sanayi',
      is_multi_time: true,
    })
    // 240 kWh x 2.985253
    expect(single.value_try).toBe('716.460720')
  })

  it('is by the step that the month has come to', async () => {
    // 48 kWh a day: 864 kWh before yesterday, threshold 30 x 30 = 900: 36 at 2 and 12 at 3 lira.
    expect((await yesterday({ abone_grubu: 'ticarethane' }, 2)).value_try).toBe('108.000000')
    // 24 kWh a day stay below it: 24 x 2.
    expect((await yesterday({ abone_grubu: 'ticarethane' }, 1)).value_try).toBe('48.000000')
  })

  it('falls back to the related tariff, and says why there is no amount', async () => {
    expect((await yesterday({ abone_grubu: 'tarimsal_sulama' })).value_try).toBe('960.000000')
    expect(await yesterday({ abone_grubu: 'aydinlatma' })).toMatchObject({
      value_try: null,
      reason: 'price_missing',
      energy_kwh: 240,
    })
    expect(await yesterday({})).toMatchObject({ value_try: null, reason: 'abone_grubu_unknown' })
  })

  it('shows in a chart what its buckets cost, which is the whole', async () => {
    const place = await newPlace()
    const meter = await place.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 10 })
    const config = { device_id: meter.id, abone_grubu: 'sanayi', is_multi_time: true, period: 'yesterday' }
    const chart = await dataOf(place, 'cost_chart', config)
    expect(chart.data).toHaveLength(24)
    const costs = chart.data.map((row: { cost_try: string }) => row.cost_try)
    expect([costs[0], costs[6], costs[17], costs[22]]).toEqual([
      '10.000000',
      '30.000000',
      '50.000000',
      '10.000000',
    ])
    expect(chart.total_try).toBe('660.000000')
    const month = await dataOf(place, 'cost_chart', { ...config, period: 'last_month' })
    expect(month).toMatchObject({ total_try: null, reason: 'no_data', data: [] })
  })

  it('bills meters by the facility of each', async () => {
    const place = await newPlace()
    const meters = [await place.device(), await place.device()]
    const groups = ['sanayi', 'tarimsal_sulama'] as const
    for (const [index, meter] of meters.entries()) {
      await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
      const facility = await makeFacility(api.deps, tenant, { aboneGrubu: groups[index] ?? 'sanayi' })
      await api.deps.database.kysely
        .insertInto('meter_assignment')
        .values({
          tenant_id: tenant.id,
          subregion_id: place.subregionId,
          device_id: meter.id,
          facility_id: facility.id,
          measurement_role: 'aux_consumption',
          valid_from: '2026-01-01T00:00:00+03:00',
        })
        .execute()
    }
    const answer = await dataOf(place, 'cost_numeric', { period: 'yesterday' })
    // 24 x 2.985253 + 24 x 4
    expect(answer.value_try).toBe('167.646072')
    expect(answer.tariffs).toHaveLength(2)
  })
})

describe('realtime cards', () => {
  let place: TestPlace
  beforeAll(async () => {
    place = await newPlace()
  })
  const sendAgo = async (meter: TestDevice, agoMs: number, values: Record<string, number>) => {
    expect((await postSamples(api, tenant, [sample(meter, NOW - agoMs, values)])).status).toBe(201)
  }

  it('show a measurement of exactly 60 minutes, and none that is older', async () => {
    const [fresh, stale] = [await place.device(), await place.device()]
    await sendAgo(fresh, HOUR_MS, { active_power: 12.5 })
    await sendAgo(stale, HOUR_MS + 1, { active_power: 12.5 })
    expect(await dataOf(place, 'realtime_value', { device_id: fresh.id })).toEqual({
      device_id: fresh.id,
      device_name: expect.any(String),
      metric: 'active_power',
      unit: 'kW',
      value: 12.5,
      timestamp: iso(NOW - HOUR_MS),
      device_status: 'online',
    })
    expect(await dataOf(place, 'realtime_value', { device_id: stale.id })).toMatchObject({
      value: null,
      timestamp: null,
      device_status: 'offline',
    })
  })

  it('follow a shorter offline threshold, and no longer one', async () => {
    const short = await place.device({ offline_threshold_s: 600 })
    await sendAgo(short, 600_001, { voltage: 230 })
    const card = { device_id: short.id, metric: 'voltage' }
    expect(await dataOf(place, 'realtime_value', card)).toMatchObject({
      value: null,
      device_status: 'offline',
    })
    await sendAgo(short, 600_000, { voltage: 231 })
    expect(await dataOf(place, 'realtime_value', card)).toMatchObject({ value: 231, device_status: 'online' })
    const long = await place.device({ offline_threshold_s: 7200 })
    await sendAgo(long, 90 * 60_000, { voltage: 230 })
    expect(await dataOf(place, 'realtime_value', { device_id: long.id, metric: 'voltage' })).toMatchObject({
      value: null,
      timestamp: null,
      device_status: 'offline',
    })
  })

  it('find each metric where it was sent last, registers and metrics of the own included', async () => {
    const meter = await place.device()
    await sendAgo(meter, 120_000, { import_active_energy: 12.345678, door: 1, active_power: 3 })
    await sendAgo(meter, 60_000, { active_power: 4, reactive_power: 1 })
    const value = async (metric: string) =>
      (await dataOf(place, 'realtime_value', { device_id: meter.id, metric })).value
    expect(await value('import_active_energy')).toBe(12.345678)
    expect(await value('door')).toBe(1)
    expect(await value('active_power')).toBe(4)
    expect(await dataOf(place, 'realtime_value', { device_id: meter.id, metric: 'humidity' })).toMatchObject({
      value: null,
      timestamp: null,
      device_status: 'online',
    })
    expect(await dataOf(place, 'realtime_power', { device_id: meter.id })).toMatchObject({
      active_power: 4,
      reactive_power: 1,
      apparent_power: null,
      timestamp: iso(NOW - 60_000),
    })
  })

  it('show three phases, all null when offline', async () => {
    const meter = await place.device()
    const offline = await dataOf(place, 'realtime_3phase', { device_id: meter.id })
    const { device_id: _id, device_name: _name, device_status, ...values } = offline
    expect(device_status).toBe('offline')
    expect(Object.values(values)).toEqual(Array.from({ length: 10 }, () => null))
    await sendAgo(meter, 1000, { voltage_l1: 229, current_l2: 5, active_power_l3: 1.5 })
    expect(await dataOf(place, 'realtime_3phase', { device_id: meter.id })).toMatchObject({
      voltage_l1: 229,
      voltage_l2: null,
      current_l2: 5,
      active_power_l3: 1.5,
    })
  })

  it('have a gauge with the new names, whichever were sent', async () => {
    const meter = await place.device()
    await sendAgo(meter, 1000, { frequency: 50.01 })
    const answer = await dataOf(place, 'realtime_gauge', {
      device_id: meter.id,
      metric: 'frequency',
      min_value: 49,
      max_range: 51,
      danger_threshold: 50.5,
    })
    expect(answer).toMatchObject({
      value: 50.01,
      unit: 'Hz',
      min_range: 49,
      max_range: 51,
      warning_threshold: null,
      critical_threshold: 50.5,
    })
    expect(answer).not.toHaveProperty('min_value')
  })
})

describe('the other types', () => {
  it('counts samples against those that were to come', async () => {
    const place = await newPlace()
    const whole = await place.device({ reporting_interval_s: 3600 })
    const half = await place.device({ reporting_interval_s: 1800 })
    await place.device()
    // 33 hours from yesterday's midnight to now are 12 whole ones today: 09:30 UTC is 12:30.
    for (const meter of [whole, half]) {
      await fillRegister(api, tenant, meter, {
        from: '2026-11-19T21:00:00Z',
        to: '2026-11-20T09:00:00Z',
        kwhPerHour: 1,
      })
    }
    const answer = await dataOf(place, 'device_read_rate', { period: 'today' })
    expect(answer).toMatchObject({
      period: 'today',
      period_label: 'Today',
      expected_count: 37,
      received_count: 25,
    })
    expect(answer.devices).toMatchObject([
      { device_id: whole.id, expected_count: 12, received_count: 13, read_rate_pct: 100 },
      { device_id: half.id, expected_count: 25, received_count: 13, read_rate_pct: 52 },
      { expected_count: null, received_count: 0, read_rate_pct: null, is_online: false, last_seen: null },
    ])
    expect(answer.read_rate_pct).toBe(67.57)
    const given = await dataOf(place, 'device_read_rate', { period: 'today', reporting_interval_s: 900 })
    expect(given.devices[2]).toMatchObject({
      reporting_interval_s: 900,
      expected_count: 50,
      read_rate_pct: 0,
    })
  })

  it('says of reactive energy what the reactive ratio says', async () => {
    const place = await newPlace()
    const meter = await place.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
    const { period, period_label, ...ratio } = await dataOf(place, 'reactive_ratio', {
      device_id: meter.id,
      period: 'this_month',
      contracted_power_kw: 60,
    })
    expect([period, period_label]).toEqual(['this_month', 'This month'])
    const direct = await api.call(
      'GET',
      `/api/measurements/reactive-ratio?${new URLSearchParams({ device_id: meter.id, start: ratio.start, end: ratio.end, contracted_power_kw: '60' })}`,
      { token: tenant.viewer.token },
    )
    expect(ratio).toEqual(direct.body)
    expect(ratio.total).toMatchObject({ inductive_ratio_pct: 10, capacitive_ratio_pct: 5, status: 'ok' })
  })

  it('counts open incidents of its subregion or of all', async () => {
    const place = await newPlace()
    const meter = await place.device()
    const { kysely } = api.deps.database
    const policy = await kysely
      .insertInto('alarm_policy')
      .values({ tenant_id: tenant.id, name: 'p', alarm_type: 'offline', severity: 'warning' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const incident = (cause: string, more: object) => ({
      tenant_id: tenant.id,
      policy_id: policy.id,
      cause,
      severity: 'warning',
      message: 'm',
      triggered_at: iso(NOW - HOUR_MS),
      device_id: meter.id,
      ...more,
    })
    await kysely
      .insertInto('alarm_incident')
      .values([
        incident('a', {}),
        incident('b', { severity: 'critical', triggered_at: iso(NOW - 1000) }),
        incident('c', { status: 'snoozed', snoozed_until: iso(NOW) }),
        incident('d', { status: 'snoozed', snoozed_until: iso(NOW + 1) }),
        incident('e', { status: 'closed', closed_at: iso(NOW) }),
        incident('f', { device_id: null, severity: 'info', status: 'acknowledged' }),
      ])
      .execute()
    expect(await dataOf(place, 'alarm_summary')).toEqual({
      scope: 'subregion',
      severities: ['info', 'warning', 'critical'],
      open_count: 4,
      by_severity: { info: 0, warning: 3, critical: 1 },
      by_status: { active: 3, acknowledged: 0, snoozed: 1 },
      latest_triggered_at: iso(NOW - 1000),
    })
    const wide = await dataOf(place, 'alarm_summary', { scope: 'tenant', severities: ['info'] })
    expect(wide).toMatchObject({ open_count: 1, by_status: { acknowledged: 1 } })
  })

  it('answers data of another type, or of a type without data of its own, with 422', async () => {
    const place = await newPlace()
    const chart = await place.widget('consumption_chart')
    const balance = await place.widget('mahsuplasma_balance')
    for (const id of [chart, balance]) {
      const answer = await place.data(id, 'alarm-summary')
      expect([answer.status, answer.body.error_code]).toEqual([422, 'WIDGET_TYPE_MISMATCH'])
    }
  })
})
