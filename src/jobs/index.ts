import { compressionMetrics } from '../areas/metering/history/index.ts'
import { makeMarketPulls } from '../areas/netting/market/index.ts'
import { type RunningJobs, runJobs } from '../platform/jobs/jobs.ts'
import { NotReady } from '../platform/observability/readiness.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { JOBS_AT_ONCE } from './limits.ts'
import { makePartitionsAhead } from './partitions-ahead.ts'
import { schedule } from './schedule.ts'

export { alarmDeps } from './alarms.ts'

/**
 * Starts the timetable of the role `jobs`, and reports its state in the readiness. A job that lags is only a
 * note: the process keeps serving. The partitions are created first: a service that was down for long may have
 * none for today.
 */
export async function startJobs(deps: Deps): Promise<RunningJobs> {
  const { database, bus, log, clock, metrics, readiness } = deps
  await makePartitionsAhead(database, clock.now())
  compressionMetrics(metrics)
  const market = makeMarketPulls(deps)
  await market.checkAccount()
  const jobs = schedule(deps, market)
  const running = await runJobs({ database, bus, log, clock, metrics, jobs, atOnce: JOBS_AT_ONCE })
  readiness.check('jobs', async () => {
    if (!running.isRunning()) throw new NotReady('the timetable has ended and is being started again')
  })
  readiness.note(running.notes)
  readiness.note(market.statusLines)
  readiness.showJobs(running.views)
  return running
}
