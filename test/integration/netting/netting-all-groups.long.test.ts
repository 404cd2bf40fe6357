import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../../src/jobs/schedule.ts'
import type { TestApi } from '../../support/api.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { makeSpring, readMarch } from '../../support/netting/calculated-months.ts'
import { makePair, openSite, type Row } from '../../support/netting/calculation.ts'
import { breakPeriod } from '../../support/netting/corrections.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterAll(() => api.close())

const BASE = '/api/mahsuplasma/groups'
const get = (path: string, { viewer } = tenant) => api.call('GET', `${BASE}/${path}`, { token: viewer.token })
const bulk = (body: object) => api.call('POST', `${BASE}/bulk`, { token: tenant.admin.token, body })
async function runJob(): Promise<void> {
  const job = schedule(api.deps).find(({ name }) => name === 'run-bulk-calculations')
  if (!job) throw new Error('there is no job run-bulk-calculations')
  await perform(api, { job, slot: api.clock.now() })
}
const resultsOf = async (id: string): Promise<Row[]> => (await get(`bulk/${id}/groups`)).body
const statusOf = async (id: string, group: { readonly id: string }) =>
  (await resultsOf(id)).find((row) => row['group_id'] === group.id)?.['status']

describe('the overview of all groups', () => {
  it('has status, figures, stale hours and alarms of a month, with filters', async () => {
    const spring = await makeSpring(api, tenant)
    const empty = await makeGroup(api.deps, tenant, { members: [] })
    await api.deps.database.pool.query('delete from stale_mark')
    const rowsOf = async (query = '') => {
      const { status, body } = await get(`overview?billing_period=2026-03${query}`)
      expect(status).toBe(200)
      return body as (Row & { figures: Row; alarms: Row[] })[]
    }
    const ids = async (query: string) => (await rowsOf(query)).map((row) => row['group_id'])
    const all = await rowsOf()
    expect(all.find((row) => row['group_id'] === spring.group.id)).toMatchObject({
      billing_period: '2026-03-01',
      month_status: 'partial',
      scenario: 'standard_hourly',
      figures: { production_kwh: '30.000', matched_kwh: '10.000', hours_calculated: 3 },
      stale: false,
      alarms: [],
    })
    expect(all.find((row) => row['group_id'] === empty.id)).toMatchObject({
      month_status: 'not_calculated',
      scenario: null,
      figures: null,
      stale: false,
    })
    await readMarch(api, tenant, spring)
    expect(await ids('&stale=true')).toEqual([spring.group.id])
    expect(await ids('&stale=false')).toEqual([empty.id])
    expect(await ids('&month_status=not_calculated')).toEqual([empty.id])
    const page = await get('overview?billing_period=2026-03&limit=1')
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '2'])
    expect((await get('overview')).status).toBe(422)
    expect((await get('overview?billing_period=2026-03', foreignTenant)).body).toEqual([])
  })
})

