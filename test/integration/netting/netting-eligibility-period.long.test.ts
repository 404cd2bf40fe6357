import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { calculatePeriods } from '../../../src/jobs/calculate-netting.ts'
import { DAY_MS } from '../../../src/kernel/time.ts'
import { type EligibilityFixture, startEligibility } from '../../support/netting/eligibility.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { makeAccount, type TestGroup } from '../../support/netting/netting.ts'
import { expectSameResponse, refusal } from '../../support/netting/registry.ts'

let fixture: EligibilityFixture

beforeAll(async () => {
  fixture = await startEligibility()
})
afterAll(() => fixture.close())
afterEach(() => fixture.reset())

const NOVEMBER = '2026-11-01'
const BUSY_HOUR = '2026-11-10T09:00:00Z'
const WINDOW = { from_hour: BUSY_HOUR, to_hour: '2026-11-10T10:00:00Z' }
const LAST_EVALUATION = '2026-11-30T18:00:00Z'

/** 5 kWh of production and 2 kWh of consumption in one hour of November. */
async function addBusyHour({ facilities }: TestGroup, hour = BUSY_HOUR): Promise<void> {
  const [producer, consumer] = facilities.map(({ id }) => id)
  await addFacts(fixture.api.deps, fixture.ownTenant, [
    { facilityId: producer ?? '', hour, role: 'main_production', production: '5' },
    { facilityId: consumer ?? '', hour, role: 'main_consumption', consumption: '2' },
  ])
}

/** The group is blocked at the end of November, and its month is calculated as free. */
async function blockNovember(group: TestGroup): Promise<void> {
  await addBusyHour(group)
  fixture.api.clock.set(LAST_EVALUATION)
  expect((await fixture.evaluate(group.id)).status).toBe('blocked')
  const { body } = await fixture.postNow(`/groups/${group.id}/calculate`, WINDOW)
  expect(body.runs[0].scenario).toBe('invalid_group_bedelsiz')
}

async function correct(group: TestGroup, billing_period = NOVEMBER) {
  const reason = `the cause is fixed ${randomUUID()}`
  const { status, body } = await fixture.postNow(`/groups/${group.id}/corrections`, {
    billing_period,
    reason,
  })
  expect(status).toBe(201)
  return { run: body.runs[0], reason, runs: body.runs }
}

async function matchedKwh(group: TestGroup, month = '2026-11'): Promise<string | undefined> {
  const { rows } = await fixture.api.deps.database.pool.query(
    `select sum(matched_kwh)::text as matched from calculation_hour
     where group_id = $1 and is_current and to_char(hour at time zone '+03', 'YYYY-MM') = $2`,
    [group.id, month],
  )
  return rows[0].matched
}

describe('a correction of a period at whose end the group was blocked', () => {
  it('nets the month after a late approval of the tariff', async () => {
    const group = await fixture.readyGroup()
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.approvePrices(NOVEMBER)
    const { run } = await correct(group)
    expect(run.scenario).toBe('standard_hourly')
    expect(await matchedKwh(group)).toBe('2.000')
  })

  it('nets the month after the supplier of a consumer was corrected', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup()
    const path = `/facilities/${group.facilities[1]?.id}`
    const { body: mill } = await fixture.admin.get(path)
    const { body: other } = await fixture.admin.post('/organizations', {
      org_type: 'supplier',
      name: randomUUID(),
    })
    await fixture.admin.patch(path, { supplier_id: other.id })
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.patchNow(path, { supplier_id: mill.supplier_id })
    const { run } = await correct(group)
    expect(run.scenario).toBe('standard_hourly')
    expect(await matchedKwh(group)).toBe('2.000')
  })

  it('nets the month after the missing limit account was created', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup([{ role: 'production' }, { role: 'consumption' }])
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    const { api, ownTenant } = fixture
    await makeAccount(api.deps, ownTenant, {
      facilityId: group.facilities[1]?.id ?? '',
      year: 2026,
      initial: '9.000',
    })
    expect((await correct(group)).run.scenario).toBe('standard_hourly')
  })

  it('nets the month when the cause was fixed while the service was down over the end of the month', async () => {
    const group = await fixture.readyGroup()
    await addBusyHour(group)
    expect((await fixture.evaluate(group.id)).status).toBe('blocked')
    await fixture.approvePrices(NOVEMBER)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    expect((await correct(group)).run.scenario).toBe('standard_hourly')
  })

  it('frees a month whose group must not net by the data that are recorded now', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup()
    await addBusyHour(group)
    fixture.api.clock.set(LAST_EVALUATION)
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.patchNow(`/facilities/${group.facilities[1]?.id}`, { abone_grubu: 'ticarethane' })
    expect((await correct(group)).run.scenario).toBe('invalid_group_bedelsiz')
  })
})

