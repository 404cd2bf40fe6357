import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATA_PATHS, type DataType, hasData, WIDGET_TYPES } from '../../../src/areas/insight/widgets/types.ts'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  type DashboardFixture,
  fillRegister,
  rawData,
  setUpDashboard,
} from '../../support/insight/widgets.ts'
import { postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
let api: TestApi
let tenant: TestTenant
let dashboard: DashboardFixture
let live: TestDevice
let stale: TestDevice
const ids = new Map<string, DataType>()

/**
 * Two widgets of every type that has data: one with its own devices, one with other devices and another
 * period.
 */
async function makeScreen(): Promise<void> {
  for (const type of WIDGET_TYPES) {
    if (!hasData(type)) continue
    const isLive = type.startsWith('realtime')
    const first = isLive ? { device_id: live.id } : { abone_grubu: 'sanayi' }
    const second = isLive
      ? { device_id: stale.id, metric: 'voltage', min_value: 1 }
      : { device_ids: [stale.id, live.id], period: 'today', interval: 'hourly', is_multi_time: true }
    for (const config of [first, second]) ids.set(await dashboard.widget(type, config), type)
  }
  await dashboard.widget('osos_consumption_chart')
  await dashboard.widget('mahsuplasma_balance')
}

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  dashboard = await setUpDashboard(api, tenant)
  live = await dashboard.device({ reporting_interval_s: 3600 })
  stale = await dashboard.device()
  await fillRegister(api, tenant, live, {
    from: '2026-11-10T21:00:00Z',
    to: '2026-11-20T09:00:00Z',
    kwhPerHour: 2.345,
  })
  await fillRegister(api, tenant, stale, {
    from: '2026-11-12T21:00:00Z',
    to: '2026-11-20T07:00:00Z',
    kwhPerHour: 1.1,
  })
  await postSamples(api, tenant, [
    sample(live, NOW - 1000, { active_power: 12.3456789, voltage_l1: 230.1 }),
    sample(stale, NOW - HOUR_MS - 1, { active_power: 5, voltage: 231 }),
  ])
  await makePriceSet(api.deps, '2026-11-01', [{ purpose: 'customer_bill_active_energy', price: '2.985253' }])
  await makeScreen()
})
afterAll(() => api.close())

interface Entry {
  readonly widget_id: string
  readonly widget_type: string
  readonly data: object | null
  readonly error: { error_code: string; message: string } | null
  readonly source: string | null
}

/**
 * Compares every widget of the dashboard with its own endpoint byte for byte; returns the types that have
 * errors.
 */
async function compare(query = ''): Promise<string[]> {
  const whole = await dashboard.dashboard(query)
  expect(whole.status).toBe(200)
  const entries: Entry[] = whole.body.widgets
  const failed: string[] = []
  for (const { widget_id, widget_type, data, error, source } of entries) {
    const type = ids.get(widget_id)
    if (!type) {
      expect([data, error]).toEqual([null, null])
      continue
    }
    const single = await dashboard.data(widget_id, DATA_PATHS[type] + query)
    if (single.status === 200) {
      expect([widget_type, rawData(whole.text, widget_id)]).toEqual([widget_type, single.text])
      expect(error).toBeNull()
      const followed = await api.call('GET', source ?? '', { token: tenant.viewer.token })
      expect(followed.text).toBe(single.text)
    } else {
      expect(data).toBeNull()
      const { detail: message, ...rest } = single.body
      expect(error).toEqual({ message, ...rest })
      failed.push(widget_type)
    }
  }
  return failed
}

