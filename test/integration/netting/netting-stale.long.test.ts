import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { schedule } from '../../../src/jobs/schedule.ts'
import { HOUR_MS, iso, periodStart } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import {
  makeSpring,
  readMarch,
  runsOf,
  SPRING,
  type Spring,
  stateOf,
} from '../../support/netting/calculated-months.ts'
import { base, calculate, makePair, openSite, type Row, read } from '../../support/netting/calculation.ts'
import {
  addHours,
  breakPeriod,
  calculateMonths,
  correct,
  findFaults,
  makeMonthlyGroup,
} from '../../support/netting/corrections.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import type { TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const MINUTE_MS = 60_000
let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterEach(async () => {
  api.clock.set(NOW)
  expect(await findFaults(api.deps)).toEqual([])
})
afterAll(() => api.close())

const token = () => tenant.admin.token
async function check(): Promise<void> {
  const job = schedule(api.deps).find(({ name }) => name === 'check-stale-results')
  if (!job) throw new Error('there is no job check-stale-results')
  await perform(api, { job, slot: api.clock.now() })
}
const patch = (path: string, body: object) =>
  api.call('PATCH', `/api/mahsuplasma/${path}`, { token: token(), body })
/** Calls the API at the time at which the tokens are valid. */
async function atNow<T>(work: () => Promise<T>): Promise<T> {
  const now = api.clock.now()
  api.clock.set(NOW)
  try {
    return await work()
  } finally {
    api.clock.set(now)
  }
}
/** The stale periods of a group with their hours and reasons, by its monthly summaries. */
const staleIn = async (group: { readonly id: string }) =>
  (await atNow(() => read(group, 'monthly-summary'))).body.flatMap((row: Row & { stale: boolean }) =>
    row.stale ? [[row['billing_period'], row['stale_hours'], row['stale_reasons']]] : [],
  )
/** The open alarms about stale results of the group. */
async function alarms(group: { readonly id: string }): Promise<Row[]> {
  const { rows } = await api.deps.database.pool.query(
    `select i.id, i.last_value, i.message, i.payload from alarm_incident i
      join alarm_policy p on p.tenant_id = i.tenant_id and p.id = i.policy_id
     where p.name = 'netting_results_stale' and i.cause = $1 and i.status <> 'closed'`,
    [`group:${group.id}`],
  )
  return rows
}
const removeMarks = () => api.deps.database.pool.query('delete from stale_mark')

