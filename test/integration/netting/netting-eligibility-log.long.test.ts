import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runningEvaluation } from '../../../src/areas/netting/eligibility/log-store.ts'
import { REEVALUATION_BATCH } from '../../../src/areas/netting/limits.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { type EligibilityFixture, startEligibility } from '../../support/netting/eligibility.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { untilWaiting } from '../../support/netting/registry.ts'

let fixture: EligibilityFixture

beforeAll(async () => {
  fixture = await startEligibility()
})
afterAll(() => fixture.close())
afterEach(() => fixture.reset())

describe('eligibility evaluation log', () => {
  it('records all concurrent evaluations, and the group has the status of the last one', async () => {
    const { api, viewer } = fixture
    const group = await fixture.readyGroup()
    const evaluations = Array.from({ length: 20 }, () => fixture.postNow(`/groups/${group.id}/evaluate`))
    await fixture.approvePrices()
    const responses = await Promise.all(evaluations)
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
    const runs = await api.deps.database.kysely
      .selectFrom('eligibility_run')
      .select(['eligibility_status', 'rules'])
      .where('group_id', '=', group.id)
      .orderBy('seq')
      .execute()
    expect(runs).toHaveLength(20)
    expect(runs.every(({ rules }) => Array.isArray(rules) && rules.length === 13)).toBe(true)
    const { body } = await viewer.get(`/groups/${group.id}`)
    expect(body.eligibility_status).toBe(runs.at(-1)?.eligibility_status)
  })

  it('cannot be changed by the service role', async () => {
    const { pool } = fixture.api.deps.database
    const group = await fixture.readyGroup()
    await fixture.evaluate(group.id)
    for (const statement of [
      "update eligibility_run set eligibility_status = 'valid'",
      'delete from eligibility_run',
      'truncate eligibility_run',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    }
  })

  it('is written under the lock of the group, from data read after the lock', async () => {
    const { api, ownTenant } = fixture
    const group = await fixture.readyGroup()
    const holder = await api.deps.database.pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from netting_group where tenant_id = $1 and id = $2 for no key update', [
      ownTenant.id,
      group.id,
    ])
    const waiting = fixture.evaluate(group.id)
    await untilWaiting(api)
    await fixture.approvePrices()
    await holder.query('commit')
    holder.release()
    expect((await waiting).status).toBe('valid')
  })

  it('gives the status in force at an instant: the last evaluation before it, else the current status', async () => {
    const { api, ownTenant } = fixture
    const group = await fixture.readyGroup()
    const tenant = tenantDb(api.deps.database.kysely, ownTenant.id)
    const at = async (instant: string) =>
      (await runningEvaluation(tenant, group.id, Date.parse(instant))).status
    expect(await at('2026-12-01T00:00:00+03:00')).toBe('not_checked')
    api.clock.set('2026-11-30T20:59:59Z')
    expect((await fixture.evaluate(group.id)).status).toBe('blocked')
    await fixture.approvePrices('2026-12-01')
    api.clock.set('2026-11-30T21:00:00Z')
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    expect(await at('2026-12-01T00:00:00+03:00')).toBe('blocked')
    expect(await at('2027-01-01T00:00:00+03:00')).toBe('valid')
    expect(await at('2026-11-01T00:00:00+03:00')).toBe('valid')
  })
})

describe('a calculation', () => {
  it('of a period that is over does not use an evaluation of a later period', async () => {
    const { api, ownTenant } = fixture
    await fixture.approvePrices('2026-11-01')
    const group = await fixture.readyGroup()
    const calculate = async (from_hour: string, to_hour: string) => {
      const { status, body } = await fixture.postNow(`/groups/${group.id}/calculate`, { from_hour, to_hour })
      expect(status).toBe(201)
      return body.runs[0].scenario
    }
    const hours = ['2026-12-10T09:00:00Z', '2027-01-01T09:00:00Z'] as const
    const [producer, consumer] = group.facilities.map(({ id }) => id)
    await addFacts(
      api.deps,
      ownTenant,
      hours.flatMap((hour) => [
        { facilityId: producer ?? '', hour, role: 'main_production', production: '5' },
        { facilityId: consumer ?? '', hour, role: 'main_consumption', consumption: '2' },
      ]),
    )
    api.clock.set('2026-12-31T18:00:00Z')
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    api.clock.set('2027-01-01T12:00:00Z')
    const { status, rule } = await fixture.evaluate(group.id)
    expect([status, rule('R007')?.status]).toEqual(['blocked', 'fail'])
    expect(await calculate(hours[0], '2026-12-10T10:00:00Z')).toBe('standard_hourly')
    expect(await calculate(hours[1], '2027-01-01T10:00:00Z')).toBe('invalid_group_bedelsiz')
  })
})

