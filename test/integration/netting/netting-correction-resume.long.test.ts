import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type InTx, runCorrection } from '../../../src/areas/netting/corrections/cascade.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import type { TestApi } from '../../support/api.ts'
import {
  column,
  makeSpring,
  readMarch,
  runsOf,
  SPRING,
  type Spring,
  stateOf,
} from '../../support/netting/calculated-months.ts'
import { movements, openSite, remaining } from '../../support/netting/calculation.ts'
import { breakPeriod, correct, findFaults, TERMINATE } from '../../support/netting/corrections.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterEach(async () => expect(await findFaults(api.deps)).toEqual([]))
afterAll(() => api.close())

describe('a correction chain that stops', () => {
  it('reports the failed period and resumes there when the same request is sent again', async () => {
    const whole = await makeSpring(api, tenant)
    await readMarch(api, tenant, whole)
    await correct(api, tenant, whole.group, { billing_period: '2026-03-01' })
    const spring = await makeSpring(api, tenant)
    await readMarch(api, tenant, spring)
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
    const halfway = await stateOf(api, spring)
    await repair()

    const resumed = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(resumed.body).toMatchObject({
      periods_corrected: ['2026-05-01'],
      cascade_incomplete: false,
      failed_period: null,
    })
    expect(resumed.body.runs[0].parent_run_id).toBe(stopped.body.runs[0].id)
    expect(await stateOf(api, spring)).toEqual(await stateOf(api, whole))
    expect(await stateOf(api, spring)).not.toEqual(halfway)
    expect(await movements(spring.account)).toEqual(await movements(whole.account))
    // The chain is complete, so the next request starts again at its own period.
    const next = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(next.body.periods_corrected).toEqual(SPRING)
    expect(next.body.runs[0].id).not.toBe(stopped.body.runs[0].id)
  })

  it('because the database connection broke reports it and resumes on a new connection', async () => {
    const spring = await makeSpring(api, tenant)
    const repair = await breakPeriod(api.deps, '2026-04-01', TERMINATE)
    const { status, body } = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    expect(status).toBe(201)
    expect(body).toMatchObject({ cascade_incomplete: true, failed_period: '2026-04-01' })
    expect(body.warning_codes.at(-1)).toBe('CASCADE_STOPPED')
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(again.body.periods_corrected).toEqual(['2026-04-01', '2026-05-01'])
  })

  it('in its first period changes nothing and starts there again', async () => {
    const spring = await makeSpring(api, tenant)
    const before = await stateOf(api, spring)
    const repair = await breakPeriod(api.deps, '2026-03-01')
    const { status, body } = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    expect(status).toBe(201)
    expect(body).toMatchObject({ runs: [], cascade_incomplete: true, failed_period: '2026-03-01' })
    expect(await stateOf(api, spring)).toEqual(before)
    const again = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    expect(again.body.periods_corrected).toEqual(SPRING)
  })

  it('replays the response for the same Idempotency-Key and resumes for a new key', async () => {
    const spring = await makeSpring(api, tenant)
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

  it('is not resumed when another correction has covered the remaining periods', async () => {
    const spring = await makeSpring(api, tenant)
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

  it('because its process died is completed by the next correction of the group', async () => {
    const spring = await makeSpring(api, tenant)
    const repair = await breakPeriod(api.deps, '2026-04-01')
    const stopped = await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
    await repair()
    // A process that dies does not record the stop.
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

describe('a correction chain that another process has moved on', () => {
  const request = (spring: Spring) => ({
    groupId: spring.group.id,
    billingPeriod: '2026-03-01',
    reason: 'the official reading came late',
    cause: 'request' as const,
    startedBy: null,
  })
  const chainOf = async (spring: Spring) => {
    const { rows } = await api.deps.database.pool.query(
      `select state, failed_period::text, ended_at, done_periods::text[] as done from correction_chain
       where tenant_id = $1 and group_id = $2`,
      [tenant.id, spring.group.id],
    )
    return rows[0]
  }
  /** The transactions of a process, of which those with these numbers, from 1, fail before their commit. */
  function transactions(fails: (no: number) => boolean): InTx {
    let no = 0
    return (work) =>
      inTenantTx(api.deps.database.kysely, tenant.id, async (tx) => {
        no += 1
        const isLost = fails(no)
        const result = await work(tx)
        if (isLost) throw new Error('the connection is lost')
        return result
      })
  }
  /** Corrects with a process whose first step fails; `meanwhile` runs between the failure and its record. */
  async function correctWithFailure(spring: Spring, meanwhile: () => Promise<unknown>) {
    const attempt = transactions((no) => no === 2)
    const inTx: InTx = async (work) => {
      try {
        return await attempt(work)
      } catch (error) {
        await meanwhile()
        throw error
      }
    }
    return runCorrection(api.deps, inTx, request(spring))
  }

  it('by the failed period is not stopped there, and continues', async () => {
    const spring = await makeSpring(api, tenant)
    await readMarch(api, tenant, spring)
    // The other process completes the first period and dies.
    const dying = transactions((no) => no > 2)
    const result = await correctWithFailure(spring, async () => {
      await expect(runCorrection(api.deps, dying, request(spring))).rejects.toThrow('the connection is lost')
      expect(await chainOf(spring)).toMatchObject({ state: 'open', done: ['2026-03-01'] })
    })
    expect(result.failedPeriod).toBeUndefined()
    expect(column(result.runs as never, 'billing_period')).toEqual(SPRING)
    expect(await chainOf(spring)).toMatchObject({ state: 'done', failed_period: null, done: SPRING })
    expect(result.warnings.map(({ code }) => code)).not.toContain('CASCADE_STOPPED')
  })

  it('to its end is complete', async () => {
    const spring = await makeSpring(api, tenant)
    const result = await correctWithFailure(spring, () =>
      correct(api, tenant, spring.group, { billing_period: '2026-03-01' }),
    )
    expect([result.failedPeriod, result.runs.length]).toEqual([undefined, 3])
    expect(await chainOf(spring)).toMatchObject({ state: 'done', done: SPRING })
  })

  it.each([
    ['stopped', '2026-03-01'],
    ['refused', null],
    ['superseded', null],
  ])('to the state %s keeps what that process has recorded', async (state, failedPeriod) => {
    const spring = await makeSpring(api, tenant)
    const endedAt = new Date('2026-11-20T09:00:00Z')
    const result = await correctWithFailure(spring, () =>
      api.deps.database.pool.query(
        `update correction_chain set state = $3, failed_period = $4, ended_at = $5
         where tenant_id = $1 and group_id = $2`,
        [tenant.id, spring.group.id, state, failedPeriod, endedAt],
      ),
    )
    expect(await chainOf(spring)).toEqual({ state, failed_period: failedPeriod, ended_at: endedAt, done: [] })
    expect(result.runs).toEqual([])
    expect(result.failedPeriod).toBe(state === 'superseded' ? undefined : '2026-03-01')
  })
})

describe('concurrent corrections of one group', () => {
  it('run one after the other, and identical requests run once', async () => {
    const spring = await makeSpring(api, tenant)
    await readMarch(api, tenant, spring)
    const bodies = [
      { billing_period: '2026-03-01' },
      { billing_period: '2026-04-01', reason: 'a second reason' },
      { billing_period: '2026-03-01' },
      { billing_period: '2026-03-01', reason: 'a third reason' },
      { billing_period: '2026-05-01', reason: 'a fourth reason' },
    ]
    const responses = await Promise.all(bodies.map((body) => correct(api, tenant, spring.group, body)))
    expect(responses.map(({ status, body }) => [status, body.cascade_incomplete])).toEqual(
      bodies.map(() => [201, false]),
    )
    const runs = (await runsOf(spring)).filter((run) => run['parent_run_id'])
    const roots = new Set(column(runs, 'parent_run_id'))
    // The identical request joined the first chain, or came after its end.
    expect([4, 5]).toContain(roots.size)
    const { rows } = await api.deps.database.pool.query(
      `select array_agg(parent_run_id order by finished) as roots from (
         select r.parent_run_id, min(m.seq) as finished from calculation_run r
         join limit_movement m on m.tenant_id = r.tenant_id and m.calculation_run_id = r.id
         where r.group_id = $1 and r.parent_run_id is not null group by r.id, r.parent_run_id) as booked`,
      [spring.group.id],
    )
    const order: string[] = rows[0].roots
    const turns = order.filter((root, index) => root !== order[index - 1])
    expect(turns).toHaveLength(roots.size)
    expect(await remaining(spring.account)).toBe('0.000')
  })
})
