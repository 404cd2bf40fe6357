import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, iso, periodEnd, periodStart } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import {
  column,
  makeSpring,
  readMarch,
  runsOf,
  SPRING,
  stateOf,
} from '../../support/netting/calculated-months.ts'
import { movements, openSite, type Row, read, remaining } from '../../support/netting/calculation.ts'
import {
  addHours,
  calculateMonths,
  correct,
  findFaults,
  makeMonthlyGroup,
} from '../../support/netting/corrections.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterEach(async () => expect(await findFaults(api.deps)).toEqual([]))
afterAll(() => api.close())

describe('corrections', () => {
  it('compute the period and all later ones, and book the movements documented for corrections', async () => {
    const spring = await makeSpring(api, tenant)
    const { group, account } = spring
    const before = await runsOf(spring)
    await readMarch(api, tenant, spring)
    const { status, body } = await correct(api, tenant, group, { billing_period: '2026-03-01' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      billing_period: '2026-03-01',
      periods_corrected: SPRING,
      cascade_incomplete: false,
      failed_period: null,
    })
    expect(body.warnings).toHaveLength(body.warning_codes.length)
    const root = body.runs[0].id
    expect(
      body.runs.map((run: Row) => [run['billing_period'], run['triggered_by'], run['parent_run_id']]),
    ).toEqual(SPRING.map((period) => [period, 'correction_cascade', root]))
    // The period itself is computed whole, a later one up to the hour calculated so far.
    expect(column(body.runs, 'from_hour')).toEqual(SPRING.map((period) => iso(periodStart(period))))
    expect(column(body.runs, 'to_hour')).toEqual([
      iso(periodEnd('2026-03-01')),
      iso(periodStart('2026-04-01') + 3 * HOUR_MS),
      iso(periodStart('2026-05-01') + 3 * HOUR_MS),
    ])

    const page = await readFile('docs/understand/netting/corrections.md', 'utf8')
    const ledger = /```text ledger\n([^`]*)```/.exec(page)?.[1]
    expect(`${(await movements(account)).join('\n')}\n`).toBe(ledger)
    expect(await remaining(account)).toBe('0.000')
    const summaries = (await read(group, 'monthly-summary')).body
    expect(
      summaries.map((row: Row) => [row['limit_opening_kwh'], row['limit_closing_kwh'], row['skb_kwh']]),
    ).toEqual([
      ['5.000', '0.000', '30.000'],
      ['55.000', '5.000', '0.000'],
      ['100.000', '55.000', '0.000'],
    ])
    const after = await runsOf(spring)
    expect(after.filter((run) => before.some(({ id }) => id === run['id']))).toEqual(
      before.map((run) => ({ ...run, is_current: false, status: 'superseded' })),
    )
    const { rows } = await api.deps.database.pool.query(
      `select distinct reason from limit_movement where account_id = $1 and movement_type like 'correction%'`,
      [account],
    )
    expect(rows).toEqual([{ reason: 'the official reading came late' }])
  })

  it('compute again without changing a figure when no input has changed', async () => {
    const spring = await makeSpring(api, tenant)
    await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    const state = await stateOf(api, spring)
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03' })
    expect(again.body.periods_corrected).toEqual(SPRING)
    expect(await stateOf(api, spring)).toEqual(state)
    expect(await movements(spring.account)).toHaveLength(7 + 6 + 6)
    const late = await correct(api, tenant, spring.group, { billing_period: '2026-05-20' })
    expect(late.body).toMatchObject({ billing_period: '2026-05-01', periods_corrected: ['2026-05-01'] })
  })

  it('resolve the warning LATER_PERIODS_STALE', async () => {
    const spring = await makeSpring(api, tenant)
    const { group } = spring
    await readMarch(api, tenant, spring)
    const calculate = () =>
      api.call('POST', `/api/mahsuplasma/groups/${group.id}/calculate`, {
        token: tenant.admin.token,
        body: { from_hour: '2026-03-01T00:00:00+03:00', to_hour: '2026-03-01T03:00:00+03:00' },
      })
    expect((await calculate()).body.warning_codes).toContain('LATER_PERIODS_STALE')
    const corrected = await correct(api, tenant, group, { billing_period: '2026-03-01' })
    expect(corrected.body.warning_codes).not.toContain('LATER_PERIODS_STALE')
    const hours = (await read(group, 'hourly')).body.filter((row: Row) => row['limit_used_kwh'] !== '0.000')
    expect(hours.map((row: Row) => [row['limit_before_kwh'], row['limit_after_kwh']])).toEqual([
      ['100.000', '55.000'],
      ['55.000', '5.000'],
      ['5.000', '0.000'],
    ])
    const runs = (await runsOf(spring)).length
    await calculateMonths(api.deps, tenant, { groupId: group.id, periods: SPRING, hours: 3 })
    expect(await runsOf(spring)).toHaveLength(runs)
  })

  it('continue over the turn of the year with the account of each year', async () => {
    const created = await makeMonthlyGroup(api.deps, tenant, { 2025: '20.000', 2026: '50.000' })
    const turn = ['2025-12-01', '2026-01-01', '2026-02-01']
    const hours = turn.map((period) => ({ period, production: '9.000', consumption: '8.000' }))
    await addHours(api.deps, tenant, created, hours)
    await calculateMonths(api.deps, tenant, { groupId: created.group.id, periods: turn, hours: 1 })
    await addHours(api.deps, tenant, created, [
      { period: '2025-12-01', hour: 1, production: '5', consumption: '5' },
    ])
    const { body } = await correct(api, tenant, created.group, { billing_period: '2025-12-01' })
    expect(body.periods_corrected).toEqual(turn)
    expect(await remaining(created.consumer.accounts[2025])).toBe('6.000')
    expect(await remaining(created.consumer.accounts[2026])).toBe('32.000')
  })

  it('calculate a past period without a run, and the finished hours of the current period', async () => {
    const created = await makeMonthlyGroup(api.deps, tenant, { 2026: '10.000' })
    const past = await correct(api, tenant, created.group, { billing_period: '2026-09-01' })
    expect(past.body.periods_corrected).toEqual(['2026-09-01'])
    expect(past.body.runs[0]).toMatchObject({ to_hour: iso(periodEnd('2026-09-01')) })
    const now = await correct(api, tenant, created.group, { billing_period: '2026-11-01' })
    expect(now.body.runs[0]).toMatchObject({ to_hour: '2026-11-20T09:00:00.000Z' })
    expect((await read(created.group, 'monthly-summary')).body).toHaveLength(2)
  })

  it('warn of a period more than twelve full months ago and still correct it', async () => {
    const created = await makeMonthlyGroup(api.deps, tenant, { 2025: '10.000' })
    const young = await correct(api, tenant, created.group, { billing_period: '2025-11-01' })
    expect(young.body.warning_codes).not.toContain('DUY_133_5_PERIOD_TOO_OLD')
    const old = await correct(api, tenant, created.group, { billing_period: '2025-10-01' })
    expect(old.body.warning_codes).toContain('DUY_133_5_PERIOD_TOO_OLD')
    expect(old.body.periods_corrected).toEqual(['2025-10-01', '2025-11-01'])
  })

  it('reject invalid requests', async () => {
    const { group } = await makeMonthlyGroup(api.deps, tenant, { 2026: '10.000' })
    const asked = (body: object, of = tenant) => correct(api, of, group, body)
    const march = { billing_period: '2026-03-01' }
    expect((await asked(march, foreignTenant)).status).toBe(404)
    for (const reason of ['four', 'x'.repeat(2001), undefined]) {
      expect((await asked({ ...march, reason })).body.detail[0].loc).toEqual(['body', 'reason'])
    }
    expect((await asked({ billing_period: 'March' })).body.detail[0].loc).toEqual(['body', 'billing_period'])
    for (const billing_period of ['2026-12-01', '2027-01', '1999-12-01']) {
      const { status, body } = await asked({ billing_period })
      expect([status, body.detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    }
    const viewer = await api.call('POST', `/api/mahsuplasma/groups/${group.id}/corrections`, {
      token: tenant.viewer.token,
    })
    expect(viewer.status).toBe(403)
    await api.deps.database.pool.query(
      `update netting_group set is_active = false, group_status = 'inactive' where id = $1`,
      [group.id],
    )
    expect((await asked(march)).body.detail.error_code).toBe('BUSINESS_RULE_VIOLATION')
    expect((await read(group, 'runs')).body).toEqual([])
  })

  it('keep a period whose summary fails, and report the failure', async () => {
    const spring = await makeSpring(api, tenant)
    const { pool } = api.deps.database
    await readMarch(api, tenant, spring)
    await pool.query(
      `alter table monthly_summary add constraint broken check (billing_period <> '2026-04-01') not valid`,
    )
    const { status, body } = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await pool.query('alter table monthly_summary drop constraint broken')
    expect([status, body.cascade_incomplete, body.periods_corrected]).toEqual([201, false, SPRING])
    expect(body.warning_codes.filter((code: string) => code === 'MONTHLY_REFRESH_FAILED')).toHaveLength(1)
    const april = async () => (await read(spring.group, 'monthly-summary')).body[1]
    expect(await april()).toMatchObject({ limit_opening_kwh: '70.000', is_current: true })
    await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(await april()).toMatchObject({ limit_opening_kwh: '55.000' })
  })
})
