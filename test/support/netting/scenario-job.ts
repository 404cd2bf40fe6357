import { schedule } from '../../../src/jobs/schedule.ts'
import type { TestApi } from '../api.ts'
import { perform } from '../jobs/timetable.ts'

/** Computes the scenarios that wait, as the schedule does. */
export async function runScenarioJob(api: TestApi): Promise<void> {
  const job = schedule(api.deps).find(({ name }) => name === 'compute-scenarios')
  if (!job) throw new Error('there is no job compute-scenarios')
  await perform(api, { job, slot: api.clock.now() })
}
