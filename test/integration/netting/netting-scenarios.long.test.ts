import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as attempts from '../../../src/areas/netting/scenarios/attempt-store.ts'
import { SCENARIO_TEXTS } from '../../../src/areas/netting/scenarios/messages.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, readMarch, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob } from '../../support/netting/scenario-job.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/mahsuplasma/scenarios'
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

const runJob = () => runScenarioJob(api)

const request = (changes: readonly object[], own: object = {}) => ({
  ...{ name: 'What if', group_ids: [spring.group.id], from: '2026-03', to: '2026-05', changes },
  ...own,
})

/** Creates a scenario, and computes it. */
async function compute(changes: readonly object[], own: object = {}): Promise<ApiResponse['body']> {
  const created = await call('POST', '', request(changes, own))
  expect(created.status, created.text).toBe(201)
  expect(created.body.state).toBe('waiting')
  await runJob()
  return (await get(`/${created.body.id}`)).body
}

describe('a scenario', () => {
  it('without changes has the figures of the months and the hours of their runs', async () => {
    const scenario = await compute([])
    expect(scenario).toMatchObject({
      state: 'done',
      months_done: 3,
      is_stale: false,
      months_without_result: [],
    })
    expect(scenario.totals.benefit_try).toBe(scenario.totals.base.balance_try === null ? null : '0.000000')
    const months = (await get(`/${scenario.id}/months`)).body
    const group = `/api/mahsuplasma/groups/${spring.group.id}`
    for (const month of months) {
      expect(month.scenario).toEqual(month.base)
      const read = (path: string) =>
        api.call('GET', `${group}/${path}`, { token: tenant.viewer.token }).then(({ body }) => body)
      const summary = await read(`monthly-summary?billing_period=${month.billing_period}`)
      for (const field of ['matched_kwh', 'bedelli_kwh', 'skb_kwh', 'net_import_kwh'])
        expect(month.base[field], field).toBe(
          summary.find((row: { billing_period: string }) => row.billing_period === month.billing_period)[
            field
          ],
        )
      const period = `group_id=${spring.group.id}&billing_period=${month.billing_period}`
      const hours = (await get(`/${scenario.id}/hours?${period}`)).body
      expect(hours.length).toBe(3)
      expect(hours.every((hour: { base: object; scenario: object }) => hour.base !== null)).toBe(true)
      expect(hours.map((hour: { scenario: object }) => hour.scenario)).toEqual(
        hours.map((hour: { base: object }) => hour.base),
      )
    }
    const members = await get(`/${scenario.id}/members?billing_period=2026-03`)
    expect(members.body.map((row: { facility_name: string }) => row.facility_name).length).toBe(2)
  })

  it('with a larger plant uses the limit earlier, and leaves the real runs as they are', async () => {
    const state = () =>
      api.deps.database.pool
        .query(
          `select (select count(*) from calculation_run)::int as runs, (select count(*) from limit_movement)::int as moved`,
        )
        .then(({ rows }) => rows[0])
    const before = await state()
    const plant = spring.producer.id
    const scenario = await compute([{ type: 'scale_plant', facility_id: plant, factor: 2 }], {
      cost_try: '1000',
    })
    const months = (await get(`/${scenario.id}/months`)).body
    // 60 of 100 kWh in March; 40 are left for April.
    expect(
      months.map((m: { scenario: { limit_closing_kwh: string } }) => m.scenario.limit_closing_kwh),
    ).toEqual(['40.000', '0.000', '0.000'])
    expect(months[1].scenario).toMatchObject({
      matched_kwh: '20.000',
      bedelli_kwh: '20.000',
      skb_kwh: '60.000',
    })
    expect(months[1].scenario.first_over_limit_hour).toMatch(/^2026-0[34]/)
    expect(scenario.input_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await state()).toEqual(before)
    const compared = (await get(`/comparison?ids=${scenario.id}`)).body
    expect(compared).toEqual([expect.objectContaining({ id: scenario.id, totals: scenario.totals })])
  })

  it('is downloaded as CSV, XLSX and PDF', async () => {
    const battery = {
      capacity_kwh: 10,
      power_kw: 5,
      efficiency: '0.9',
      rule: 'self_consumption',
      balance_of: 'group',
    }
    const scenario = await compute([{ type: 'add_battery', facility_id: spring.consumer.id, ...battery }])
    const [{ charged_kwh, discharged_kwh, loss_kwh, left_kwh }] = scenario.batteries
    const wh = (text: string) => Math.round(Number(text) * 1_000)
    expect(wh(charged_kwh)).toBe(wh(discharged_kwh) + wh(loss_kwh) + wh(left_kwh))
    for (const kind of ['months', 'members', 'hours']) {
      for (const format of ['csv', 'xlsx', 'pdf']) {
        const response = await fetch(
          `${api.url}${BASE}/${scenario.id}/report?kind=${kind}&format=${format}&locale=tr`,
          {
            headers: { authorization: `Bearer ${tenant.viewer.token}` },
          },
        )
        expect(response.status, `${kind} ${format}`).toBe(200)
        const bytes = Buffer.from(await response.arrayBuffer())
        expect(bytes.length).toBeGreaterThan(100)
        if (format === 'pdf') expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      }
    }
  })

  it('that cannot be applied fails and names the change and the field', async () => {
    const factor = { facility_id: spring.consumer.id, factor: '1.5' }
    const scenario = await compute([
      { type: 'scale_load', ...factor },
      { type: 'scale_plant', ...factor },
    ])
    expect(scenario).toMatchObject({ state: 'failed', error_change: 1, error_field: 'facility_id' })
    expect(scenario.error).toContain('no production meter')
    expect((await get(`/${scenario.id}/months`)).status).toBe(409)
  })

  it('is stale after a correction of its base, and is computed again', async () => {
    const scenario = await compute([])
    await readMarch(api, tenant, spring)
    const corrected = await api.call('POST', `/api/mahsuplasma/groups/${spring.group.id}/corrections`, {
      token: tenant.admin.token,
      body: { billing_period: '2026-03', reason: 'the official reading of March' },
    })
    expect(corrected.status, corrected.text).toBe(201)
    expect((await get(`/${scenario.id}`)).body.is_stale).toBe(true)
    expect((await call('POST', `/${scenario.id}/calculate`)).status).toBe(202)
    await runJob()
    const again = (await get(`/${scenario.id}`)).body
    expect(again).toMatchObject({ state: 'done', is_stale: false })
    expect(again.input_hash).not.toBe(scenario.input_hash)
    expect(again.totals.base.production_kwh).not.toBe(scenario.totals.base.production_kwh)
  })

  it('is cancelled while it waits, and deleted', async () => {
    const { id } = (await call('POST', '', request([]))).body
    expect((await call('POST', `/${id}/cancel`)).body.state).toBe('cancelled')
    expect((await call('POST', `/${id}/cancel`)).status).toBe(409)
    await runJob()
    expect((await get(`/${id}`)).body.state).toBe('cancelled')
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await get(`/${id}`)).status).toBe(404)
  })

  it('with a facility of another group takes its limit from the start of the scenario', async () => {
    const other = await makeSpring(api, tenant)
    const scenario = await compute([
      {
        ...{ type: 'join_group', facility_id: other.consumer.id, role: 'consumption' },
        group_id: spring.group.id,
      },
    ])
    const [march] = (await get(`/${scenario.id}/months`)).body
    // The other group has used up the limit of 100 kWh by now.
    const left = (figures: { limit_closing_kwh: string }) => Number(figures.limit_closing_kwh)
    expect(left(march.scenario)).toBe(left(march.base) + 100)
  })

  it('that two processes compute at once has one result', async () => {
    const { id } = (await call('POST', '', request([]))).body
    await Promise.all([runJob(), runJob()])
    await runJob()
    expect((await get(`/${id}`)).body).toMatchObject({ state: 'done', months_done: 3 })
    expect((await get(`/${id}/months`)).body.length).toBe(3)
  })

  it('takes results and progress of the last computation only', async () => {
    const { id } = (await call('POST', '', request([]))).body
    const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
      inTenantTx(api.deps.database.kysely, tenant.id, work)
    const begin = async () => (await inTx((tx) => attempts.begin(tx, id))) ?? { id, attempt: -1 }
    const [first, second] = [await begin(), await begin()]
    expect(second.attempt).toBe(first.attempt + 1)
    expect(await inTx((tx) => attempts.progress(tx, first, 1))).toBeUndefined()
    const failure = { change: null, field: null, content: SCENARIO_TEXTS.SCENARIO_FAILED(), at: 0 }
    expect(await inTx((tx) => attempts.fail(tx, first, failure))).toBeUndefined()
    expect(await inTx((tx) => attempts.progress(tx, second, 1))).toEqual({ id })
    await call('POST', `/${id}/cancel`)
    await call('POST', `/${id}/calculate`)
    expect(await inTx((tx) => attempts.progress(tx, second, 1))).toBeUndefined()
    await runJob()
    expect((await get(`/${id}`)).body.state).toBe('done')
  })

  it('that a stopped job has left is computed by the next slot', async () => {
    const { id } = (await call('POST', '', request([]))).body
    const job = schedule(api.deps).find(({ name }) => name === 'compute-scenarios')
    const stopped = AbortSignal.abort(new Error('the service stops'))
    await expect(
      job?.run(api.deps.clock.now(), { signal: stopped, partFailed: () => undefined } as never),
    ).rejects.toThrow('the service stops')
    expect((await get(`/${id}`)).body.state).toBe('waiting')
    await runJob()
    expect((await get(`/${id}`)).body.state).toBe('done')
  })
})

