import type { FastifyBaseLogger } from 'fastify'
import { Logger, parseCronItems, run, type TaskList } from 'graphile-worker'
import { JOBS_STOP_MS } from '../kernel/limits.ts'
import type { Database } from './db/pool.ts'

/** A job of the timetable: what to do for a slot of time, and when the slots are. */
export interface Job {
  readonly name: string
  /** Five fields, in UTC: Turkey is three hours ahead all year. */
  readonly cron: string
  /** How far back slots are made up for that passed while nothing ran, milliseconds. */
  readonly makeUpMs: number
  /** How often a slot is tried before it is given up; the next slot comes in any case. */
  readonly attempts: number
  /**
   * The period comes from the slot, never from now: a slot made up late does the work of its own time. Long work looks
   * at the signal between its parts: at the stop it throws, and the slot is tried again by whoever runs next.
   */
  run(slot: number, signal: AbortSignal): Promise<unknown>
}

export interface RunningJobs {
  /** Takes no new work, aborts the signal of the running jobs and resolves when they have ended. */
  stop(): Promise<void>
  /** False when the timetable has ended by itself. */
  isRunning(): boolean
}

export interface JobsOrder {
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly jobs: readonly Job[]
  readonly atOnce: number
}

/** Runs a timetable, beside any other process that runs the same: each slot of each job is done once. */
export async function runJobs({ database, log, jobs, atOnce }: JobsOrder): Promise<RunningJobs> {
  const stopping = new AbortController()
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (payload: unknown) => void (await job.run(slotOf(payload), stopping.signal)),
    ]),
  )
  let isRunning = true
  const runner = await run({
    pgPool: database.pool,
    logger: workerLog(log),
    concurrency: atOnce,
    noHandleSignals: true,
    taskList,
    parsedCronItems: parseCronItems(
      jobs.map(({ name, cron, makeUpMs, attempts }) => ({
        task: name,
        match: cron,
        identifier: name,
        // A queue of its own: two slots of one job never run at the same time.
        options: { backfillPeriod: makeUpMs, maxAttempts: attempts, queueName: name },
      })),
    ),
  })
  // What ends the runner by itself is told by its log; a stop is the only end that anyone waits for.
  void runner.promise
    .catch((error: unknown) => log.error({ err: error }, 'the jobs have ended'))
    .finally(() => {
      isRunning = false
    })
  return {
    isRunning: () => isRunning,
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      if (!isRunning) return
      // Whatever does not end in time is given back, to be tried again; a job that is cut leaves no half transaction.
      const late = setTimeout(() => void runner.kill('the stop takes too long'), JOBS_STOP_MS)
      await runner.stop().finally(() => clearTimeout(late))
    },
  }
}

/** The instant that a slot was meant for. */
function slotOf(payload: unknown): number {
  const slot = Date.parse((payload as { _cron?: { ts?: string } } | null)?._cron?.ts ?? '')
  if (Number.isNaN(slot)) throw new Error('the job does not say which slot it is for')
  return slot
}

const workerLog = (log: FastifyBaseLogger): Logger =>
  new Logger(() => (level, message, meta) => {
    const text = `jobs: ${message}`
    const error: unknown = meta?.['error']
    if (level === 'error') log.error({ err: error }, text)
    else if (level === 'warning') log.warn({ err: error }, text)
    // What it calls information is every start and end of every job.
    else log.debug(text)
  })
