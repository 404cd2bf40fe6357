import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONFIG_SCHEMAS } from '../../../src/areas/insight/widgets/config.ts'
import { WIDGETS_PER_SUBREGION_MAX } from '../../../src/areas/insight/widgets/limits.ts'
import { WIDGET_TYPES } from '../../../src/areas/insight/widgets/types.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type DashboardFixture, setUpDashboard } from '../../support/insight/widgets.ts'
import type { TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ownTenant: TestTenant
let other: TestTenant
let dashboard: DashboardFixture
let strange: DashboardFixture
let meter: TestDevice
let foreign: TestDevice

beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
  other = await createTenant(api)
  dashboard = await setUpDashboard(api, ownTenant)
  strange = await setUpDashboard(api, other)
  meter = await dashboard.device()
  foreign = await strange.device()
})
afterAll(() => api.close())

/** The minimal config of each type. */
const leastConfig = (type: string): object => (type.startsWith('realtime') ? { device_id: meter.id } : {})
const create = (widget_type: string, config: object, more: object = {}) =>
  dashboard.create({ subregion_id: dashboard.subregionId, widget_type, title: 'A', config, ...more })
const locs = (body: { detail: { loc: unknown[] }[] }) => body.detail.map(({ loc }) => loc.join('.')).sort()