describe('dashboard data', () => {
  it('has the bytes of the endpoint of every widget', async () => {
    expect(ids.size).toBe(22)
    expect(await compare()).toEqual([])
    expect(await compare('?time_range=30d')).toEqual([])
  })

  it('names the endpoint of the two types whose data is elsewhere', async () => {
    const { kysely } = api.deps.database
    const installation = await kysely
      .insertInto('osos_installation')
      .values({ tenant_id: tenant.id, installation_no: '1' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const group = await kysely
      .insertInto('netting_group')
      .values({ tenant_id: tenant.id, name: 'g' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const here = await setUpDashboard(api, tenant)
    await here.widget('osos_consumption_chart', { installation_id: installation.id, period: 'this_month' })
    await here.widget('mahsuplasma_balance', { group_id: group.id })
    const entries: Entry[] = (await here.dashboard()).body.widgets
    expect(entries.map(({ source }) => source?.split('?')[0]).toSorted()).toEqual([
      `/api/mahsuplasma/groups/${group.id}/dashboard-summary`,
      `/api/osos/installations/${installation.id}/consumption`,
    ])
    for (const { source } of entries) {
      const { status, text } = await api.call('GET', source ?? '', { token: tenant.viewer.token })
      expect([status, text]).toEqual([200, text])
    }
  })

  it('is the same from roll-ups, and with late samples after them', async () => {
    const { rollUpDevice } = await import('../../../src/areas/metering/rollup/index.ts')
    const before = (await dashboard.dashboard()).text
    for (const { key } of [live, stale]) await rollUpDevice(api.deps, { tenantId: tenant.id, deviceKey: key })
    expect((await dashboard.dashboard()).text).toBe(before)
    expect(await compare()).toEqual([])
    await postSamples(api, tenant, [sample(live, '2026-11-15T10:20:00Z', { import_active_energy: 1256.1 })])
    expect(await compare()).toEqual([])
  })

  it('fails only the widgets with unreadable parameters', async () => {
    const { pool } = api.deps.database
    await pool.query('alter table tariff_price rename to tariff_price_away')
    try {
      const failed = await compare()
      expect(new Set(failed)).toEqual(new Set(['cost_chart', 'cost_numeric']))
      const { widgets } = (await dashboard.dashboard()).body as { widgets: Entry[] }
      const cost = widgets.find(({ widget_type }) => widget_type === 'cost_chart')
      expect(cost?.error).toEqual({
        error_code: 'INTERNAL_ERROR',
        message: 'unexpected server error',
        message_code: 'UNEXPECTED_ERROR',
        parameters: {},
      })
    } finally {
      await pool.query('alter table tariff_price_away rename to tariff_price')
    }
    expect(await compare()).toEqual([])
  })

  it('fails only the widgets whose device is deleted', async () => {
    const here = await setUpDashboard(api, tenant)
    const deleted = await here.device()
    const orphan = await here.widget('realtime_value', { device_id: deleted.id })
    await here.widget('alarm_summary')
    await api.call('DELETE', `/api/devices/${deleted.id}`, { token: tenant.admin.token })
    const single = await here.data(orphan, 'realtime-value')
    expect([single.status, single.body.error_code]).toEqual([422, 'WIDGET_DEVICE_MISSING'])
    // Both were created at the same instant of a fixed clock, so their order is by id.
    const entries: Entry[] = (await here.dashboard()).body.widgets
    const ofType = (type: string) => entries.find(({ widget_type }) => widget_type === type)
    expect(ofType('realtime_value')).toMatchObject({
      data: null,
      error: { error_code: 'WIDGET_DEVICE_MISSING' },
    })
    expect(ofType('alarm_summary')).toMatchObject({ error: null, data: { open_count: 0 } })
  })

  it('needs few statements, however many widgets there are', async () => {
    const { pool } = api.deps.database
    let statements = 0
    const connect = pool.connect.bind(pool)
    const client = await connect()
    const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown }
    client.release()
    const { query } = prototype
    prototype.query = function counted(this: unknown, ...args: unknown[]) {
      statements += 1
      return Reflect.apply(query, this, args)
    }
    try {
      await dashboard.dashboard()
      const together = statements
      statements = 0
      for (const [id, type] of ids) await dashboard.data(id, DATA_PATHS[type])
      const apart = statements
      expect(together).toBeLessThanOrEqual(30)
      expect(together).toBeLessThan(apart / 5)
    } finally {
      prototype.query = query
    }
  })
})
