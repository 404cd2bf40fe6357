import type { FastifyBaseLogger } from 'fastify'
import { Logger, parseCronItems, run, type TaskList, type WorkerPool } from 'graphile-worker'
import { JOBS_STOP_MS } from '../../kernel/limits.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { hasSqlState, SQLSTATE } from '../db/errors.ts'
import { runAs } from '../runtime/actor.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Job, JobsOptions, JobView } from './job.ts'
import { makeJobBoard } from './job-board.ts'
import { makeJobOwner } from './job-owners.ts'
import { followJobRequests } from './job-requests.ts'
import { forgetFutureSlots, type JobOutcome, lastDoneBefore, recordRun } from './job-runs.ts'
import { keepRunner } from './keep-runner.ts'
import {
  JOBS_BEAT_MS,
  JOBS_CLOCK_TOLERANCE_MS,
  JOBS_CONNECT_TIMEOUT_MS,
  JOBS_SPARE_CONNECTIONS,
} from './limits.ts'

/**
 * Job scheduling across processes.
 *
 * Purpose: every slot of every job of the timetable is done once, whichever processes with the role `jobs`
 * are running, and a slot that was missed is made up for. The runner is graphile-worker over the service's
 * own database, so no other infrastructure is needed and a job is taken by exactly one process (`for update
 * skip locked`). The runner and the records of results have their own connections: it ends when it cannot
 * record a result, so requests must not make it wait for a connection.
 *
 * Slots. A job has a cron expression (UTC) and receives the instant it was meant for, never the present: a
 * slot that is late or repeated does the work of its own time. At most one slot of a job waits (`jobKey` with
 * mode `replace`): a newer one takes over the work of the one before, and `JobContext.after` is the last
 * slot that was done. Jobs of one `queue` run one at a time. A request of a tenant starts some jobs at once, for this
 * tenant (job-requests.ts); such a run is no slot, and is not recorded as one.
 *
 * Modes:
 * - running: the timetable is polled; a heartbeat every JOBS_BEAT_MS renews the owner's lock and reads the
 *   job states.
 * - restarting: the runner ends or has ended by itself, for example because the database went away.
 *   `isRunning` is false and readiness reports it. Jobs that still run are aborted, as it waits for them. It is
 *   started again after a delay that doubles from JOBS_RESTART_MIN_MS, for as long as the process lives.
 * - stopping: no new work; the signal of running jobs is aborted, and they end at their next check of it. A
 *   job that takes longer than JOBS_STOP_MS is abandoned: its lock is released and another process repeats
 *   the slot.
 *
 * Crashes. A killed process leaves its jobs locked, and graphile-worker would free them only after four
 * hours. Each runner therefore holds an advisory lock for as long as its connection lives (job-owners.ts);
 * jobs of owners without one are freed.
 *
 * Clock. A timetable that ran ahead, and whose clock was set back, would wait until the clock reaches its last slot
 * again. The heartbeat detects this by the monotonic clock, and each start looks for slots of the future; they become
 * due again. A running timetable whose clock is set forward would do every slot in between, one after the other; one
 * that starts again does the last slot of each job, which includes the work of the missed ones.
 *
 * Trade-offs:
 * - Execution is at least once: a process that dies between the work and its record repeats the slot. Jobs
 *   are idempotent.
 * - The result is recorded (job-runs.ts) after the work, in a statement of its own, so that a job may use
 *   many transactions.
 * - A failing slot is retried `attempts` times by graphile-worker's back-off; then the next slot includes its
 *   work.
 */

export interface RunningJobs {
  /** Starts no new work, aborts the signal of the running jobs and resolves when they have ended. */
  stop(): Promise<void>
  /** False from the moment at which the runner begins to end by itself until it is started again. */
  isRunning(): boolean
  views(): readonly JobView[]
  notes(): readonly string[]
}

