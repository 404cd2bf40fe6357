import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Job } from '../../../src/platform/jobs/job.ts'
import { requestJob } from '../../../src/platform/jobs/job-requests.ts'
import { type RunningJobs, runJobs } from '../../../src/platform/jobs/jobs.ts'
import { makeLocalBroker } from '../../../src/platform/messaging/broker.ts'
import { type Bus, makeBus } from '../../../src/platform/messaging/bus.ts'
import { linkOverBroker } from '../../../src/platform/messaging/process-link.ts'
import { relayEvents } from '../../../src/service/event-relay.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { waitFor } from '../../support/wait-for.ts'

const WAIT_MS = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** Each test has names of its own: the jobs of another one, or of its repetition, would be done by its processes. */
let number = 0
const unique = (what: string): string => {
  number += 1
  return `${what}-${number}`
}

/** A job whose slots do not come during a test. */
const jobOf = (name: string, run: Job['run']): Job => ({
  ...{ name, cron: '0 0 1 1 *', everyMs: 86_400_000, attempts: 1 },
  ...{ startsOnRequest: true, run },
})

/** A gate at which runs wait until it is opened. */
function makeGate() {
  let open = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

/** The buses of processes with a link between them. */
async function linkedBuses(count: number) {
  const link = linkOverBroker(makeLocalBroker())
  const buses = Array.from({ length: count }, () => makeBus(api.deps.log))
  const ends = await Promise.all(buses.map((bus) => relayEvents({ bus, link, log: api.deps.log })))
  return { buses, end: () => Promise.all(ends.map((one) => one())) }
}

const start = (jobs: readonly Job[], bus: Bus, log = api.deps.log): Promise<RunningJobs> => {
  const { database, clock, metrics } = api.deps
  return runJobs({ database, bus, log, clock, metrics, atOnce: 2, jobs })
}

const queued = async (name: string): Promise<number> => {
  const { rowCount } = await api.deps.database.pool.query(
    `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1`,
    [name],
  )
  return rowCount ?? 0
}
const recorded = async (name: string): Promise<number> =>
  (await api.deps.database.pool.query('select from job_run where name = $1', [name])).rowCount ?? 0

it('a request of another process starts the job for its tenant, one run at a time, and is no slot', async () => {
  const name = unique('asked')
  const plain = unique('plain')
  const tenants: (number | undefined)[] = []
  let atOnce = 0
  let atOnceMost = 0
  const job = jobOf(name, async (_slot, { tenantId, after }) => {
    expect(after).toBeUndefined()
    tenants.push(tenantId)
    atOnce += 1
    atOnceMost = Math.max(atOnceMost, atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    atOnce -= 1
  })
  const withoutRequests: Job = { ...jobOf(plain, async () => {}), startsOnRequest: false }
  const { buses, end } = await linkedBuses(3)
  const [asking, first, second] = buses as [Bus, Bus, Bus]
  const runners = [await start([job, withoutRequests], first), await start([job, withoutRequests], second)]
  try {
    requestJob({ bus: asking }, { job: plain, tenantId: 1 })
    requestJob({ bus: asking }, { job: unique('unknown'), tenantId: 1 })
    for (const tenantId of [7, 8, 9]) requestJob({ bus: asking }, { job: name, tenantId })
    await waitFor(async () => new Set(tenants).size === 3 && (await queued(name)) === 0, WAIT_MS)
    expect(new Set(tenants)).toEqual(new Set([7, 8, 9]))
    expect(atOnceMost).toBe(1)
    expect([await queued(plain), await recorded(name)]).toEqual([0, 0])
  } finally {
    await Promise.all(runners.map((one) => one.stop()))
    await end()
  }
})

it('requests during a run are not missed: the job runs once more, when the run has ended', async () => {
  const name = unique('again')
  const gate = makeGate()
  let begun = 0
  let isCommitted = false
  const seen: boolean[] = []
  const job = jobOf(name, async () => {
    begun += 1
    const now = isCommitted
    if (begun === 1) await gate.isOpen
    seen.push(now)
  })
  const bus = makeBus(api.deps.log)
  const jobs = await start([job], bus)
  try {
    requestJob({ bus }, { job: name, tenantId: 7 })
    await waitFor(() => begun === 1, WAIT_MS)
    isCommitted = true
    for (let request = 0; request < 20; request += 1) requestJob({ bus }, { job: name, tenantId: 7 })
    // The running one and one that waits, whatever the number of requests.
    await waitFor(async () => (await queued(name)) === 2, WAIT_MS)
    expect(begun).toBe(1)
    gate.open()
    await waitFor(async () => seen.length >= 2 && (await queued(name)) === 0, WAIT_MS)
    expect(seen.slice(0, 2)).toEqual([false, true])
  } finally {
    gate.open()
    await jobs.stop()
  }
})

it('a request waits for a slot of the job that runs', async () => {
  const name = unique('slot')
  const gate = makeGate()
  const runs: (number | undefined)[] = []
  const job = jobOf(name, async (_slot, { tenantId }) => {
    runs.push(tenantId)
    if (tenantId === undefined) await gate.isOpen
  })
  const bus = makeBus(api.deps.log)
  const jobs = await start([job], bus)
  try {
    await api.deps.database.pool.query(
      `select graphile_worker.add_job($1, '{"_cron": {"ts": "2026-11-20T09:30:00Z"}}', $1, job_key => $1)`,
      [name],
    )
    await waitFor(() => runs.length === 1, WAIT_MS)
    requestJob({ bus }, { job: name, tenantId: 7 })
    await waitFor(async () => (await queued(name)) === 2, WAIT_MS)
    expect(runs).toEqual([undefined])
    gate.open()
    await waitFor(() => runs.length === 2, WAIT_MS)
    expect(runs).toEqual([undefined, 7])
    await waitFor(async () => (await queued(name)) === 0, WAIT_MS)
    expect(await recorded(name)).toBe(1)
  } finally {
    gate.open()
    await jobs.stop()
  }
})

it('a request that fails is logged, leaves nothing in the queue, and the next one starts the job', async () => {
  const name = unique('failing')
  const errors: unknown[] = []
  const log = Object.assign(Object.create(api.deps.log), {
    error: (_fields: unknown, text: unknown) => void errors.push(text),
  })
  let runs = 0
  const job = jobOf(name, async () => {
    runs += 1
    if (runs === 1) throw new Error('it fails on purpose')
  })
  const bus = makeBus(api.deps.log)
  const jobs = await start([job], bus, log)
  try {
    requestJob({ bus }, { job: name, tenantId: 7 })
    await waitFor(async () => runs === 1 && (await queued(name)) === 0, WAIT_MS)
    expect(errors).toEqual(['a requested job failed: its next slot does the work'])
    requestJob({ bus }, { job: name, tenantId: 7 })
    await waitFor(() => runs === 2, WAIT_MS)
    expect(await recorded(name)).toBe(0)
  } finally {
    await jobs.stop()
  }
})