describe('a result whose input has changed', () => {
  it('is stale from a late official reading until the correction, in every response', async () => {
    const { group, producer } = await makePair('1000.000', 3, () => ['150.000', '60.000'])
    const october = periodStart('2026-10-01')
    await addHours(api.deps, tenant, await pairOf(group), [
      { period: '2026-10-01', production: '5.000', consumption: '2.000' },
    ])
    await calculateMonths(api.deps, tenant, { groupId: group.id, periods: ['2026-10-01'], hours: 3 })
    expect(await staleIn(group)).toEqual([])
    const meter = await makeInstallation(api, tenant, { facility_id: producer.id })
    await removeMarks()
    const sent = await postReadings(api, tenant, {
      id: meter.id,
      label: 'hour_starting',
      readings: [[iso(october), '0', '6.5']],
    })
    expect(sent.body).toMatchObject({ facts_written: 1 })

    const fields = {
      stale: true,
      stale_hours: 1,
      stale_ranges: [{ from_hour: iso(october), to_hour: iso(october + HOUR_MS) }],
      stale_reasons: ['OFFICIAL_ENERGY_CHANGED'],
      stale_since: expect.stringMatching(/Z$/),
    }
    expect((await read(group, 'monthly-summary')).body[0]).toMatchObject(fields)
    const filtered = async (stale: boolean) =>
      (await api.call('GET', `/api/mahsuplasma/groups?stale=${stale}`, { token: tenant.admin.token })).body
    expect(await filtered(true)).toMatchObject([{ id: group.id, stale: true }])
    expect((await filtered(false)).filter((one: Row) => one['id'] === group.id || one['stale'])).toEqual([])
    expect((await read(group, 'dashboard-summary?period=2026-10')).body).toMatchObject(fields)
    expect((await read(group, 'dashboard-summary')).body).toMatchObject({ stale: false, stale_hours: 0 })
    expect((await read(group, 'runs')).body[0]).toMatchObject(fields)
    const listed = (await api.call('GET', '/api/mahsuplasma/groups', { token: token() })).body
    expect(listed.find(({ id }: Row) => id === group.id)).toMatchObject({
      stale: true,
      stale_periods: ['2026-10-01'],
    })

    expect(await alarms(group)).toEqual([])
    await check()
    const [alarm] = await alarms(group)
    expect(alarm).toMatchObject({
      payload: { details: { billing_period: '2026-10-01', stale_reasons: ['OFFICIAL_ENERGY_CHANGED'] } },
    })
    await check()
    expect(await alarms(group)).toEqual([alarm])

    expect((await correct(api, tenant, group, { billing_period: '2026-10-01' })).status).toBe(201)
    expect(await staleIn(group)).toEqual([])
    expect(await alarms(group)).toEqual([])
    const figures = (await read(group, 'dashboard-summary?period=2026-10')).body
    expect(figures).toMatchObject({ stale: false, stale_since: null, toplam_uretim_kwh: '6.500' })
  })

  it('is stale for every kind of input, and not after a change without effect', async () => {
    const spring = await makeSpring(api, tenant)
    const { group, consumer, account } = spring
    await removeMarks()
    const all = (reason: string) => SPRING.toReversed().map((period) => [period, 3, [reason]])

    await patch(`facilities/${consumer.id}`, { abone_grubu: 'ticarethane' })
    expect(await staleIn(group)).toEqual(all('FACILITY_CHANGED'))
    await patch(`facilities/${consumer.id}`, { abone_grubu: 'sanayi' })
    // The change was undone: the check finds equal input.
    await check()
    expect(await staleIn(group)).toEqual([])
    expect(await alarms(group)).toEqual([])

    await api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: token(),
      body: { amount_kwh: '50.000', reason: 'a document' },
    })
    expect(await staleIn(group)).toEqual(all('LIMIT_CHANGED'))
    await correct(api, tenant, group, { billing_period: SPRING[0] })
    expect(await staleIn(group)).toEqual([])

    await makePriceSet(api.deps, '2026-04-01', INDUSTRIAL_PRICES)
    expect((await staleIn(group)).map(([period]: [string]) => period)).toContain('2026-04-01')
    await correct(api, tenant, group, { billing_period: SPRING[0] })
    expect(await staleIn(group)).toEqual([])

    const setting = (strict_storage_export: boolean) => patch('settings', { strict_storage_export })
    expect((await setting(false)).status).toBe(200)
    expect((await staleIn(group)).map(([, , reasons]: [string, number, string[]]) => reasons)).toEqual(
      SPRING.map(() => ['SETTINGS_CHANGED']),
    )
    await setting(true)
    await check()
    expect(await staleIn(group)).toEqual([])

    // Equal values, an unused name and the correction itself are no changes.
    await patch(`facilities/${consumer.id}`, { name: `${consumer.id} renamed` })
    expect(await staleIn(group)).toEqual([])
  })

  it('is stale for new prices from the later of their month and first day to their last day', async () => {
    const { group } = await makeSpring(api, tenant)
    await removeMarks()
    await makePriceSet(
      api.deps,
      '2026-04-01',
      INDUSTRIAL_PRICES.map((price) => ({ ...price, validFrom: '2026-03-01', validTo: '2026-04-01' })),
    )
    expect(await staleIn(group)).toEqual([['2026-04-01', 3, ['PRICES_CHANGED']]])
  })

  it('is stale for the hours of a changed membership and of a new assignment, whatever writes them', async () => {
    const { group, consumer } = await makeSpring(api, tenant)
    await removeMarks()
    const { pool } = api.deps.database
    await pool.query('update group_member set valid_to = $3 where group_id = $1 and facility_id = $2', [
      group.id,
      consumer.id,
      SPRING[2],
    ])
    expect(await staleIn(group)).toEqual([[SPRING[2], 3, ['MEMBERS_CHANGED']]])
    await removeMarks()
    await pool.query(
      `insert into meter_assignment (tenant_id, subregion_id, device_id, facility_id, measurement_role, valid_from, valid_to)
       select tenant_id, subregion_id, device_id, facility_id, 'check_meter', $2, $3
       from meter_assignment where facility_id = $1 limit 1`,
      [consumer.id, iso(periodStart('2026-04-01')), iso(periodStart('2026-05-01'))],
    )
    expect(await staleIn(group)).toEqual([[SPRING[1], 3, ['METERS_CHANGED']]])
  })

  it('keeps the mark of a change that was committed after the run had read its input', async () => {
    const spring = await makeSpring(api, tenant)
    await removeMarks()
    const { pool } = api.deps.database
    // The run waits for the account, after it has read the marks; meanwhile the reading arrives.
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from limit_account where tenant_id = $1 and id = $2 for update', [
      tenant.id,
      spring.account,
    ])
    const running = api.call('POST', `${base(spring.group)}/calculate`, {
      token: token(),
      body: { billing_period: '2026-03' },
    })
    await waitFor(async () =>
      (await lockWaits(api.deps.database)).some((query) => query.includes('limit_account')),
    )
    await readMarch(api, tenant, spring)
    await holder.query('commit')
    holder.release()
    expect((await running).status).toBe(201)
    // The mark may be one too many, never one too few; the check removes it when the input is equal.
    expect((await staleIn(spring.group)).map(([period]: [string]) => period)).toContain('2026-03-01')
    await check()
    expect((await staleIn(spring.group)).map(([period]: [string]) => period)).not.toContain('2026-03-01')
  })

  it('marks the later months of a changed balance until they are corrected', async () => {
    const spring = await makeSpring(api, tenant)
    await removeMarks()
    await readMarch(api, tenant, spring)
    const { body } = await api.call('POST', `${base(spring.group)}/calculate`, {
      token: token(),
      body: { billing_period: '2026-03-01' },
    })
    expect(body.warning_codes).toContain('LATER_PERIODS_STALE')
    expect(await staleIn(spring.group)).toEqual([
      ['2026-05-01', 3, ['BALANCE_CHANGED']],
      ['2026-04-01', 3, ['BALANCE_CHANGED']],
    ])
    await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(await staleIn(spring.group)).toEqual([])
  })
})

