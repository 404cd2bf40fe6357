import { JOBS_AT_ONCE } from '../kernel/limits.ts'
import type { Deps } from '../platform/deps.ts'
import { type RunningJobs, runJobs } from '../platform/jobs.ts'
import { makePartitionsAhead } from './partitions-ahead.ts'
import { schedule } from './schedule.ts'

/** Starts the timetable of the role `jobs`. The partitions come first: a service long down may have none for today. */
export async function startJobs(deps: Deps): Promise<RunningJobs> {
  const { database, log, clock } = deps
  await makePartitionsAhead(database, clock.now())
  return runJobs({ database, log, jobs: schedule(deps), atOnce: JOBS_AT_ONCE })
}
