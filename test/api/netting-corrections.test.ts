import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, iso, periodEnd, periodStart } from '../../src/kernel/time.ts'
import type { TestApi } from '../support/api.ts'
import { movements, openSite, type Row, read, remaining } from '../support/calculation.ts'
import {
  addHours,
  breakPeriod,
  calculateMonths,
  correct,
  findFaults,
  makeMonthlyGroup,
  readState,
} from '../support/corrections.ts'
import type { TestTenant } from '../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let stranger: TestTenant
beforeAll(async () => {
  ;({ api, tenant, stranger } = await openSite())
})
afterEach(async () => expect(await findFaults(api.deps)).toEqual([]))
afterAll(() => api.close())

const SPRING = ['2026-03-01', '2026-04-01', '2026-05-01']

/** Three months of one busy hour each; the last one runs into the limit. */
async function makeSpring(limit = '100.000') {
  const made = await makeMonthlyGroup(api.deps, tenant, { 2026: limit })
  await addHours(api.deps, tenant, made, [
    { period: '2026-03-01', production: '30.000', consumption: '10.000' },
    { period: '2026-04-01', production: '50.000', consumption: '20.000' },
    { period: '2026-05-01', production: '40.000', consumption: '10.000' },
  ])
  await calculateMonths(api.deps, tenant, { groupId: made.group.id, periods: SPRING, hours: 3 })
  return { ...made, account: made.consumer.accounts[2026] }
}
type Spring = Awaited<ReturnType<typeof makeSpring>>

const marchIsRead = (spring: Spring): Promise<void> =>
  addHours(api.deps, tenant, spring, [{ period: '2026-03-01', production: '45.000' }])
const namesOf = ({ producer, consumer }: Spring) => ({ [producer.id]: 'producer', [consumer.id]: 'consumer' })
const stateOf = (spring: Spring): Promise<string[]> => readState(api.deps, [spring.group.id], namesOf(spring))
const runsOf = async (spring: Spring): Promise<Row[]> => (await read(spring.group, 'runs?limit=500')).body
const column = (rows: Row[], name: string) => rows.map((row) => row[name])