const pairOf = async ({ id }: { readonly id: string }) => {
  const members = (await api.call('GET', `/api/mahsuplasma/groups/${id}/members`, { token: token() })).body
  const facility = (role: string) => ({
    id: members.find((member: Row) => member['member_role'] === role).facility_id,
  })
  return { producer: facility('production'), consumer: facility('consumption') } as never
}

describe('an automatic correction', () => {
  const automatic = (spring: Spring, minutes = 30) =>
    patch(`groups/${spring.group.id}`, { correction_mode: 'automatic', correction_quiet_minutes: minutes })

  it('runs after the quiet period, and equals a calculation from scratch', async () => {
    const spring = await makeSpring(api, tenant)
    expect((await automatic(spring)).body).toMatchObject({
      correction_mode: 'automatic',
      correction_quiet_minutes: 30,
    })
    await removeMarks()
    await readMarch(api, tenant, spring)
    await check()
    api.clock.advance(29 * MINUTE_MS)
    await check()
    expect(await alarms(spring.group)).toHaveLength(1)
    // A further change begins the quiet period again.
    await addHours(api.deps, tenant, spring, [{ period: '2026-03-01', hour: 1, production: '7.000' }])
    await check()
    api.clock.advance(29 * MINUTE_MS)
    await check()
    expect((await staleIn(spring.group)).length).toBe(1)
    api.clock.advance(MINUTE_MS)
    await check()
    expect(await staleIn(spring.group)).toEqual([])
    expect(await alarms(spring.group)).toEqual([])
    const runs = (await atNow(() => runsOf(spring))).filter((run) => run['is_current'])
    expect(runs.map((run) => [run['triggered_by'], run['stage']])).toEqual(
      SPRING.map(() => ['correction_cascade', 'automatic_correction']),
    )
    const lastReason = async (language: string) => {
      const options = { token: token(), headers: { 'accept-language': language } }
      const path = `/api/mahsuplasma/limits/accounts/${spring.account}/movements`
      return (await atNow(() => api.call('GET', path, options))).body[0].reason
    }
    expect(await lastReason('en')).toMatch(/^automatic correction: (\w+, )?ENERGY_CHANGED/)
    expect(await lastReason('tr')).toMatch(/^otomatik düzeltme: .*enerji değişti/)

    const fresh = await makeMonthlyGroup(api.deps, tenant, { 2026: '100.000' })
    await addHours(api.deps, tenant, fresh, [
      { period: '2026-03-01', production: '45.000', consumption: '10.000' },
      { period: '2026-03-01', hour: 1, production: '7.000' },
      { period: '2026-04-01', production: '50.000', consumption: '20.000' },
      { period: '2026-05-01', production: '40.000', consumption: '10.000' },
    ])
    await calculateMonths(api.deps, tenant, {
      groupId: fresh.group.id,
      periods: ['2026-03-01'],
      hours: 31 * 24,
    })
    await calculateMonths(api.deps, tenant, { groupId: fresh.group.id, periods: SPRING.slice(1), hours: 3 })
    expect(await stateOf(api, spring)).toEqual(await stateOf(api, { ...fresh, account: undefined }))
  })

  it('waits for the quiet period of every closed stale month, and not for that of the current one', async () => {
    const spring = await makeSpring(api, tenant)
    await addHours(api.deps, tenant, spring, [{ period: '2026-11-01', production: '3', consumption: '1' }])
    await calculateMonths(api.deps, tenant, { groupId: spring.group.id, periods: ['2026-11-01'], hours: 3 })
    await automatic(spring)
    await removeMarks()
    const stalePeriods = async () =>
      (await staleIn(spring.group)).map(([period]: [string]) => period).toSorted()
    await readMarch(api, tenant, spring)
    await check()
    api.clock.advance(20 * MINUTE_MS)
    await addHours(api.deps, tenant, spring, [{ period: '2026-05-01', hour: 1, production: '7.000' }])
    await check()
    // March is quiet for 49 minutes and May for 29: the correction of March would calculate May amid its change.
    api.clock.advance(29 * MINUTE_MS)
    await addHours(api.deps, tenant, spring, [{ period: '2026-11-01', hour: 1, production: '7.000' }])
    await check()
    expect(await stalePeriods()).toEqual(['2026-03-01', '2026-05-01', '2026-11-01'])
    api.clock.advance(MINUTE_MS)
    await check()
    expect(await stalePeriods()).not.toContain('2026-03-01')
    expect(await stalePeriods()).not.toContain('2026-05-01')
  })

  it('waits for a person by default', async () => {
    const spring = await makeSpring(api, tenant)
    await removeMarks()
    await readMarch(api, tenant, spring)
    await check()
    api.clock.advance(24 * HOUR_MS)
    await check()
    expect(await staleIn(spring.group)).toEqual([['2026-03-01', 1, ['ENERGY_CHANGED']]])
    const found = await atNow(() => api.call('GET', base(spring.group), { token: token() }))
    expect(found.body).toMatchObject({ correction_mode: 'manual' })
  })

  it('that fails opens the alarm of corrections and is tried again an hour later', async () => {
    const spring = await makeSpring(api, tenant)
    await automatic(spring, 5)
    await removeMarks()
    await readMarch(api, tenant, spring)
    await check()
    api.clock.advance(5 * MINUTE_MS)
    const restore = await breakPeriod(api.deps, '2026-04-01')
    await check()
    const stopped = async () =>
      (
        await api.deps.database.pool.query(
          `select count(*)::int as n from alarm_incident i
            join alarm_policy p on p.tenant_id = i.tenant_id and p.id = i.policy_id
           where p.name = 'netting_cascade_stopped' and i.cause = $1 and i.status <> 'closed'`,
          [`group:${spring.group.id}`],
        )
      ).rows[0].n
    expect(await stopped()).toBe(1)
    expect(await staleIn(spring.group)).toEqual([
      ['2026-05-01', 3, ['BALANCE_CHANGED']],
      ['2026-04-01', 3, ['BALANCE_CHANGED']],
    ])
    await restore()
    api.clock.advance(MINUTE_MS)
    await check()
    api.clock.advance(58 * MINUTE_MS)
    await check()
    expect((await staleIn(spring.group)).length).toBe(2)
    api.clock.advance(2 * MINUTE_MS)
    await check()
    expect(await staleIn(spring.group)).toEqual([])
    expect(await stopped()).toBe(0)
  })

  it('that a killed process has left is completed by the next slot', async () => {
    const spring = await makeSpring(api, tenant)
    await removeMarks()
    await readMarch(api, tenant, spring)
    // The chain exists, and no step was done: the process died right after the first commit.
    await api.deps.database.pool.query(
      `insert into correction_chain (tenant_id, group_id, billing_period, reason, cause, started_at)
       values ($1, $2, '2026-03-01', 'automatic correction: ENERGY_CHANGED', 'stale', $3)`,
      [tenant.id, spring.group.id, new Date(NOW)],
    )
    await check()
    expect(await staleIn(spring.group)).toEqual([])
  })

  it('leaves sealed months, and corrects the others', async () => {
    const spring = await makeSpring(api, tenant)
    await automatic(spring, 5)
    await removeMarks()
    await patch(`facilities/${spring.consumer.id}`, { abone_grubu: 'ticarethane' })
    await api.deps.database.pool.query(
      `insert into sealed_month (table_name, period, sealed_at) values ('hourly_energy', '2026-03-01', now())`,
    )
    await check()
    api.clock.advance(5 * MINUTE_MS)
    await check()
    expect((await staleIn(spring.group)).map(([period]: [string]) => period)).toEqual(['2026-03-01'])
    await api.deps.database.pool.query('delete from sealed_month')
  })
})