/** The facility of the consumer is in a scope that is not the group's: R001 blocks the group. */
async function moveToOtherScope({ facilities }: TestGroup): Promise<() => Promise<void>> {
  const path = `/facilities/${facilities[1]?.id}`
  const { body: before } = await fixture.getNow(path)
  const { body: other } = await fixture.postNow('/scopes', { name: `other party ${randomUUID()}` })
  await fixture.patchNow(path, { scope_id: other.id })
  return async () => void (await fixture.patchNow(path, { scope_id: before.scope_id }))
}

const logOf = async (group: TestGroup, query = `billing_period=${NOVEMBER}`) =>
  (await fixture.getNow(`/groups/${group.id}/evaluations?${query}`)).body

describe('the log of evaluations of periods that are over', () => {
  it('contains the evaluation of a correction with its reason, and the run names it', async () => {
    const group = await fixture.readyGroup()
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.approvePrices(NOVEMBER)
    const { run, reason } = await correct(group)
    const [running] = (await logOf(group, 'offset=1')) as { eligibility_run_id: string }[]
    const log = await logOf(group)
    expect(log).toMatchObject([
      {
        eligibility_run_id: run.eligibility_run_id,
        eligibility_status: 'valid',
        billing_period: NOVEMBER,
        triggered_by: 'correction',
        reason,
        kept_from_run_id: running?.eligibility_run_id,
      },
    ])
    expect(log[0].rules).toHaveLength(13)
    const path = `/groups/${group.id}/eligibility`
    const { body } = await fixture.getNow(`${path}?billing_period=2026-11`)
    expect(body).toEqual({ ...log[0], correction_required: false })
    expect((await fixture.getNow(path)).body).toMatchObject({
      eligibility_status: 'blocked',
      billing_period: null,
      triggered_by: 'request',
    })
  })

  it('contains one evaluation for calculations with the same result', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup()
    await addBusyHour(group)
    await addBusyHour(group, '2026-11-12T09:00:00Z')
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    const runs: { eligibility_run_id: string }[] = []
    for (const day of ['10', '12']) {
      const { body } = await fixture.postNow(`/groups/${group.id}/calculate`, {
        from_hour: `2026-11-${day}T09:00:00Z`,
        to_hour: `2026-11-${day}T10:00:00Z`,
      })
      runs.push(...body.runs)
    }
    const log = await logOf(group)
    expect(log).toMatchObject([{ triggered_by: 'calculation', reason: null, kept_from_run_id: null }])
    expect(runs.map((run) => run.eligibility_run_id)).toEqual(runs.map(() => log[0].eligibility_run_id))
  })

  it('is the same for a foreign group as for an unknown one', async () => {
    const group = await fixture.readyGroup()
    await expectSameResponse(group.id, (id) => fixture.foreignCaller.get(`/groups/${id}/evaluations`))
  })
})

describe('the nightly calculation of the month before', () => {
  const nightly = async () => {
    const slot = Date.parse('2026-12-04T00:10:00Z')
    fixture.api.clock.set(slot)
    await calculatePeriods(fixture.api.deps, slot, {
      after: slot - DAY_MS,
      signal: new AbortController().signal,
      partFailed: () => {},
    })
  }

  it('nets the month when the cause of a block was fixed after its end', async () => {
    const group = await fixture.readyGroup()
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.approvePrices(NOVEMBER)
    await nightly()
    expect(await matchedKwh(group)).toBe('2.000')
    expect(await logOf(group)).toMatchObject([{ eligibility_status: 'valid', triggered_by: 'calculation' }])
    await nightly()
    expect(await logOf(group)).toHaveLength(1)
  })
})