describe('a request for a scenario is refused', () => {
  const cases: readonly (readonly [string, () => object, number, string])[] = [
    [
      'a missing field',
      () => request([{ type: 'scale_plant', facility_id: spring.producer.id }]),
      422,
      'factor',
    ],
    [
      'a field of another type',
      () =>
        request([
          { type: 'leave_group', facility_id: spring.producer.id, group_id: spring.group.id, factor: 1 },
        ]),
      422,
      'factor',
    ],
    [
      'an unknown facility',
      () =>
        request([{ type: 'scale_plant', facility_id: '00000000-0000-4000-8000-000000000000', factor: 1 }]),
      422,
      'changes.0.facility_id',
    ],
    [
      'an unknown group',
      () => request([], { group_ids: ['00000000-0000-4000-8000-000000000000'] }),
      422,
      'group_ids',
    ],
    ['months in the wrong order', () => request([], { from: '2026-05', to: '2026-03' }), 422, 'from'],
    [
      'an efficiency above 1',
      () =>
        request([
          {
            type: 'add_battery',
            facility_id: spring.consumer.id,
            capacity_kwh: 1,
            power_kw: 1,
            efficiency: 1.1,
            rule: 'self_consumption',
          },
        ]),
      422,
      'efficiency',
    ],
  ]
  it.each(cases)('with %s', async (_what, body, status, text) => {
    const response = await call('POST', '', body())
    expect(response.status, response.text).toBe(status)
    expect(response.text).toContain(text)
  })

  it('by a user who may only read', async () => {
    expect((await call('POST', '', request([]), tenant.viewer.token)).status).toBe(403)
  })
})
