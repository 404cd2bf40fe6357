import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endedPeriods } from '../../../src/jobs/close-month.ts'
import { hoursDue } from '../../../src/jobs/for-each-page.ts'
import { startJobs } from '../../../src/jobs/index.ts'
import { schedule } from '../../../src/jobs/schedule.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import type { Job } from '../../../src/platform/jobs/job.ts'
import { runJobs } from '../../../src/platform/jobs/jobs.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { perform } from '../../support/jobs/timetable.ts'
import { changeTriggers } from '../../support/netting/corrections.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility } from '../../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:50:00Z')
let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const rowsOf = async (text: string, values: unknown[] = []) =>
  (await api.deps.database.pool.query(text, values)).rows
const doJob = (name: string, at: string): Promise<void> => {
  const job = schedule(api.deps).find((known) => known.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  return perform(api, { job, slot: Date.parse(at) })
}

/** A producer and a consumer with the facts of an hour. */
async function makePair(hour: string, aboneGrubu: 'sanayi' | 'mesken' = 'sanayi') {
  const group = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', aboneGrubu, limits: { 2026: '100.000' } }],
  })
  const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
  await addFacts(api.deps, tenant, [
    { facilityId: producer.id, hour, role: 'main_production', production: '5.000' },
    { facilityId: consumer.id, hour, role: 'main_consumption', consumption: '3.000' },
  ])
  return group
}
const runsOf = (groupId: string) =>
  rowsOf(
    `select from_hour, to_hour, triggered_by, scenario, notes ->> 'stage' as stage, is_current
     from calculation_run where group_id = $1 order by started_at, from_hour`,
    [groupId],
  )

describe('work of a job slot', () => {
  const slot = Date.parse('2026-11-20T09:15:00Z')
  const to = Date.parse('2026-11-20T09:00:00Z')

  it('covers the previous hour, or after a downtime all hours since the last finished slot, within bounds', () => {
    expect(hoursDue(slot, { after: undefined })).toEqual({ from: to - HOUR_MS, to })
    expect(hoursDue(slot, { after: slot - HOUR_MS })).toEqual({ from: to - HOUR_MS, to })
    expect(hoursDue(slot, { after: slot - 50 * HOUR_MS })).toEqual({ from: to - 50 * HOUR_MS, to })
    expect(hoursDue(slot, { after: slot - 90 * DAY_MS })).toEqual({ from: to - 31 * DAY_MS, to })
  })

  it('of the monthly close covers the months that ended since the last finished slot', () => {
    const first = Date.parse('2026-11-01T01:30:00+03:00')
    expect(endedPeriods(first, { after: first - DAY_MS })).toEqual(['2026-10-01'])
    expect(endedPeriods(first, { after: undefined })).toEqual(['2026-10-01'])
    expect(endedPeriods(first + DAY_MS, { after: first })).toEqual([])
    expect(endedPeriods(first + DAY_MS, { after: first - DAY_MS })).toEqual(['2026-10-01'])
    expect(endedPeriods(first, { after: first - 40 * DAY_MS })).toEqual(['2026-09-01', '2026-10-01'])
    expect(endedPeriods(first, { after: first - 4000 * DAY_MS })).toHaveLength(12)
  })
})