describe('an evaluation of a period that is over', () => {
  it('gives a correction the result of a calculation from scratch', async () => {
    const [late, early] = [await fixture.readyGroup(), await fixture.readyGroup()]
    await blockNovember(late)
    await addBusyHour(early)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.approvePrices(NOVEMBER)
    await correct(late)
    await fixture.postNow(`/groups/${early.id}/calculate`, WINDOW)
    expect([await matchedKwh(late), await matchedKwh(early)]).toEqual(['2.000', '2.000'])
  })

  it('counts the prices of a set that was archived since', async () => {
    const set = await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup()
    await addBusyHour(group)
    fixture.api.clock.set(LAST_EVALUATION)
    await fixture.evaluate(group.id)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await fixture.api.deps.database.pool.query(
      `update tariff_price_set set approval_status = 'archived' where id = $1`,
      [set],
    )
    expect((await correct(group)).run.scenario).toBe('standard_hourly')
  })

  it('is of the last day with a member when the group was dissolved within the month', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup([
      { role: 'production', validTo: '2026-11-15' },
      { role: 'consumption', validTo: '2026-11-15', limits: { 2026: '9.000' } },
    ])
    await addBusyHour(group)
    fixture.api.clock.set(LAST_EVALUATION)
    expect((await fixture.evaluate(group.id)).rule('R002')).toMatchObject({ status: 'fail' })
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    expect((await correct(group)).run.scenario).toBe('standard_hourly')
  })

  it('is also the one of every later period that a correction calculates', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup([{ role: 'production' }, { role: 'consumption' }])
    await blockNovember(group)
    await addBusyHour(group, '2026-12-10T09:00:00Z')
    fixture.api.clock.set('2026-12-31T18:00:00Z')
    expect((await fixture.evaluate(group.id)).status).toBe('blocked')
    const december = { from_hour: '2026-12-10T09:00:00Z', to_hour: '2026-12-10T10:00:00Z' }
    await fixture.postNow(`/groups/${group.id}/calculate`, december)
    fixture.api.clock.set('2027-01-03T09:00:00Z')
    const facilityId = group.facilities[1]?.id ?? ''
    await makeAccount(fixture.api.deps, fixture.ownTenant, { facilityId, year: 2026, initial: '9.000' })
    const { runs } = await correct(group)
    const scenarios = runs.map((run: { scenario: string }) => run.scenario)
    expect(scenarios).toEqual(['standard_hourly', 'standard_hourly'])
    expect(await matchedKwh(group, '2026-12')).toBe('2.000')
  })
})

describe('a rule about acts of persons', () => {
  it('keeps the result of the end of the period until a superuser evaluates the period with a reason', async () => {
    await fixture.approvePrices(NOVEMBER)
    const group = await fixture.readyGroup()
    const moveBack = await moveToOtherScope(group)
    await blockNovember(group)
    fixture.api.clock.set('2026-12-03T09:00:00Z')
    await moveBack()
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    expect((await correct(group)).run.scenario).toBe('invalid_group_bedelsiz')

    const path = `/groups/${group.id}/period-evaluations`
    const body = { billing_period: '2026-11', reason: 'the scope was recorded wrongly' }
    expect(refusal(await fixture.postNow(path, body))).toEqual([403, 'SUPERUSER_REQUIRED'])
    const response = await fixture.postAsSuperuser(path, body)
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({
      group_id: group.id,
      eligibility_status: 'valid',
      billing_period: NOVEMBER,
      triggered_by: 'period_request',
      reason: body.reason,
      kept_from_run_id: null,
      correction_required: true,
    })
    expect(await matchedKwh(group)).toBe('0.000')
    const { run } = await correct(group)
    expect(run.scenario).toBe('standard_hourly')
    const [last] = await logOf(group)
    expect(last).toMatchObject({ kept_from_run_id: response.body.eligibility_run_id })
    const { body: read } = await fixture.getNow(`/groups/${group.id}/eligibility?billing_period=2026-11`)
    expect(read.correction_required).toBe(false)
  })

  it('cannot be evaluated for a period that runs, or in which the group had no member', async () => {
    const group = await fixture.readyGroup([{ role: 'mixed', validFrom: '2026-11-01' }])
    const send = (billing_period: string, reason = 'a late declaration') =>
      fixture.postAsSuperuser(`/groups/${group.id}/period-evaluations`, { billing_period, reason })
    for (const period of ['2026-11', '2027-01', '2026-10', '1999-12']) {
      expect(refusal(await send(period))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    }
    expect((await send('2026-10', 'no')).status).toBe(422)
    await expectSameResponse(group.id, (id) =>
      fixture.superuser.post(`/groups/${id}/period-evaluations`, {
        billing_period: '2026-10',
        reason: 'a reason',
      }),
    )
  })
})