describe('approval of a tariff set', () => {
  const BASE = '/api/v1/admin/regulated-tariffs/price-sets'
  const call = (method: string, path: string, body?: unknown) =>
    fixture.api.call(method, BASE + path, { token: fixture.otherTenant.superuser.token, body })

  async function approve(abone_grubu: string): Promise<void> {
    const { body: set } = await call('POST', '', { billing_period: '2026-11' })
    await call('POST', `/${set.id}/prices`, {
      billing_period: '2026-11',
      valid_from: '2026-11-01',
      abone_grubu,
      price_purpose: 'mahsuplasma_related_tariff',
      price: '2.985253',
    })
    expect((await call('POST', `/${set.id}/approve`)).status).toBe(200)
    await fixture.api.deps.background.drain()
  }
  const statusOf = async (groupId: string) =>
    (await fixture.viewer.get(`/groups/${groupId}/eligibility`)).body.eligibility_status

  it('evaluates only the groups that lacked a tariff, in every tenant', async () => {
    const lacking = await fixture.readyGroup()
    const { status, rule } = await fixture.evaluate(lacking.id)
    expect(status).toBe('blocked')
    expect(rule('R00T')).toMatchObject({
      status: 'fail',
      reason_code: 'TARIFF_NOT_APPROVED',
      message: 'No approved price of sanayi for 2026-11: Mill.',
    })
    const empty = await fixture.readyGroup([])
    expect((await fixture.evaluate(empty.id)).status).toBe('blocked')

    await approve('ticarethane')
    expect([await statusOf(lacking.id), await fixture.countRuns(lacking.id)]).toEqual(['blocked', 2])
    await approve('sanayi')
    expect([await statusOf(lacking.id), await fixture.countRuns(lacking.id)]).toEqual(['valid', 3])
    await approve('sanayi')
    expect(await fixture.countRuns(lacking.id)).toBe(3)
    expect(await fixture.countRuns(empty.id)).toBe(1)
    const { body } = await fixture.viewer.get(`/groups/${lacking.id}`)
    expect(body.eligibility_status).toBe('valid')
  })

  it('continues with the other groups when one evaluation fails', async () => {
    const groups = [await fixture.readyGroup(), await fixture.readyGroup(), await fixture.readyGroup()]
    for (const { id } of groups) expect((await fixture.evaluate(id)).status).toBe('blocked')
    const [first = '', ...others] = groups.map(({ id }) => id).sort()
    const { pool } = fixture.api.deps.database
    await pool.query(
      `alter table eligibility_run add constraint unlucky check (group_id <> '${first}') not valid`,
    )
    await approve('sanayi')
    await pool.query('alter table eligibility_run drop constraint unlucky')
    expect(await statusOf(first)).toBe('blocked')
    for (const id of others) expect(await statusOf(id)).toBe('valid')
  })

  it('evaluates every group once when there are more than one batch holds', async () => {
    const { pool } = fixture.api.deps.database
    const count = 2 * REEVALUATION_BATCH + 1
    await pool.query(
      `with made as (
         insert into netting_group (tenant_id, name, eligibility_status)
         select $1, 'one of many ' || n, 'blocked' from generate_series(1, $2::integer) as n returning id)
       insert into eligibility_run (tenant_id, group_id, eligibility_status, rules, evaluated_at)
       select $1, id, 'blocked', '[{"code": "R00T", "status": "fail"}]', '2026-11-20T09:00:00Z' from made`,
      [fixture.otherTenant.id, count],
    )
    await approve('sanayi')
    const { rows } = await pool.query(
      `select runs, count(*)::integer as groups
       from (select count(*)::integer as runs from eligibility_run where tenant_id = $1 group by group_id) as each
       group by runs`,
      [fixture.otherTenant.id],
    )
    expect(rows).toEqual([{ runs: 2, groups: count }])
  })
})
