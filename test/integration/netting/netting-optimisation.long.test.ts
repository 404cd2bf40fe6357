import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPTIMISATIONS_OPEN_MAX } from '../../../src/areas/netting/optimisation/limits.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { runOptimisationJob } from '../../support/netting/optimisation-job.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob } from '../../support/netting/scenario-job.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/mahsuplasma/optimisations'
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

const battery = (own: object = {}) => ({
  ...{ facility_id: spring.consumer.id, capacity_kwh: 10, power_kw: 5, efficiency: '0.9' },
  ...own,
})
const request = (own: object = {}) => ({
  ...{ name: 'Best dispatch', kind: 'battery_dispatch', group_ids: [spring.group.id] },
  ...{ from: '2026-03', to: '2026-03', batteries: [battery()] },
  ...own,
})

async function compute(own: object = {}): Promise<ApiResponse['body']> {
  const created = await call('POST', '', request(own))
  expect(created.status, created.text).toBe(201)
  expect(created.body).toMatchObject({ state: 'waiting', steps_done: 0, result: null })
  await runOptimisationJob(api)
  return (await get(`/${created.body.id}`)).body
}

describe('an optimisation', () => {
  it('proposes a dispatch with its gap, and becomes a scenario with the same benefit', async () => {
    const done = await compute()
    expect(done).toMatchObject({ state: 'done', steps_done: done.steps_total, is_stale: false, error: null })
    const { result } = done
    const names = done.candidates.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(['rule_facility', 'rule_group', 'solver'])
    expect(Number(result.benefit_try)).toBeGreaterThanOrEqual(0)
    expect(Number(result.bound_try)).toBeGreaterThanOrEqual(Number(result.proposal.balance_try))
    expect(Number(result.gap_try)).toBeCloseTo(
      Number(result.bound_try) - Number(result.proposal.balance_try),
      5,
    )
    const points = await get(`/${done.id}/set-points?limit=1000`)
    expect(points.body.length).toBe(31 * 24)
    expect(points.body[0]).toEqual({
      ...{ facility_id: spring.consumer.id, hour: '2026-02-28T21:00:00.000Z' },
      power_kw: expect.stringMatching(/^-?\d+\.\d{3}$/),
    })
    const scenario = await call('POST', `/${done.id}/scenario`)
    expect(scenario.status, scenario.text).toBe(201)
    await runScenarioJob(api)
    const path = `/api/mahsuplasma/scenarios/${scenario.body.id}`
    const computed = (await api.call('GET', path, { token: tenant.viewer.token })).body
    expect(computed).toMatchObject({ state: 'done', name: 'Best dispatch' })
    expect(computed.totals.benefit_try).toBe(result.benefit_try)
    expect((await get('?search=Best')).body[0]).toMatchObject({ id: done.id, gap_try: result.gap_try })
  })

  it('proposes groups, transfers and pairs of the same months', async () => {
    const own = { batteries: undefined, group_ids: [spring.group.id] }
    const moved = await compute({ ...own, kind: 'assignment', from: '2026-03', to: '2026-05' })
    expect(moved, JSON.stringify(moved.error)).toMatchObject({ state: 'done' })
    expect(moved.groups).toEqual([expect.objectContaining({ group_id: spring.group.id })])
    const transfers = await compute({ ...own, kind: 'limit_transfers', from: '2026-03', to: '2026-05' })
    expect(transfers).toMatchObject({ state: 'done', result: { benefit_try: '0.000000', changes: [] } })
    expect((await call('POST', `/${transfers.id}/scenario`)).status).toBe(409)
    const pair = { producer_id: spring.producer.id, consumer_id: spring.consumer.id, value_try_per_kwh: '2' }
    const pairs = await compute({ ...own, kind: 'allocation', pair_values: [pair] })
    const flows = (await get(`/${pairs.id}/flows`)).body
    expect(flows).toEqual([
      {
        ...{ producer_id: spring.producer.id, consumer_id: spring.consumer.id },
        ...{ matched_kwh: '10.000', proportional_kwh: '10.000', value_try: '20.000000' },
      },
    ])
  })

  it('ends as failed with its field where it has no result or the facility does not consume', async () => {
    const producer = await compute({ batteries: [battery({ facility_id: spring.producer.id })] })
    expect(producer).toMatchObject({ state: 'failed', error_field: 'batteries', result: null })
    expect(await compute({ from: '2026-09', to: '2026-09' })).toMatchObject({
      state: 'failed',
      error_field: 'group_ids',
    })
    expect((await get(`/${producer.id}/set-points`)).status).toBe(409)
    expect((await call('POST', `/${producer.id}/scenario`)).status).toBe(409)
  })

  it('refuses what it cannot be, naming the field', async () => {
    const refused = async (own: object) => {
      const { status, body } = await call('POST', '', request(own))
      return [status, JSON.stringify(body)]
    }
    expect((await refused({ batteries: undefined }))[0]).toBe(422)
    expect((await refused({ batteries: [battery({ efficiency: 2 })] }))[1]).toContain('efficiency')
    expect((await refused({ batteries: [battery({ initial_kwh: 11 })] }))[1]).toContain('initial_kwh')
    expect((await refused({ batteries: [battery(), battery()] }))[1]).toContain('batteries.1.facility_id')
    expect((await refused({ group_ids: [randomUUID()] }))[1]).toContain('group_ids')
    expect((await refused({ to: '2026-04' }))[0]).toBe(422)
    expect((await refused({ from: '2026-12', to: '2026-12' }))[0]).toBe(422)
    const viewer = await call('POST', '', request(), tenant.viewer.token)
    expect(viewer.status).toBe(403)
  })

  it('refuses a model that would be too large when it is created', async () => {
    const other = await createTenant(api)
    const created = await makeSpring(api, other)
    const kysely = api.deps.database.kysely
    // Members of every kind, so that a dispatch cannot sum many of them by their price.
    await sql`
      with added as (
        insert into facility (tenant_id, subregion_id, name, valid_from, abone_grubu, tariff_supply_type,
          is_multi_time, voltage_level)
        select ${other.id}, subregion_id, 'member ' || number, valid_from,
          (array['mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other'])[1 + number % 6],
          (array['regulated', 'sktt', 'bilateral', null])[1 + number / 6 % 4], number / 24 % 2 = 0,
          (array['AG', 'OG', 'YG'])[1 + number / 48 % 3]
        from facility, generate_series(1, 300) number
        where facility.tenant_id = ${other.id} and facility.id = ${created.consumer.id}
        returning id, valid_from
      )
      insert into group_member (tenant_id, group_id, facility_id, member_role, valid_from)
      select ${other.id}, ${created.group.id}, id, 'consumption', valid_from from added`.execute(kysely)
    const { token } = other.admin
    const createdWith = async (own: object) => {
      const body = { name: 'Large', group_ids: [created.group.id], from: '2026-03', to: '2026-03', ...own }
      const { status, text } = await api.call('POST', BASE, { token, body })
      return [status, text] as const
    }
    const batteries = created.group.facilities.slice(1).map(({ id }) => battery({ facility_id: id }))
    for (const own of [
      { kind: 'assignment', from: '2024-12', to: '2026-11' },
      { kind: 'battery_dispatch', batteries },
    ]) {
      const [status, text] = await createdWith(own)
      expect([status, text]).toEqual([422, expect.stringContaining('factors')])
    }
    expect((await createdWith({ kind: 'assignment', from: '2026-11', to: '2026-11' }))[0]).toBe(201)
    expect((await createdWith({ kind: 'battery_next_day', batteries }))[0]).toBe(201)
    // 301 members of one kind are one consumer in the model.
    await sql`
      update facility set abone_grubu = 'sanayi', tariff_supply_type = null, is_multi_time = false,
        voltage_level = null where tenant_id = ${other.id}`.execute(kysely)
    expect((await createdWith({ kind: 'battery_dispatch', batteries }))[0]).toBe(201)
  })

  it('refuses pairs that are given twice', async () => {
    const pair = {
      ...{ producer_id: spring.producer.id, consumer_id: spring.consumer.id },
      value_try_per_kwh: 1,
    }
    const pairs = { kind: 'allocation', batteries: undefined, pair_values: [pair, pair] }
    const twice = await call('POST', '', request(pairs))
    expect([twice.status, twice.text]).toEqual([422, expect.stringContaining('pair_values')])
  })

  it('is cancelled while it waits, and deleted; too many are refused', async () => {
    const ids: string[] = []
    for (let count = 0; count < OPTIMISATIONS_OPEN_MAX; count += 1)
      ids.push((await call('POST', '', request())).body.id)
    expect((await call('POST', '', request())).status).toBe(409)
    for (const id of ids) expect((await call('POST', `/${id}/cancel`)).body.state).toBe('cancelled')
    expect((await call('POST', `/${ids[0]}/cancel`)).status).toBe(409)
    expect((await call('DELETE', `/${ids[0]}`)).status).toBe(204)
    expect((await get(`/${ids[0]}`)).status).toBe(404)
  })
})