describe('a cascade', () => {
  it('names a month between calculated months that was never calculated', async () => {
    const created = await makeMonthlyGroup(api.deps, tenant, { 2026: '100.000' })
    const periods = ['2026-02-01', '2026-03-01', '2026-06-01']
    await addHours(
      api.deps,
      tenant,
      created,
      periods.map((period) => ({ period, production: '3.000', consumption: '1.000' })),
    )
    await calculateMonths(api.deps, tenant, { groupId: created.group.id, periods, hours: 3 })
    const { body } = await correct(api, tenant, created.group, { billing_period: '2026-02-01' })
    const skipped = body.warnings.filter(
      (_: string, index: number) => body.warning_codes[index] === 'CASCADE_SKIPPED_UNCALCULATED_PERIOD',
    )
    expect(skipped).toEqual([expect.stringContaining('2026-04-01'), expect.stringContaining('2026-05-01')])
  })
})

describe('calculate', () => {
  it('accepts a billing period instead of a window', async () => {
    const { group } = await makePair('1000.000', 3, () => ['150.000', '60.000'])
    const call = (body: object) => api.call('POST', `${base(group)}/calculate`, { token: token(), body })
    const { status, body } = await call({ billing_period: '2026-11' })
    expect(status).toBe(201)
    expect(body.runs).toMatchObject([
      { billing_period: '2026-11-01', from_hour: iso(periodStart('2026-11-01')) },
    ])
    expect(body.hours_calculated).toBe(19 * 24 + 12)
    expect((await call({ billing_period: '2026-11-05' })).body.noop_periods).toEqual(['2026-11-01'])
    for (const wrong of [
      {},
      { from_hour: '2026-11-01T00:00:00Z' },
      { billing_period: '2026-11', from_hour: '2026-11-01T00:00:00Z' },
      {
        billing_period: '2026-11',
        from_hour: '2026-11-01T00:00:00Z',
        to_hour: '2026-11-02T00:00:00Z',
      },
      { billing_period: '2026-12' },
    ]) {
      expect((await call(wrong)).status).toBe(422)
    }
    expect((await calculate(group, 0, 3)).status).toBe(201)
  })
})