describe('widgets', () => {
  it('have 13 types, in the validation and in the table', async () => {
    expect(WIDGET_TYPES).toHaveLength(13)
    for (const type of WIDGET_TYPES) {
      const { status, body } = await create(type, leastConfig(type))
      expect([type, status]).toEqual([type, 201])
      expect(body).toMatchObject({
        widget_type: type,
        is_active: true,
        position: null,
        config: leastConfig(type),
      })
    }
    const { status, body } = await create('pie_chart', {})
    expect([status, locs(body)]).toEqual([422, ['body.widget_type']])
  })

  it('are created, read, listed, changed and deleted', async () => {
    const here = await setUpDashboard(api, ownTenant)
    const position = { x: 0, y: 2, w: 4, h: 3 }
    const created = await here.create({
      subregion_id: here.subregionId,
      widget_type: 'consumption_chart',
      title: 'Usage',
      position,
      config: { device_id: meter.id, period: '30d', color: 'green' },
    })
    expect(created.body).toMatchObject({ position, config: { color: 'green', period: '30d' } })
    const path = `/api/widgets/${created.body.id}`
    expect((await api.call('GET', path, { token: ownTenant.viewer.token })).body).toEqual(created.body)
    const list = () =>
      api.call('GET', `/api/subregions/${here.subregionId}/widgets`, { token: ownTenant.viewer.token })
    const listed = await list()
    expect(listed.body).toEqual([created.body])
    expect(listed.headers.get('x-total-count')).toBe('1')
    const changed = await api.call('PUT', path, {
      token: ownTenant.operator.token,
      body: { title: 'Use', is_active: false },
    })
    expect(changed.body).toEqual({ ...created.body, title: 'Use', is_active: false })
    expect((await here.dashboard()).body).toEqual({ subregion_id: here.subregionId, widgets: [] })
    expect((await api.call('DELETE', path, { token: ownTenant.operator.token })).status).toBe(204)
    expect((await list()).body).toEqual([])
  })

  it('are read by viewers and written by operators', async () => {
    const body = { subregion_id: dashboard.subregionId, widget_type: 'alarm_summary', title: 'A' }
    expect((await api.call('POST', '/api/widgets', { token: ownTenant.viewer.token, body })).status).toBe(403)
    const id = await dashboard.widget('alarm_summary')
    expect((await api.call('DELETE', `/api/widgets/${id}`, { token: ownTenant.viewer.token })).status).toBe(
      403,
    )
  })

  it('are rejected with every invalid field of the config', async () => {
    const response = await create('realtime_gauge', { metric: 7, min_range: 'low', critical_threshold: [] })
    expect(response.status).toBe(422)
    expect(locs(response.body)).toEqual([
      'body.config.critical_threshold',
      'body.config.device_id',
      'body.config.metric',
      'body.config.min_range',
    ])
    const list = await create('consumption_chart', { device_ids: [meter.id, 'x'], period: 'fortnight' })
    expect(locs(list.body)).toEqual(['body.config.device_ids.1', 'body.config.period'])
  })

  it('validate each field of each type', async () => {
    for (const [type, fields] of Object.entries(CONFIG_SCHEMAS)) {
      for (const field of Object.keys(fields)) {
        const { status, body } = await create(type, { ...leastConfig(type), [field]: { wrong: true } })
        expect([type, field, status]).toEqual([type, field, 422])
        expect(locs(body)).toContain(`body.config.${field}`)
      }
    }
  })

  it('accept the old names of a gauge and return the new ones; a new one takes precedence', async () => {
    const config = { device_id: meter.id, min_value: 1, max_value: 9, danger_threshold: 8, max_range: 10 }
    const { status, body } = await create('realtime_gauge', config)
    expect(status).toBe(201)
    expect(body.config).toEqual({ device_id: meter.id, min_range: 1, max_range: 10, critical_threshold: 8 })
    const reversed = await create('realtime_gauge', { device_id: meter.id, min_value: 9, max_value: 1 })
    expect(locs(reversed.body)).toEqual(['body.config.max_range'])
    const wrong = await create('realtime_gauge', { device_id: meter.id, max_value: 'high' })
    expect(locs(wrong.body)).toEqual(['body.config.max_range'])
  })

  it('treat null as absent, and validate the stored config when the type changes', async () => {
    const id = await dashboard.widget('consumption_numeric', { period: null, device_id: meter.id })
    const put = (body: object) =>
      api.call('PUT', `/api/widgets/${id}`, { token: ownTenant.operator.token, body })
    expect((await put({})).body.config).toEqual({ device_id: meter.id })
    expect((await put({ config: {} })).body.config).toEqual({})
    expect(locs((await put({ widget_type: 'realtime_value' })).body)).toEqual(['body.config.device_id'])
    expect((await put({ widget_type: 'cost_numeric' })).body.widget_type).toBe('cost_numeric')
  })

  it('reject devices, groups, installations and subregions of other tenants like unknown ones', async () => {
    for (const id of [foreign.id, randomUUID()]) {
      expect(locs((await create('realtime_value', { device_id: id })).body)).toEqual([
        'body.config.device_id',
      ])
      expect(locs((await create('cost_chart', { device_ids: [meter.id, id] })).body)).toEqual([
        'body.config.device_ids.1',
      ])
      expect(locs((await create('osos_consumption_chart', { installation_id: id })).body)).toEqual([
        'body.config.installation_id',
      ])
      expect(locs((await create('mahsuplasma_balance', { group_id: id })).body)).toEqual([
        'body.config.group_id',
      ])
    }
    const texts = await Promise.all(
      [strange.subregionId, randomUUID()].map(async (subregion_id) => {
        const response = await dashboard.create({ subregion_id, widget_type: 'alarm_summary', title: 'A' })
        return `${response.status} ${response.text}`
      }),
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('INVALID_REFERENCE')
  })

  it('answer a foreign dashboard like an unknown one', async () => {
    const responses = await Promise.all(
      [dashboard.subregionId, randomUUID()].flatMap((id) =>
        ['widgets', 'widgets/data'].map((path) =>
          api.call('GET', `/api/subregions/${id}/${path}`, { token: other.admin.token }),
        ),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  })

  it('are limited in number for a subregion, also with concurrent requests', async () => {
    const here = await setUpDashboard(api, ownTenant)
    await api.deps.database.kysely
      .insertInto('widget')
      .values(
        Array.from({ length: WIDGETS_PER_SUBREGION_MAX - 2 }, () => ({
          tenant_id: ownTenant.id,
          subregion_id: here.subregionId,
          widget_type: 'alarm_summary',
          title: 'A',
        })),
      )
      .execute()
    const body = { subregion_id: here.subregionId, widget_type: 'alarm_summary', title: 'A' }
    const responses = await Promise.all(Array.from({ length: 6 }, () => here.create(body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422])
    expect(responses.find(({ status }) => status === 422)?.body.error_code).toBe('WIDGET_LIMIT_REACHED')
    expect((await here.dashboard()).body.widgets).toHaveLength(WIDGETS_PER_SUBREGION_MAX)
  })

  it('are deleted with their subregion', async () => {
    const here = await setUpDashboard(api, ownTenant)
    await api.deps.database.kysely
      .deleteFrom('gateway')
      .where('subregion_id', '=', here.subregionId)
      .execute()
    const id = await here.widget('alarm_summary')
    const path = `/api/subregions/${here.subregionId}`
    expect((await api.call('DELETE', path, { token: ownTenant.admin.token })).status).toBe(204)
    expect((await api.call('GET', `/api/widgets/${id}`, { token: ownTenant.viewer.token })).status).toBe(404)
  })
})
