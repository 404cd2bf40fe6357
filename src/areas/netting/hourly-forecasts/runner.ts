import {
  type Computation,
  type ComputationDeps,
  type ComputationKind,
  type ComputationRun,
  computeWaiting,
  REQUESTED_JOBS,
  workInThread,
} from '../shared/index.ts'
import type { ForecastOutcome } from './compute-work.ts'
import { HOURLY_FORECAST_THREAD_HEAP_MB, HOURLY_FORECAST_TIMEOUT_MS } from './limits.ts'
import { HOURLY_FORECAST_TEXTS as TEXTS } from './messages.ts'
import { loadForecast } from './source.ts'
import * as store from './store.ts'

const SCRIPT = { source: new URL('./forecast-thread.ts', import.meta.url), built: 'forecast-thread' }

const KIND: ComputationKind = {
  what: 'forecast by hour',
  job: REQUESTED_JOBS.hourlyForecasts,
  oldestWaiting: store.oldestWaiting,
  isWaiting: async (tenant, id) => (await store.find(tenant, id))?.state === 'waiting',
  begin: store.begin,
  progress: store.progress,
  fail: (tx, attempt, at) => store.fail(tx, attempt, { content: TEXTS.HOURLY_FORECAST_FAILED(), at }),
  compute,
}

/** Computes the waiting forecasts by hour: `shared/computations.ts`. */
export const computeHourlyForecasts = (deps: ComputationDeps, run: ComputationRun): Promise<void> =>
  computeWaiting(deps, KIND, run)

async function compute({ clock }: ComputationDeps, computation: Computation): Promise<void> {
  const { tenant, inTx, attempt, signal, report, assertOwn } = computation
  const forecast = await store.find(tenant, attempt.id)
  if (!forecast) return
  const request = {
    ...{ from: forecast.from_hour.getTime(), hours: forecast.hours },
    // Forecasts of the same request begin where it was made, whenever they are computed.
    ...{ facilityIds: forecast.facility_ids, now: forecast.created_at.getTime() },
  }
  const work = await loadForecast(tenant, request, signal)
  if (work.series.length === 0) {
    const failure = { content: TEXTS.HOURLY_FORECAST_WITHOUT_HOURS(), at: clock.now() }
    assertOwn(await inTx((tx) => store.fail(tx, attempt, failure)))
    return
  }
  const outcome = await workInThread<ForecastOutcome>(work, {
    ...{ script: SCRIPT, what: 'forecast by hour', signal, onProgress: report },
    ...{ heapMb: HOURLY_FORECAST_THREAD_HEAP_MB, timeoutMs: HOURLY_FORECAST_TIMEOUT_MS },
  })
  assertOwn(await inTx((tx) => store.finish(tx, attempt, { outcome, at: clock.now() })))
}
