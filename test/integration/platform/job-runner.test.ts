import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Job } from '../../../src/platform/jobs/job.ts'
import { type RunningJobs, runJobs } from '../../../src/platform/jobs/jobs.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { waitFor } from '../../support/wait-for.ts'

const WAIT_MS = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const jobOf = (name: string, run: Job['run']): Job => ({
  name,
  cron: '0 0 1 1 *',
  everyMs: 86_400_000,
  attempts: 3,
  run,
})
const start = (jobs: Job[], log = api.deps.log): Promise<RunningJobs> => {
  const { database, bus, clock, metrics } = api.deps
  return runJobs({ database, bus, log, clock, metrics, atOnce: 2, jobs })
}
const add = (job: string) =>
  `select graphile_worker.add_job('${job}', '{"_cron": {"ts": "2026-11-20T09:30:00Z"}}')`
const query = (text: string) => api.deps.database.pool.query(text)

it('jobs run and record their results while requests use all database connections', async () => {
  const { pool } = api.deps.database
  const jobs = await start([jobOf('small', async () => {})])
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const [first] = clients
  try {
    await first?.query(add('small'))
    const isRecorded = async () =>
      (await first?.query(`select from job_run where name = 'small' and outcome = 'done'`))?.rowCount === 1
    await waitFor(isRecorded, WAIT_MS)
    expect(jobs.isRunning()).toBe(true)
  } finally {
    for (const client of clients) client.release()
    await jobs.stop()
  }
})

it('a runner that cannot record a result ends its other jobs and starts again', async () => {
  let isAborted = false
  let isLongStarted = false
  const done: string[] = []
  const jobs = await start([
    jobOf('long', async (_slot, { signal }) => {
      if (isAborted) return
      isLongStarted = true
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(signal.reason)
        })
      })
    }),
    jobOf('unrecorded', async () => void done.push('unrecorded')),
    jobOf('next', async () => void done.push('next')),
  ])
  try {
    await query(add('long'))
    await waitFor(() => isLongStarted, WAIT_MS)
    await query(`create function graphile_worker.refuse() returns trigger language plpgsql
      as $$ begin raise exception 'it is refused on purpose'; end $$`)
    await query(`create trigger refuse before delete on graphile_worker._private_jobs
      for each row execute function graphile_worker.refuse()`)
    await query(add('unrecorded'))
    await waitFor(() => isAborted, WAIT_MS)
    expect(jobs.isRunning()).toBe(false)
    await query('drop trigger refuse on graphile_worker._private_jobs')
    await waitFor(() => jobs.isRunning(), WAIT_MS)
    await query(add('next'))
    await waitFor(() => done.includes('next'), WAIT_MS)
  } finally {
    await jobs.stop()
  }
})

it('slots that count as scheduled in the future become due at the start, and when the clock is set back', async () => {
  const warnings: unknown[] = []
  const log = Object.assign(Object.create(api.deps.log), {
    warn: (text: unknown) => void warnings.push(text),
  })
  let runs = 0
  const names = ['small', 'clock']
  const jobs = names.map((name) =>
    jobOf(name, async () => {
      runs += 1
    }),
  )
  const isSetAhead = async () => {
    const { rowCount } = await api.deps.database.pool.query(
      'select from graphile_worker._private_known_crontabs where last_execution > $1',
      [new Date(api.deps.clock.now() + 3_600_000)],
    )
    return rowCount !== 0
  }
  const setAhead = () =>
    api.deps.database.pool.query('update graphile_worker._private_known_crontabs set last_execution = $1', [
      new Date(api.deps.clock.now() + 48 * 3_600_000),
    ])
  await (await start(jobs)).stop()
  await setAhead()
  expect(await isSetAhead()).toBe(true)
  const running = await start(jobs, log)
  try {
    expect(await isSetAhead()).toBe(false)
    await setAhead()
    api.clock.advance(-24 * 3_600_000)
    await query(add('clock'))
    await waitFor(async () => !(await isSetAhead()), WAIT_MS)
    expect(warnings).toContainEqual('the clock was set back: the timetable starts again')
    await waitFor(() => running.isRunning(), WAIT_MS)
    await query(add('clock'))
    await waitFor(() => runs === 2, WAIT_MS)
  } finally {
    await running.stop()
  }
})

it('the timetable starts again when the clock is set forward, so that no missed slot is done by itself', async () => {
  const warnings: unknown[] = []
  const log = Object.assign(Object.create(api.deps.log), {
    warn: (text: unknown) => void warnings.push(text),
  })
  let runs = 0
  const job = jobOf('forward', async () => {
    runs += 1
  })
  const running = await start([job], log)
  try {
    api.clock.advance(3 * 3_600_000)
    await query(add('forward'))
    await waitFor(() => warnings.includes('the clock was set forward: the timetable starts again'), WAIT_MS)
    await waitFor(() => running.isRunning(), WAIT_MS)
    await query(add('forward'))
    await waitFor(() => runs === 2, WAIT_MS)
  } finally {
    await running.stop()
  }
})

it('a job that ends because the service stops is not logged as an error', async () => {
  const errors: unknown[] = []
  const log = Object.assign(Object.create(api.deps.log), {
    error: (...values: unknown[]) => void errors.push(values),
  })
  let isStarted = false
  const job = jobOf('stopped', async (_slot, { signal }) => {
    isStarted = true
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const running = await start([job], log)
  await query(add('stopped'))
  await waitFor(() => isStarted, WAIT_MS)
  await running.stop()
  expect(errors).toEqual([])
})
