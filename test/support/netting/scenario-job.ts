import { schedule } from '../../../src/jobs/schedule.ts'
import type { TestApi } from '../api.ts'
import { perform } from '../jobs/timetable.ts'

/** Performs a slot of a job, as the schedule does. */
async function runJob(api: TestApi, name: string): Promise<void> {
  const job = schedule(api.deps).find((one) => one.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await perform(api, { job, slot: api.clock.now() })
}

/** Computes the scenarios that wait. */
export const runScenarioJob = (api: TestApi): Promise<void> => runJob(api, 'compute-scenarios')

/** Computes the forecasts by hour that wait. */
export const runHourlyForecastJob = (api: TestApi): Promise<void> => runJob(api, 'compute-hourly-forecasts')

/** Computes the sizings that wait. */
export const runSizingJob = (api: TestApi): Promise<void> => runJob(api, 'compute-sizings')
