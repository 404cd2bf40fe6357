import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type DashboardFixture, fillRegister, setUpDashboard } from '../../support/insight/widgets.ts'
import { postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Friday, 12:30 in Turkey. */
const NOW = Date.parse('2026-11-20T09:30:00Z')
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const newDashboard = () => setUpDashboard(api, tenant)
const November = { from: '2026-10-31T21:00:00Z', to: '2026-11-20T09:00:00Z' }

describe('realtime cards', () => {
  let dashboard: DashboardFixture
  beforeAll(async () => {
    dashboard = await newDashboard()
  })
  const sendAgo = async (meter: TestDevice, agoMs: number, values: Record<string, number>) => {
    expect((await postSamples(api, tenant, [sample(meter, NOW - agoMs, values)])).status).toBe(201)
  }

  it('show a measurement of exactly 60 minutes and none that is older', async () => {
    const [fresh, stale] = [await dashboard.device(), await dashboard.device()]
    await sendAgo(fresh, HOUR_MS, { active_power: 12.5 })
    await sendAgo(stale, HOUR_MS + 1, { active_power: 12.5 })
    expect(await dashboard.dataOf('realtime_value', { device_id: fresh.id })).toEqual({
      device_id: fresh.id,
      device_name: expect.any(String),
      metric: 'active_power',
      unit: 'kW',
      value: 12.5,
      timestamp: iso(NOW - HOUR_MS),
      device_status: 'online',
    })
    expect(await dashboard.dataOf('realtime_value', { device_id: stale.id })).toMatchObject({
      value: null,
      timestamp: null,
      device_status: 'offline',
    })
  })

  it('follow a shorter offline threshold and no longer one', async () => {
    const short = await dashboard.device({ offline_threshold_s: 600 })
    await sendAgo(short, 600_001, { voltage: 230 })
    const card = { device_id: short.id, metric: 'voltage' }
    expect(await dashboard.dataOf('realtime_value', card)).toMatchObject({
      value: null,
      device_status: 'offline',
    })
    await sendAgo(short, 600_000, { voltage: 231 })
    expect(await dashboard.dataOf('realtime_value', card)).toMatchObject({
      value: 231,
      device_status: 'online',
    })
    const long = await dashboard.device({ offline_threshold_s: 7200 })
    await sendAgo(long, 90 * 60_000, { voltage: 230 })
    expect(await dashboard.dataOf('realtime_value', { device_id: long.id, metric: 'voltage' })).toMatchObject(
      {
        value: null,
        timestamp: null,
        device_status: 'offline',
      },
    )
  })

  it('find each metric in its latest sample, registers and custom metrics included', async () => {
    const meter = await dashboard.device()
    await sendAgo(meter, 120_000, { import_active_energy: 12.345678, door: 1, active_power: 3 })
    await sendAgo(meter, 60_000, { active_power: 4, reactive_power: 1 })
    const value = async (metric: string) =>
      (await dashboard.dataOf('realtime_value', { device_id: meter.id, metric })).value
    expect(await value('import_active_energy')).toBe(12.345678)
    expect(await value('door')).toBe(1)
    expect(await value('active_power')).toBe(4)
    expect(
      await dashboard.dataOf('realtime_value', { device_id: meter.id, metric: 'humidity' }),
    ).toMatchObject({
      value: null,
      timestamp: null,
      device_status: 'online',
    })
    expect(await dashboard.dataOf('realtime_power', { device_id: meter.id })).toMatchObject({
      active_power: 4,
      reactive_power: 1,
      apparent_power: null,
      timestamp: iso(NOW - 60_000),
    })
  })

  it('show three phases, all null when offline', async () => {
    const meter = await dashboard.device()
    const offline = await dashboard.dataOf('realtime_3phase', { device_id: meter.id })
    const { device_id: _id, device_name: _name, device_status, ...values } = offline
    expect(device_status).toBe('offline')
    expect(Object.values(values)).toEqual(Array.from({ length: 10 }, () => null))
    await sendAgo(meter, 1000, { voltage_l1: 229, current_l2: 5, active_power_l3: 1.5 })
    expect(await dashboard.dataOf('realtime_3phase', { device_id: meter.id })).toMatchObject({
      voltage_l1: 229,
      voltage_l2: null,
      current_l2: 5,
      active_power_l3: 1.5,
    })
  })

  it('return the new names of a gauge for old and new requests', async () => {
    const meter = await dashboard.device()
    await sendAgo(meter, 1000, { frequency: 50.01 })
    const response = await dashboard.dataOf('realtime_gauge', {
      device_id: meter.id,
      metric: 'frequency',
      min_value: 49,
      max_range: 51,
      danger_threshold: 50.5,
    })
    expect(response).toMatchObject({
      value: 50.01,
      unit: 'Hz',
      min_range: 49,
      max_range: 51,
      warning_threshold: null,
      critical_threshold: 50.5,
    })
    expect(response).not.toHaveProperty('min_value')
  })
})

describe('other widget types', () => {
  it('counts samples against the expected number', async () => {
    const dashboard = await newDashboard()
    const whole = await dashboard.device({ reporting_interval_s: 3600 })
    const half = await dashboard.device({ reporting_interval_s: 1800 })
    await dashboard.device()
    // 33 hours from yesterday's midnight to now are 12 whole ones today: 09:30 UTC is 12:30.
    for (const meter of [whole, half]) {
      await fillRegister(api, tenant, meter, {
        from: '2026-11-19T21:00:00Z',
        to: '2026-11-20T09:00:00Z',
        kwhPerHour: 1,
      })
    }
    const response = await dashboard.dataOf('device_read_rate', { period: 'today' })
    expect(response).toMatchObject({
      period: 'today',
      period_label: 'Today',
      expected_count: 37,
      received_count: 25,
    })
    expect(response.devices).toMatchObject([
      { device_id: whole.id, expected_count: 12, received_count: 13, read_rate_pct: 100 },
      { device_id: half.id, expected_count: 25, received_count: 13, read_rate_pct: 52 },
      { expected_count: null, received_count: 0, read_rate_pct: null, is_online: false, last_seen: null },
    ])
    expect(response.read_rate_pct).toBe(67.57)
    const given = await dashboard.dataOf('device_read_rate', { period: 'today', reporting_interval_s: 900 })
    expect(given.devices[2]).toMatchObject({
      reporting_interval_s: 900,
      expected_count: 50,
      read_rate_pct: 0,
    })
  })

  it('reactive energy equals the reactive ratio endpoint', async () => {
    const dashboard = await newDashboard()
    const meter = await dashboard.device()
    await fillRegister(api, tenant, meter, { ...November, kwhPerHour: 1 })
    const { period, period_label, ...ratio } = await dashboard.dataOf('reactive_ratio', {
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
    const dashboard = await newDashboard()
    const meter = await dashboard.device()
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
    expect(await dashboard.dataOf('alarm_summary')).toEqual({
      scope: 'subregion',
      severities: ['info', 'warning', 'critical'],
      open_count: 4,
      by_severity: { info: 0, warning: 3, critical: 1 },
      by_status: { active: 3, acknowledged: 0, snoozed: 1 },
      latest_triggered_at: iso(NOW - 1000),
    })
    const wide = await dashboard.dataOf('alarm_summary', { scope: 'tenant', severities: ['info'] })
    expect(wide).toMatchObject({ open_count: 1, by_status: { acknowledged: 1 } })
  })

  it('rejects data of another type, or of a type without data of its own, with 422', async () => {
    const dashboard = await newDashboard()
    const chart = await dashboard.widget('consumption_chart')
    const balance = await dashboard.widget('mahsuplasma_balance')
    for (const id of [chart, balance]) {
      const response = await dashboard.data(id, 'alarm-summary')
      expect([response.status, response.body.error_code]).toEqual([422, 'WIDGET_TYPE_MISMATCH'])
    }
  })
})
