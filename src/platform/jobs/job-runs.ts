import type { Database } from '../db/pool.ts'
import { JOB_RUNS_KEPT, JOBS_CLOCK_TOLERANCE_MS } from './limits.ts'

/** `partial`: parts of the work failed and were left to the next jobs; the slot counts as done. */
export type JobOutcome = 'done' | 'partial' | 'failed'

export interface JobRun {
  readonly name: string
  /** Epoch milliseconds. */
  readonly slot: number
  readonly outcome: JobOutcome
  readonly finishedAt: number
}

/**
 * Records the result of a slot of a job. For each job the last JOB_RUNS_KEPT results and the last successful
 * one are kept.
 */
export async function recordRun({ pool }: Database, run: JobRun): Promise<void> {
  const { name, slot, outcome, finishedAt } = run
  await pool.query(
    `insert into job_run as old (name, slot, finished_at, outcome) values ($1, $2, $3, $4)
     on conflict (name, slot) do update
       set finished_at = excluded.finished_at, outcome = excluded.outcome, attempts = old.attempts + 1`,
    [name, new Date(slot), new Date(finishedAt), outcome],
  )
  await pool.query(
    `delete from job_run where name = $1
       and slot < (select slot from job_run where name = $1 order by slot desc offset $2 limit 1)
       and slot < (select max(slot) from job_run where name = $1 and outcome <> 'failed')`,
    [name, JOB_RUNS_KEPT - 1],
  )
}

/** Returns the last completed slot before another one; undefined when there is none. */
export async function lastDoneBefore(
  { pool }: Database,
  name: string,
  slot: number,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ slot: Date | null }>(
    `select max(slot) as slot from job_run where name = $1 and outcome <> 'failed' and slot < $2`,
    [name, new Date(slot)],
  )
  return rows[0]?.slot?.getTime()
}

/** The state of a job. */
export interface JobState {
  readonly name: string
  /** The last completed slot, and the instant at which it was finished. */
  readonly lastSlot: number | undefined
  readonly lastSuccess: number | undefined
}

/**
 * Returns the state of every job that ever ran. Slots of the future are from a wrong clock, and would hide that a job
 * lags.
 */
export async function readStates({ pool }: Database, now: number): Promise<JobState[]> {
  const { rows } = await pool.query<{ name: string; slot: Date; finished_at: Date }>(
    `select distinct on (name) name, slot, finished_at from job_run
     where outcome <> 'failed' and slot <= $1 order by name, slot desc`,
    [new Date(now + JOBS_CLOCK_TOLERANCE_MS)],
  )
  return rows.map(({ name, slot, finished_at: finished }) => ({
    name,
    lastSlot: slot.getTime(),
    lastSuccess: finished.getTime(),
  }))
}

/**
 * Makes the slots from now on due again when they count as scheduled already, because the clock was ahead and was set
 * back. graphile-worker would schedule nothing until the clock reaches them again.
 */
export async function forgetFutureSlots({ pool }: Database, now: number): Promise<void> {
  await pool.query(
    'update graphile_worker._private_known_crontabs set last_execution = $1 where last_execution > $2',
    [new Date(now), new Date(now + JOBS_CLOCK_TOLERANCE_MS)],
  )
}
