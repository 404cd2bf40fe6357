import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob, runSizingJob } from '../../support/netting/scenario-job.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/mahsuplasma/sizings'
let api: TestApi
let tenant: TestTenant
let spring: Spring

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  spring = await makeSpring(api, tenant)
})
afterAll(() => api.close())

const call = (
  method: string,
  path: string,
  body?: unknown,
  token = tenant.admin.token,
): Promise<ApiResponse> => api.call(method, `${BASE}${path}`, { token, ...(body !== undefined && { body }) })
const get = (path: string) => call('GET', path, undefined, tenant.viewer.token)

const scalePlant = () => ({ type: 'scale_plant', facility_id: spring.producer.id, factor: 1 })
const request = (own: object = {}) => ({
  ...{ name: 'How large', group_ids: [spring.group.id], from: '2026-03', to: '2026-05' },
  ...{ changes: [scalePlant()], change: 0, sizes: ['0.5', 1, '2'] },
  ...own,
})

async function compute(own: object = {}): Promise<ApiResponse['body']> {
  const created = await call('POST', '', request(own))
  expect(created.status, created.text).toBe(201)
  expect(created.body).toMatchObject({ state: 'waiting', points: [], base: null })
  await runSizingJob(api)
  return (await get(`/${created.body.id}`)).body
}

describe('a sizing', () => {
  it('has at each size the figures of the scenario, and the size at which the limit binds', async () => {
    const done = await compute({ cost_fixed_try: '100', cost_per_unit_try: '50.5' })
    expect(done).toMatchObject({ state: 'done', unit: 'factor', points_done: 3, is_stale: false })
    expect(done.points.map(({ size }: { size: string }) => size)).toEqual([
      '0.500000',
      '1.000000',
      '2.000000',
    ])
    const [half, same, twice] = done.points
    expect(same.benefit_try).toBe('0.000000')
    expect(same).toMatchObject({ ...done.base, cost_try: '150.500000', payback_years: null })
    expect([half.cost_try, twice.cost_try]).toEqual(['125.250000', '201.000000'])
    const { body } = await api.call('POST', '/api/mahsuplasma/scenarios', {
      token: tenant.admin.token,
      body: {
        ...{ name: 'twice', group_ids: [spring.group.id], from: '2026-03', to: '2026-05' },
        ...{ changes: [{ ...scalePlant(), factor: 2 }], cost_try: twice.cost_try },
      },
    })
    await runScenarioJob(api)
    const scenario = (
      await api.call('GET', `/api/mahsuplasma/scenarios/${body.id}`, { token: tenant.admin.token })
    ).body
    const { totals } = scenario
    for (const field of ['production_kwh', 'matched_kwh', 'bedelli_kwh', 'skb_kwh', 'balance_try'])
      expect(twice[field], field).toBe(totals.scenario[field])
    expect([twice.benefit_try, twice.payback_years]).toEqual([totals.benefit_try, totals.payback_years])
    // The limit of 100 kWh is used up by the plant as it is: 120 kWh in three months; half of it leaves some.
    expect(half.skb_kwh).toBe('0.000')
    expect(done.binding_size).toBe('1.000000')
    expect(done.input_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('over a range of capacities includes both ends, and has the same hash for the same request', async () => {
    const battery = {
      ...{ type: 'add_battery', facility_id: spring.consumer.id, capacity_kwh: 10, power_kw: 5 },
      ...{ efficiency: '0.9', rule: 'self_consumption', balance_of: 'group' },
    }
    const own = { changes: [battery], sizes: undefined, range: { from: 0, to: 20, step: '10' } }
    const first = await compute(own)
    expect(first.unit).toBe('kWh')
    expect(first.sizes).toEqual(['0.000', '10.000', '20.000'])
    expect(first.points[0].benefit_try).toBe('0.000000')
    const second = await compute(own)
    expect([second.input_hash, second.points]).toEqual([first.input_hash, first.points])
    const report = await fetch(`${api.url}/api/reports/sizing_points?id=${first.id}&format=csv&locale=tr`, {
      headers: { authorization: `Bearer ${tenant.viewer.token}` },
    })
    const text = await report.text()
    expect(report.status, text).toBe(200)
    expect(text.trimEnd().split('\n')).toHaveLength(4)
  })

  it('that cannot be applied fails and names the change and the field', async () => {
    const done = await compute({ changes: [{ ...scalePlant(), facility_id: spring.consumer.id }] })
    expect(done).toMatchObject({ state: 'failed', error_change: 0, error_field: 'facility_id', points: [] })
  })

  it('is cancelled while it waits, and deleted', async () => {
    const { id } = (await call('POST', '', request())).body
    expect((await call('POST', `/${id}/cancel`)).body.state).toBe('cancelled')
    expect((await call('POST', `/${id}/cancel`)).status).toBe(409)
    await runSizingJob(api)
    expect((await get(`/${id}`)).body.state).toBe('cancelled')
    expect((await get('?search=large')).body.length).toBeGreaterThan(0)
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await get(`/${id}`)).status).toBe(404)
  })

  const refused: readonly (readonly [string, () => object, string])[] = [
    ['a position without a change', () => ({ change: 1 }), 'change'],
    [
      'a change without a size',
      () => ({
        changes: [{ type: 'leave_group', facility_id: spring.producer.id, group_id: spring.group.id }],
      }),
      'change',
    ],
    ['neither sizes nor a range', () => ({ sizes: undefined }), 'sizes'],
    ['a range without a step', () => ({ sizes: undefined, range: { from: 1, to: 2, step: 0 } }), 'range'],
    ['too many sizes', () => ({ sizes: undefined, range: { from: 0, to: 2, step: '0.001' } }), 'sizes'],
    ['an unknown group', () => ({ group_ids: ['00000000-0000-4000-8000-000000000000'] }), 'group_ids'],
  ]
  it.each(refused)('is refused with %s', async (_what, own, field) => {
    const response = await call('POST', '', request(own()))
    expect(response.status, response.text).toBe(422)
    expect(response.text).toContain(field)
  })

  it('is refused for a user who may only read', async () => {
    expect((await call('POST', '', request(), tenant.viewer.token)).status).toBe(403)
  })
})