/**
 * Runs a timetable. Other processes may run the same timetable concurrently; each slot of each job is done
 * once.
 */
export async function runJobs(options: JobsOptions): Promise<RunningJobs> {
  const { log } = options
  // The queue creates and changes its own tables.
  const database = options.database.owner.open({
    maxConnections: options.atOnce + JOBS_SPARE_CONNECTIONS,
    connectTimeoutMs: JOBS_CONNECT_TIMEOUT_MS,
    keepsIdle: true,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection of the jobs broke'),
  })
  try {
    return await runOn({ ...options, database })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function runOn(order: JobsOptions): Promise<RunningJobs> {
  const { database, log } = order
  const stopping = new AbortController()
  const cut = new AbortController()
  const board = makeJobBoard(order)
  let poolId: string | undefined
  const owner = makeJobOwner(database, () => poolId)

  const findJump = makeJumpDetector(order.clock)
  async function beat(): Promise<void> {
    await Promise.all([board.refresh(), owner.beat()])
    const jumpedMs = findJump()
    if (jumpedMs === 0) return
    log.warn(`the clock was set ${jumpedMs < 0 ? 'back' : 'forward'}: the timetable starts again`)
    await forgetFutureSlots(database, order.clock.now())
    runner.restart()
  }
  const beatInBackground = () => {
    if (stopping.signal.aborted) return
    beat().catch((error: unknown) => log.warn({ err: error }, 'the state of the jobs could not be read'))
  }

  async function work(job: Job, slot: Slot): Promise<void> {
    try {
      const run = slot.tenantId === undefined ? runSlot : runRequested
      await runAs({ kind: 'job', operation: job.name }, () => run(order, job, slot))
    } finally {
      // The end of an abandoned job is not awaited, because the runner would access a database that may be
      // unreachable.
      if (cut.signal.aborted) await new Promise(() => {})
      beatInBackground()
    }
  }
  const runner = await keepRunner({
    log,
    stopping: stopping.signal,
    async start(events, signal) {
      events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
        poolId = workerPool.id
      })
      const { clock } = order
      // At the first start of all there is no table of graphile-worker yet.
      await forgetFutureSlots(database, clock.now()).catch((error: unknown) => {
        if (!hasSqlState(error, SQLSTATE.undefinedTable)) throw error
      })
      const options = workerOptions(order, (job, payload) => work(job, { ...decodePayload(payload), signal }))
      return run({ ...options, logger: workerLog(log, stopping.signal), events })
    },
    // Without the lock of the new runner, another process would release its jobs.
    onRestart: beatInBackground,
    onEnd: () => owner.end(),
  })
  await beat()
  const endRequests = followJobRequests(order)
  const timer = setInterval(beatInBackground, JOBS_BEAT_MS).unref()
  return {
    ...board,
    isRunning: runner.isRunning,
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      clearInterval(timer)
      const requestsEnded = endRequests()
      // A job that does not stop in time is released, so that another process repeats it. An abandoned job
      // leaves no open transaction. The runner itself would wait for it.
      await withTimeout(JOBS_STOP_MS, runner.stop(), () => new Error('the jobs take too long')).catch(
        async (error) => {
          log.warn({ err: error }, 'jobs were abandoned and will be repeated after the next start')
          cut.abort()
          await owner.giveBack()
        },
      )
      owner.end()
      await requestsEnded
      const closed = database.close()
      // The connections of abandoned jobs are closed with the process.
      if (cut.signal.aborted) closed.catch(() => {})
      else await closed
    },
  }
}

/**
 * Returns a function that returns the milliseconds by which the clock was set since its last call; 0 within the
 * tolerance.
 */
function makeJumpDetector({ now }: Pick<Clock, 'now'>): () => number {
  const offset = () => now() - performance.now()
  let last = offset()
  return () => {
    const jumped = offset() - last
    last += jumped
    return Math.abs(jumped) > JOBS_CLOCK_TOLERANCE_MS ? jumped : 0
  }
}

