import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONFIG_SCHEMAS } from '../../../src/areas/insight/widgets/config.ts'
import { DATA_PATHS, WIDGET_TYPES } from '../../../src/areas/insight/widgets/types.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type DashboardFixture, setUpDashboard } from '../../support/insight/widgets.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let here: DashboardFixture

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  here = await setUpDashboard(api, tenant)
})
afterAll(() => api.close())

const positionOf = (widget_id: string, x: number, y = 0) => ({ widget_id, x, y, w: 4, h: 2 })
const arrange = (positions: unknown, token = tenant.operator.token, id = here.subregionId) =>
  api.call('PUT', `/api/subregions/${id}/widgets/positions`, { token, body: { positions } })
const stored = async () => {
  const path = `/api/subregions/${here.subregionId}/widgets`
  const { body } = await api.call('GET', path, { token: tenant.viewer.token })
  return new Map(body.map(({ id, position }: { id: string; position: object | null }) => [id, position]))
}

describe('the arrangement of a dashboard', () => {
  it('is stored at once; widgets that are not named keep their positions', async () => {
    const ids = [
      await here.widget('alarm_summary', {}, { position: { x: 8, y: 8, w: 1, h: 1 } }),
      await here.widget('alarm_summary'),
      await here.widget('alarm_summary'),
    ] as const
    expect((await arrange([positionOf(ids[2], 0), positionOf(ids[1].toUpperCase(), 4)])).status).toBe(204)
    const positions = await stored()
    expect(ids.map((id) => positions.get(id))).toEqual([
      { x: 8, y: 8, w: 1, h: 1 },
      { x: 4, y: 0, w: 4, h: 2 },
      { x: 0, y: 0, w: 4, h: 2 },
    ])
  })

  it('is refused as a whole with a widget that is unknown, elsewhere or named twice', async () => {
    const one = await here.widget('alarm_summary')
    const other = await (await setUpDashboard(api, tenant)).widget('alarm_summary')
    const before = await stored()
    for (const id of [randomUUID(), other]) {
      const { status, body } = await arrange([positionOf(one, 1), positionOf(id, 2)])
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'positions', 1, 'widget_id']])
    }
    const twice = await arrange([positionOf(one, 1), positionOf(one, 2)])
    expect([twice.status, twice.body.detail[0].loc]).toEqual([422, ['body', 'positions', 1, 'widget_id']])
    expect((await arrange([])).status).toBe(422)
    expect((await arrange([{ ...positionOf(one, 1), w: 0 }])).status).toBe(422)
    expect(await stored()).toEqual(before)
  })

  it('needs the permission, and a subregion of the tenant', async () => {
    const one = await here.widget('alarm_summary')
    expect((await arrange([positionOf(one, 1)], tenant.viewer.token)).status).toBe(403)
    expect((await arrange([positionOf(one, 1)], tenant.operator.token, randomUUID())).status).toBe(404)
  })
})

describe('the list of widget types', () => {
  it('has every type with its path and the schema that checks its config', async () => {
    const { status, body } = await api.call('GET', '/api/widgets/types', { token: tenant.viewer.token })
    expect(status).toBe(200)
    expect(body.map((type: { widget_type: string }) => type.widget_type)).toEqual([...WIDGET_TYPES])
    for (const { widget_type, data_path, config_schema } of body) {
      const type = widget_type as (typeof WIDGET_TYPES)[number]
      expect(data_path).toBe((DATA_PATHS as Record<string, string>)[type] ?? null)
      expect(Object.keys(config_schema.properties)).toEqual(Object.keys(CONFIG_SCHEMAS[type]))
    }
    const gauge = body.find((type: { widget_type: string }) => type.widget_type === 'realtime_gauge')
    expect(gauge.config_schema.required).toEqual(['device_id'])
  })
})