describe('a bulk request', () => {
  it('calculates a month of many groups with progress, and one refusal does not stop the others', async () => {
    const { group } = await makePair('1000.000', 3, () => ['150.000', '60.000'])
    const empty = await makeGroup(api.deps, tenant, { members: [] })
    const { status, body } = await bulk({
      action: 'calculate',
      billing_period: '2026-11',
      group_ids: [group.id, empty.id],
    })
    expect([status, body.status, body.progress_pct, body.groups_waiting]).toEqual([201, 'running', 0, 2])
    await runJob()
    expect((await get(`bulk/${body.id}`)).body).toMatchObject({
      status: 'finished',
      progress_pct: 100,
      groups_completed: 1,
      groups_refused: 1,
    })
    const rows = await resultsOf(body.id)
    expect(rows.find((row) => row['group_id'] === group.id)).toMatchObject({
      status: 'completed',
      run_ids: [expect.any(String)],
      error_code: null,
    })
    expect(rows.find((row) => row['group_id'] === empty.id)).toMatchObject({
      status: 'refused',
      error_code: 'NO_ACTIVE_MEMBERS',
    })
    const refusals = async (language: string) => {
      const headers = { 'accept-language': language }
      const path = `${BASE}/bulk/${body.id}/groups?status=refused`
      const groups = await api.call('GET', path, { token: tenant.operator.token, headers })
      return groups.body.map(({ error }: Row) => error)
    }
    expect(await refusals('en')).toEqual([expect.stringMatching(/has no member in any hour of the window$/)])
    expect(await refusals('tr')).toEqual([expect.stringMatching(/hiçbir saatinde grubun üyesi yok$/)])
    const again = (await bulk({ action: 'calculate', billing_period: '2026-11', group_ids: [group.id] })).body
    await runJob()
    expect(await statusOf(again.id, group)).toBe('unchanged')
    const listed = (await get('bulk')).body.map(({ id }: Row) => id)
    expect(listed).toEqual(expect.arrayContaining([body.id, again.id]))
  })

  it('corrects groups, reports a stopped correction, and does no correction twice after a crash', async () => {
    const [first, second] = [await makeSpring(api, tenant), await makeSpring(api, tenant)]
    const request = {
      action: 'correct',
      billing_period: '2026-03-01',
      reason: 'prices of the quarter',
      group_ids: [first.group.id, second.group.id],
    }
    const { id } = (await bulk(request)).body
    await runJob()
    expect((await get(`bulk/${id}`)).body).toMatchObject({ groups_completed: 2, reason: request.reason })
    const runIds = (await resultsOf(id)).map((row) => row['run_ids'])
    // A crash before the result was recorded: the correction is found, not repeated.
    await api.deps.database.pool.query(
      `update bulk_calculation_group set status = 'waiting', run_ids = '{}' where bulk_id = $1`,
      [id],
    )
    await api.deps.database.pool.query('update bulk_calculation set finished_at = null where id = $1', [id])
    await runJob()
    expect((await resultsOf(id)).map((row) => row['run_ids'])).toEqual(runIds)

    const restore = await breakPeriod(api.deps, '2026-04-01')
    const broken = (await bulk({ ...request, reason: 'a later reason' })).body.id
    await runJob()
    await restore()
    expect((await get(`bulk/${broken}`)).body).toMatchObject({ status: 'finished', groups_incomplete: 2 })
    const [row] = await resultsOf(broken)
    expect(row?.['warning_codes']).toContain('CASCADE_STOPPED')
  })

  it.each([
    ['of a change of a membership', "cause = 'member_change'"],
    ['made automatically', "cause = 'stale'"],
    ['begun before the request', 'started_at = $2'],
    ['of another month', "billing_period = '2026-04-01'"],
    ['with another reason', "reason = 'another reason'"],
    ['that another correction superseded', "state = 'superseded'"],
  ])('after a crash does not take a correction %s for its own', async (_which, change) => {
    const { pool } = api.deps.database
    const { group } = await makeSpring(api, tenant)
    const { id } = (
      await bulk({
        action: 'correct',
        billing_period: '2026-03-01',
        reason: 'prices of the quarter',
        group_ids: [group.id],
      })
    ).body
    await runJob()
    const [before] = await resultsOf(id)
    expect(before).toMatchObject({ status: 'completed', run_ids: { length: 3 } })
    const { rows } = await pool.query<{ started_at: Date }>(
      'select started_at from correction_chain where group_id = $1',
      [group.id],
    )
    const earlier = new Date(Number(rows[0]?.started_at) - 1)
    const changed = await pool.query(
      `update correction_chain set ${change} where group_id = $1 and started_at > $2`,
      [group.id, earlier],
    )
    expect(changed.rowCount).toBe(1)
    await pool.query(
      `update bulk_calculation_group set status = 'waiting', run_ids = '{}' where bulk_id = $1`,
      [id],
    )
    await pool.query('update bulk_calculation set finished_at = null where id = $1', [id])
    await runJob()
    const [after] = await resultsOf(id)
    expect(after).toMatchObject({ status: 'completed', run_ids: { length: 3 } })
    expect(before?.['run_ids']).not.toEqual(expect.arrayContaining([after?.['run_ids']?.[0]]))
  })

  it('deletes the oldest finished requests of its tenant beyond a hundred, and no running one', async () => {
    const { group } = await makePair('1000.000', 3, () => ['150.000', '60.000'])
    const { pool } = api.deps.database
    // Requests of 104 different days, the oldest one unfinished; their order in the table is not that of time.
    const insert = (tenantId: number) =>
      pool.query(
        `insert into bulk_calculation (tenant_id, action, billing_period, created_at, finished_at)
         select $1, 'calculate', '2026-01-01', timestamptz '2026-01-01' + day * interval '1 day',
           case when day > 0 then timestamptz '2026-11-01' end
         from (select (i * 37) % 104 as day from generate_series(0, 103) i) as days`,
        [tenantId],
      )
    await pool.query('delete from bulk_calculation')
    await insert(tenant.id)
    await insert(foreignTenant.id)
    const { body } = await bulk({ action: 'calculate', billing_period: '2026-11', group_ids: [group.id] })
    const daysOf = async (tenantId: number) => {
      const { rows } = await pool.query(
        `select id, extract(day from created_at - timestamptz '2026-01-01')::int as day from bulk_calculation
         where tenant_id = $1 order by created_at desc`,
        [tenantId],
      )
      return rows
    }
    const [newest, ...kept] = await daysOf(tenant.id)
    expect(newest.id).toBe(body.id)
    const newest99 = Array.from({ length: 99 }, (_, index) => 103 - index)
    expect(kept.map(({ day }) => day)).toEqual([...newest99, 0])
    expect(await daysOf(foreignTenant.id)).toHaveLength(104)
    await pool.query('delete from bulk_calculation')
  })

  it('without groups takes every active group, and invalid requests are refused', async () => {
    const inactive = await makeGroup(api.deps, tenant, { members: [] })
    await api.call('PATCH', `${BASE}/${inactive.id}`, {
      token: tenant.admin.token,
      body: { is_active: false },
    })
    const { body } = await bulk({ action: 'calculate', billing_period: '2026-11' })
    const groups = (await resultsOf(body.id)).map((row) => row['group_id'])
    expect(groups.length).toBeGreaterThan(1)
    expect(groups).not.toContain(inactive.id)
    const foreign = await makeGroup(api.deps, foreignTenant, { members: [] })
    for (const wrong of [
      { action: 'calculate', billing_period: '2026-12' },
      { action: 'correct', billing_period: '2026-11' },
      { action: 'calculate', billing_period: '2026-11', reason: 'a reason' },
      { action: 'calculate', billing_period: '2026-11', group_ids: [] },
      { action: 'calculate', billing_period: '2026-11', group_ids: [foreign.id] },
    ]) {
      expect((await bulk(wrong)).status).toBe(422)
    }
    const viewer = await api.call('POST', `${BASE}/bulk`, {
      token: tenant.viewer.token,
      body: { action: 'calculate', billing_period: '2026-11' },
    })
    expect(viewer.status).toBe(403)
    for (let open = 1; open < 5; open += 1) await bulk({ action: 'calculate', billing_period: '2026-11' })
    expect((await bulk({ action: 'calculate', billing_period: '2026-11' })).status).toBe(409)
  })
})