function workerOptions(
  { database, jobs, atOnce }: JobsOptions,
  work: (job: Job, payload: unknown) => Promise<void>,
) {
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => work(job, payload)]),
  )
  const items = jobs.map(({ name, cron, everyMs, attempts, queue = name }) => ({
    task: name,
    match: cron,
    identifier: name,
    options: {
      backfillPeriod: everyMs,
      maxAttempts: attempts,
      queueName: queue,
      // At most one slot of a job waits: a newer one replaces it and includes its work.
      jobKey: name,
      jobKeyMode: 'replace' as const,
    },
  }))
  return {
    pgPool: database.pool,
    concurrency: atOnce,
    noHandleSignals: true,
    taskList,
    parsedCronItems: parseCronItems(items),
    // Completions are recorded in batches, even batches of one. Otherwise graphile-worker would not await the
    // recording, and an unreachable database at that moment would end the process. With batches it ends the
    // runner, which is restarted.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
}

export interface Slot {
  /** Epoch milliseconds. */
  readonly slot: number
  readonly signal: AbortSignal
  /** The tenant whose request started the job. */
  readonly tenantId?: number | undefined
}

/** Executes a slot of a job and records its result. A failure is rethrown; a stop is not a failure. */
export async function runSlot(
  { database, clock, metrics, log }: Omit<JobsOptions, 'jobs' | 'atOnce'>,
  { name, run: work }: Job,
  { slot, signal }: Slot,
): Promise<void> {
  let outcome: JobOutcome = 'done'
  const partFailed = () => {
    outcome = 'partial'
  }
  try {
    const after = await lastDoneBefore(database, name, slot)
    await work(slot, { after, signal, partFailed })
  } catch (error) {
    if (signal.aborted) throw error
    metrics.jobFailures.inc({ job: name })
    await recordRun(database, { name, slot, outcome: 'failed', finishedAt: clock.now() }).catch((failure) =>
      log.warn({ err: failure, job: name }, 'the failure of a job could not be recorded'),
    )
    throw error
  }
  if (outcome !== 'done') metrics.jobFailures.inc({ job: name })
  await recordRun(database, { name, slot, outcome, finishedAt: clock.now() })
}

/** Executes the work of a request. What fails is left to the next slot of the job. */
async function runRequested(
  { metrics, log }: Pick<JobsOptions, 'metrics' | 'log'>,
  { name, run: work }: Job,
  { slot, signal, tenantId }: Slot,
): Promise<void> {
  const countFailure = () => metrics.jobFailures.inc({ job: name })
  try {
    await work(slot, { after: undefined, signal, partFailed: countFailure, tenantId })
  } catch (error) {
    if (signal.aborted) return
    countFailure()
    log.error({ err: error, job: name, tenantId }, 'a requested job failed: its next slot does the work')
  }
}

/** Returns the instant that a slot or request is for, and the tenant of a request. */
function decodePayload(payload: unknown): Omit<Slot, 'signal'> {
  const { _cron: cron, tenantId } = (payload ?? {}) as { _cron?: { ts?: string }; tenantId?: number }
  const slot = Date.parse(cron?.ts ?? '')
  if (Number.isNaN(slot)) throw new Error('the job does not say which slot it is for')
  return { slot, tenantId }
}

const workerLog = (log: FastifyBaseLogger, stopping: AbortSignal): Logger =>
  new Logger(() => (level, message, meta) => {
    const text = `jobs: ${message}`
    const error: unknown = meta?.['error']
    // A job that ends because the service stops is no fault; its work is repeated after the next start.
    if (stopping.aborted && error === stopping.reason) log.info(text)
    else if (level === 'error') log.error({ err: error }, text)
    else if (level === 'warning') log.warn({ err: error }, text)
    // The level info of graphile-worker reports every start and end of every job.
    else log.debug(text)
  })
