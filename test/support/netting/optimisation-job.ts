import { schedule } from '../../../src/jobs/schedule.ts'
import type { TestApi } from '../api.ts'
import { perform } from '../jobs/timetable.ts'

/** Computes the optimisations that wait, as the schedule does. */
export async function runOptimisationJob(api: TestApi): Promise<void> {
  const job = schedule(api.deps).find(({ name }) => name === 'compute-optimisations')
  if (!job) throw new Error('there is no job compute-optimisations')
  await perform(api, { job, slot: api.clock.now() })
}