it('continues after a failed group, and fails when all groups fail', async () => {
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  const good = await makePair('2026-11-20T08:00:00Z')
  const bad = await makePair('2026-11-20T08:00:00Z')
  await changeTriggers(api.deps, [
    `create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    `create trigger broken before insert on calculation_run for each row
      when (new.group_id = '${bad.id}') execute function broken()`,
  ])
  await doJob('calculate-preliminary', '2026-11-20T09:15:00Z')
  expect(await runsOf(good.id)).toMatchObject([{ triggered_by: 'beat', stage: 'preliminary' }])
  expect(await runsOf(bad.id)).toEqual([])
  const outcomes = `select outcome, attempts from job_run where name = 'calculate-preliminary' order by slot`
  expect(await rowsOf(outcomes)).toEqual([{ outcome: 'partial', attempts: 1 }])
  const alarms = await rowsOf(
    `select p.name from alarm_incident i join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
     where i.status <> 'closed' and i.payload ->> 'group_id' = $1 and p.name like '%failed'`,
    [bad.id],
  )
  expect(alarms).toEqual([{ name: 'netting_calculation_failed' }])

  await rowsOf(`update netting_group set is_active = false, group_status = 'inactive' where id = $1`, [
    good.id,
  ])
  await expect(doJob('calculate-preliminary', '2026-11-20T09:45:00Z')).rejects.toThrow()
  await expect(doJob('calculate-preliminary', '2026-11-20T09:45:00Z')).rejects.toThrow()
  expect(await rowsOf(outcomes)).toMatchObject([{}, { outcome: 'failed', attempts: 2 }])
  await changeTriggers(api.deps, ['drop trigger broken on calculation_run', 'drop function broken()'])
  await doJob('calculate-preliminary', '2026-11-20T09:45:00Z')
  expect(await rowsOf(outcomes)).toMatchObject([{}, { outcome: 'done', attempts: 3 }])
  // The failed work is left to the nightly job.
  expect((await runsOf(bad.id)).map((run) => run.from_hour)).toEqual([new Date('2026-11-20T08:00:00Z')])
  await doJob('calculate-periods', '2026-11-20T00:10:00Z')
  expect((await runsOf(bad.id)).some((run) => run.is_current && run.stage === 'daily_backfill')).toBe(true)
})

it('leaves a residential month to the nightly job, which aggregates hours into days', async () => {
  const home = await makePair('2026-11-19T08:00:00Z', 'mesken')
  const plant = await makePair('2026-11-19T08:00:00Z')
  for (const slot of ['2026-11-19T09:15:00Z', '2026-11-19T10:15:00Z']) {
    await doJob('calculate-preliminary', slot)
  }
  expect(await runsOf(home.id)).toEqual([])
  expect((await runsOf(plant.id)).length).toBe(2)
  await doJob('calculate-periods', '2026-11-20T00:10:00Z')
  const current = (await runsOf(plant.id)).filter((run) => run.is_current)
  const day = current.find((run) => run.from_hour.getTime() === Date.parse('2026-11-19T00:00:00+03:00'))
  expect(day).toMatchObject({ to_hour: new Date('2026-11-20T00:00:00+03:00'), stage: 'daily_backfill' })
  expect(await runsOf(home.id)).toMatchObject([{ scenario: 'mesken_monthly', stage: 'daily_backfill' }])
})

it('reports groups without an approved price until there is one', async () => {
  const home = await makePair('2026-11-19T08:00:00Z', 'mesken')
  const open = () =>
    rowsOf(
      `select i.message, i.payload from alarm_incident i
       join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
       where p.name = 'netting_tariff_missing' and i.status <> 'closed' and i.cause = $1`,
      [`group:${home.id}`],
    )
  await doJob('scan-missing-tariffs', '2026-11-20T04:00:00Z')
  await doJob('scan-missing-tariffs', '2026-11-20T04:00:00Z')
  expect(await open()).toMatchObject([{ payload: { details: { abone_grubu: ['mesken'] } } }])
  const prices = INDUSTRIAL_PRICES.map((price) => ({ ...price, aboneGrubu: 'mesken' as const }))
  await makePriceSet(api.deps, '2026-11-01', prices)
  await doJob('evaluate-groups', '2026-11-20T06:00:00Z')
  expect(await open()).toEqual([])
})

describe('running timetable', () => {
  // The runner goes by the clock of the machine: at the start of a minute it adds a slot of its own to each job.
  const lastRun = () =>
    rowsOf(`select outcome from job_run where name = 'roll-up-late-samples' and slot = $1`, [iso(NOW)])
  const add =
    `select graphile_worker.add_job('roll-up-late-samples', '{"_cron": {"ts": ` +
    `"2026-11-20T09:50:00Z"}}', 'roll-up-late-samples')`

  it('shows the state of each job in the readiness and the metrics, and names delayed jobs', async () => {
    const jobs = await startJobs(api.deps)
    try {
      await rowsOf(add)
      await expect.poll(lastRun).toEqual([{ outcome: 'done' }])
      const statusOfJob = async (name: string) => {
        const { status, body } = await api.call('GET', '/readiness')
        expect(status).toBe(200)
        expect(body.checks.jobs).toBe('ok')
        return { notes: body.notes, ...body.jobs.find((job: { name: string }) => job.name === name) }
      }
      await expect
        .poll(() => statusOfJob('roll-up-late-samples'))
        .toMatchObject({ last_slot: iso(NOW), last_success_at: iso(NOW), lag_seconds: 0, notes: [] })
      api.clock.advance(4 * HOUR_MS)
      const { notes, lag_seconds: lag } = await statusOfJob('roll-up-late-samples')
      expect(lag).toBe(4 * 3600 - 60)
      expect(notes).toContain(`the job roll-up-late-samples lags: its last slot that was done is ${iso(NOW)}`)
      expect(notes.join()).not.toContain('scan-missing-tariffs')
      const { text } = await api.call('GET', '/metrics')
      expect(text).toContain(
        `netsaat_job_last_success_timestamp_seconds{job="roll-up-late-samples"} ${NOW / 1000}`,
      )
      expect(text).toMatch(/netsaat_job_lag_seconds\{job="roll-up-late-samples"\} \d+/)
      expect(text).toMatch(/netsaat_job_failures_total\{job="calculate-preliminary"\} [3-9]/)
    } finally {
      await jobs.stop()
      api.clock.set(NOW)
    }
  })

  it('takes over jobs of a killed process, and none of a running one', async () => {
    await rowsOf('delete from job_run')
    await rowsOf(add)
    await rowsOf(`update graphile_worker._private_jobs set locked_by = 'pool-killed', locked_at = now()`)
    await rowsOf(
      `update graphile_worker._private_job_queues set locked_by = 'pool-killed', locked_at = now()`,
    )
    const jobs = await startJobs(api.deps)
    try {
      await expect.poll(lastRun).toEqual([{ outcome: 'done' }])
    } finally {
      await jobs.stop()
    }
  })

  it('stops beside a job that does not stop, which is repeated later', async () => {
    let started = 0
    let receive = () => {}
    const job: Job = {
      name: 'deaf',
      cron: '0 0 1 1 *',
      everyMs: DAY_MS,
      attempts: 5,
      run: () => {
        started += 1
        return started > 1
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              receive = resolve
            })
      },
    }
    const order = { ...api.deps, jobs: [job], atOnce: 1 }
    const jobs = await runJobs(order)
    await rowsOf(
      `select graphile_worker.add_job('deaf', '{"_cron": {"ts": "2026-01-01T00:00:00Z"}}', 'deaf')`,
    )
    await expect.poll(() => started).toBe(1)
    await jobs.stop()
    await rowsOf(`update graphile_worker._private_jobs set run_at = now()`)
    const again = await runJobs(order)
    await expect.poll(() => started).toBe(2)
    await again.stop()
    receive()
    // Its later events are ignored.
    expect(started).toBe(2)
  })
})
