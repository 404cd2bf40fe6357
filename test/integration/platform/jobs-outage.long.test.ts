import pg from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Job } from '../../../src/platform/jobs/job.ts'
import { runJobs } from '../../../src/platform/jobs/jobs.ts'
import { startApi } from '../../support/api.ts'
import { waitFor } from '../../support/wait-for.ts'

// The runner prints a stack trace of the outage besides the line that it logs.
beforeAll(() => {
  vi.spyOn(console, 'trace').mockImplementation(() => {})
  return () => void vi.restoreAllMocks()
})

const WAIT_MS = 60_000
const DAY_MS = 86_400_000

it('a job that ends during a database outage does not end the process, and the timetable continues', async () => {
  const api = await startApi()
  const { database, bus, log, clock, metrics } = api.deps
  const server = new URL(database.pool.options.connectionString ?? '')
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  const operator = new pg.Client({ connectionString: server.href })
  await operator.connect()
  const started: string[] = []
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const jobOf = (job: string, run: () => Promise<void>): Job => ({
    name: job,
    cron: '0 0 1 1 *',
    everyMs: DAY_MS,
    attempts: 3,
    async run() {
      started.push(job)
      await run()
    },
  })
  const jobs = await runJobs({
    ...{ database, bus, log, clock, metrics, atOnce: 2 },
    jobs: [jobOf('long', () => finished), jobOf('failing', () => finished.then(fail)), jobOf('next', ready)],
  })
  const add = (job: string) =>
    database.pool.query(`select graphile_worker.add_job($1, '{"_cron": {"ts": "2026-11-20T09:30:00Z"}}')`, [
      job,
    ])
  try {
    await add('long')
    await add('failing')
    await waitFor(() => started.length === 2, WAIT_MS)
    await operator.query(`alter database ${name} connection limit 0`)
    // The server's own processes, among them that of Citus, belong to other roles and may not be ended.
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
      [name],
    )
    finish()
    await waitFor(() => !jobs.isRunning(), WAIT_MS)
    await operator.query(`alter database ${name} connection limit -1`)
    await waitFor(() => jobs.isRunning(), WAIT_MS)
    await add('next')
    await waitFor(() => started.includes('next'), WAIT_MS)
  } finally {
    await jobs.stop()
    await operator.end()
    await api.close()
  }
  expect(started.slice(0, 2).toSorted()).toEqual(['failing', 'long'])
})

const ready = async (): Promise<void> => {}
const fail = (): never => {
  throw new Error('it failed on purpose')
}