describe('a correction', () => {
  it('computes its period and all later ones anew, and the ledger reads as the page on corrections says', async () => {
    const spring = await makeSpring()
    const { group, account } = spring
    const before = await runsOf(spring)
    await marchIsRead(spring)
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
    // The period itself is taken whole, a later one as far as it had been calculated.
    expect(column(body.runs, 'from_hour')).toEqual(SPRING.map((period) => iso(periodStart(period))))
    expect(column(body.runs, 'to_hour')).toEqual([
      iso(periodEnd('2026-03-01')),
      iso(periodStart('2026-04-01') + 3 * HOUR_MS),
      iso(periodStart('2026-05-01') + 3 * HOUR_MS),
    ])

    const page = await readFile('docs/netting/corrections.md', 'utf8')
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

  it('computes anew also when nothing has changed, and changes no figure by it', async () => {
    const spring = await makeSpring()
    await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    const state = await stateOf(spring)
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03' })
    expect(again.body.periods_corrected).toEqual(SPRING)
    expect(await stateOf(spring)).toEqual(state)
    expect(await movements(spring.account)).toHaveLength(7 + 6 + 6)
    const late = await correct(api, tenant, spring.group, { billing_period: '2026-05-20' })
    expect(late.body).toMatchObject({ billing_period: '2026-05-01', periods_corrected: ['2026-05-01'] })
  })

  it('ends what LATER_PERIODS_STALE warns of', async () => {
    const spring = await makeSpring()
    const { group } = spring
    await marchIsRead(spring)
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

  it('goes on over the turn of the year, where each year has its own account', async () => {
    const made = await makeMonthlyGroup(api.deps, tenant, { 2025: '20.000', 2026: '50.000' })
    const turn = ['2025-12-01', '2026-01-01', '2026-02-01']
    const hours = turn.map((period) => ({ period, production: '9.000', consumption: '8.000' }))
    await addHours(api.deps, tenant, made, hours)
    await calculateMonths(api.deps, tenant, { groupId: made.group.id, periods: turn, hours: 1 })
    await addHours(api.deps, tenant, made, [
      { period: '2025-12-01', hour: 1, production: '5', consumption: '5' },
    ])
    const { body } = await correct(api, tenant, made.group, { billing_period: '2025-12-01' })
    expect(body.periods_corrected).toEqual(turn)
    expect(await remaining(made.consumer.accounts[2025])).toBe('6.000')
    expect(await remaining(made.consumer.accounts[2026])).toBe('32.000')
  })

  it('calculates a past period that has never been, and the hours of the current one that are over', async () => {
    const made = await makeMonthlyGroup(api.deps, tenant, { 2026: '10.000' })
    const past = await correct(api, tenant, made.group, { billing_period: '2026-09-01' })
    expect(past.body.periods_corrected).toEqual(['2026-09-01'])
    expect(past.body.runs[0]).toMatchObject({ to_hour: iso(periodEnd('2026-09-01')) })
    const now = await correct(api, tenant, made.group, { billing_period: '2026-11-01' })
    expect(now.body.runs[0]).toMatchObject({ to_hour: '2026-11-20T09:00:00.000Z' })
    expect((await read(made.group, 'monthly-summary')).body).toHaveLength(2)
  })

  it('warns of a period more than twelve full months back, and corrects it', async () => {
    const made = await makeMonthlyGroup(api.deps, tenant, { 2025: '10.000' })
    const young = await correct(api, tenant, made.group, { billing_period: '2025-11-01' })
    expect(young.body.warning_codes).not.toContain('DUY_133_5_PERIOD_TOO_OLD')
    const old = await correct(api, tenant, made.group, { billing_period: '2025-10-01' })
    expect(old.body.warning_codes).toContain('DUY_133_5_PERIOD_TOO_OLD')
    expect(old.body.periods_corrected).toEqual(['2025-10-01', '2025-11-01'])
  })

  it('refuses what it cannot do', async () => {
    const { group } = await makeMonthlyGroup(api.deps, tenant, { 2026: '10.000' })
    const asked = (body: object, of = tenant) => correct(api, of, group, body)
    const march = { billing_period: '2026-03-01' }
    expect((await asked(march, stranger)).status).toBe(404)
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

  it('keeps a period whose summary cannot be made, and says so', async () => {
    const spring = await makeSpring()
    const { pool } = api.deps.database
    await marchIsRead(spring)
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

describe('a cascade that stops', () => {
  it('says where, and the same request goes on from there to the same end', async () => {
    const whole = await makeSpring()
    await marchIsRead(whole)
    await correct(api, tenant, whole.group, { billing_period: '2026-03-01' })
    const spring = await makeSpring()
    await marchIsRead(spring)
    const repair = await breakPeriod(api.deps, '2026-05-01')
    const stopped = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(stopped.status).toBe(201)
    expect(stopped.body).toMatchObject({
      periods_corrected: ['2026-03-01', '2026-04-01'],
      cascade_incomplete: true,
      failed_period: '2026-05-01',
    })
    expect(stopped.body.warning_codes).toContain('CASCADE_STOPPED')
    expect(stopped.text).not.toContain('disk')
    const stuck = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(stuck.body).toMatchObject({ runs: [], periods_corrected: [], failed_period: '2026-05-01' })
    const halfway = await stateOf(spring)
    await repair()

    const resumed = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(resumed.body).toMatchObject({
      periods_corrected: ['2026-05-01'],
      cascade_incomplete: false,
      failed_period: null,
    })
    expect(resumed.body.runs[0].parent_run_id).toBe(stopped.body.runs[0].id)
    expect(await stateOf(spring)).toEqual(await stateOf(whole))
    expect(await stateOf(spring)).not.toEqual(halfway)
    expect(await movements(spring.account)).toEqual(await movements(whole.account))
    // Done is done: the next one begins again at its period.
    const next = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(next.body.periods_corrected).toEqual(SPRING)
    expect(next.body.runs[0].id).not.toBe(stopped.body.runs[0].id)
  })

  it('in its first period has done nothing, and begins there again', async () => {
    const spring = await makeSpring()
    const before = await stateOf(spring)
    const repair = await breakPeriod(api.deps, '2026-03-01')
    const { status, body } = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    expect(status).toBe(201)
    expect(body).toMatchObject({ runs: [], cascade_incomplete: true, failed_period: '2026-03-01' })
    expect(await stateOf(spring)).toEqual(before)
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(again.body.periods_corrected).toEqual(SPRING)
  })

  it('answers the same again under its Idempotency-Key, and goes on under a new one', async () => {
    const spring = await makeSpring()
    const repair = await breakPeriod(api.deps, '2026-05-01')
    const send = (key: string) =>
      api.call('POST', `/api/mahsuplasma/groups/${spring.group.id}/corrections`, {
        token: tenant.admin.token,
        body: { billing_period: '2026-03-01', reason: 'the official reading came late' },
        headers: { 'idempotency-key': key },
      })
    const first = await send('one')
    await repair()
    const replayed = await send('one')
    expect(replayed.headers.get('idempotent-replay')).toBe('true')
    expect([replayed.body, first.body.failed_period]).toEqual([first.body, '2026-05-01'])
    expect((await send('two')).body).toMatchObject({
      cascade_incomplete: false,
      periods_corrected: ['2026-05-01'],
    })
  })

  it('is left behind by another correction that has covered its rest', async () => {
    const spring = await makeSpring()
    const repair = await breakPeriod(api.deps, '2026-05-01')
    await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    const other = await correct(api, tenant, spring.group, {
      billing_period: '2026-04-01',
      reason: 'another reason',
    })
    expect(other.body.periods_corrected).toEqual(['2026-04-01', '2026-05-01'])
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(again.body.periods_corrected).toEqual(SPRING)
  })

  it('with its process is brought to its end by whoever corrects the group next', async () => {
    const spring = await makeSpring()
    const repair = await breakPeriod(api.deps, '2026-04-01')
    const stopped = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    // A process that dies notes no stop.
    await api.deps.database.pool.query(
      `update correction_chain set state = 'open', failed_period = null where root_run_id = $1`,
      [stopped.body.runs[0].id],
    )
    const other = await correct(api, tenant, spring.group, {
      billing_period: '2026-05-01',
      reason: 'another reason',
    })
    expect(other.body.periods_corrected).toEqual(['2026-05-01'])
    const chains = await api.deps.database.pool.query(
      `select state, done_periods::text[] as done from correction_chain where group_id = $1 order by seq`,
      [spring.group.id],
    )
    expect(chains.rows).toEqual([
      { state: 'done', done: SPRING },
      { state: 'done', done: ['2026-05-01'] },
    ])
  })
})

describe('corrections of one group at the same time', () => {
  it('come one after the other; the same one twice is one', async () => {
    const spring = await makeSpring()
    await marchIsRead(spring)
    const bodies = [
      { billing_period: '2026-03-01' },
      { billing_period: '2026-04-01', reason: 'a second reason' },
      { billing_period: '2026-03-01' },
      { billing_period: '2026-03-01', reason: 'a third reason' },
      { billing_period: '2026-05-01', reason: 'a fourth reason' },
    ]
    const answers = await Promise.all(bodies.map((body) => correct(api, tenant, spring.group, body)))
    expect(answers.map(({ status, body }) => [status, body.cascade_incomplete])).toEqual(
      bodies.map(() => [201, false]),
    )
    const runs = (await runsOf(spring)).filter((run) => run['parent_run_id'])
    const roots = new Set(column(runs, 'parent_run_id'))
    // The twin has joined the first chain, or came when that was done.
    expect([4, 5]).toContain(roots.size)
    const { rows } = await api.deps.database.pool.query(
      `select array_agg(parent_run_id order by finished) as roots from (
         select r.parent_run_id, min(m.seq) as finished from calculation_run r
         join limit_movement m on m.calculation_run_id = r.id
         where r.group_id = $1 and r.parent_run_id is not null group by r.id, r.parent_run_id) as booked`,
      [spring.group.id],
    )
    const order: string[] = rows[0].roots
    const turns = order.filter((root, place) => root !== order[place - 1])
    expect(turns).toHaveLength(roots.size)
    expect(await remaining(spring.account)).toBe('0.000')
  })
})
