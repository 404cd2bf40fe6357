import {
  computeHourlyForecasts,
  computeOptimisations,
  computeScenarios,
  computeSizings,
  continueCalculations,
  REQUESTED_JOBS,
} from '../areas/netting/index.ts'
import { DAY_MS, HOUR_MS } from '../kernel/time.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { backfillHours, buildHours, rebuildFacts } from './build-hours.ts'
import { calculateCorrected, calculatePeriods, calculatePreliminary } from './calculate-netting.ts'
import { checkStaleResults } from './check-stale-results.ts'
import { closeMonths } from './close-month.ts'
import { evaluateGroups, scanForMissingTariffs } from './evaluate-groups.ts'
import { clearInvoiceChecks, remindOfObjections } from './invoice-objections.ts'
import { runBulkCalculations } from './run-bulk-calculations.ts'

const MINUTE_MS = 60_000

/**
 * The queue of netting: facts are built before the results that depend on them, one job at a time in the
 * order of the slots.
 */
const NETTING = 'netting'

/** Facts, calculations and the close of a month, at their times. */
const timedJobs = (deps: Deps): readonly Job[] => [
  {
    name: 'build-hourly-energy',
    cron: '10 * * * *', // at minute 10, the hour before
    everyMs: HOUR_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => buildHours(deps, slot, circumstances),
  },
  {
    name: 'calculate-preliminary',
    cron: '15 * * * *', // at minute 15, the hour before
    everyMs: HOUR_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => calculatePreliminary(deps, slot, circumstances),
  },
  {
    name: 'calculate-corrected',
    cron: '45 * * * *', // at minute 45, the hour before
    everyMs: HOUR_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => calculateCorrected(deps, slot, circumstances),
  },
  {
    name: 'evaluate-groups',
    cron: '0 */6 * * *', // 03:00, 09:00, 15:00 and 21:00
    everyMs: 6 * HOUR_MS,
    attempts: 5,
    run: (slot, circumstances) => evaluateGroups(deps, slot, circumstances),
  },
  {
    name: 'close-month',
    cron: '30 22 * * *', // 01:30: on the first of a month; on other days only what could not be closed then
    everyMs: DAY_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => closeMonths(deps, slot, circumstances),
  },
  {
    name: 'backfill-hourly-energy',
    cron: '30 23 * * *', // 02:30
    everyMs: DAY_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => backfillHours(deps, slot, circumstances),
  },
  {
    name: 'calculate-periods',
    cron: '10 0 * * *', // 03:10
    everyMs: DAY_MS,
    attempts: 5,
    queue: NETTING,
    run: (slot, circumstances) => calculatePeriods(deps, slot, circumstances),
  },
  {
    name: 'scan-missing-tariffs',
    cron: '0 4 * * *', // 07:00
    everyMs: DAY_MS,
    attempts: 5,
    run: (slot, circumstances) => scanForMissingTariffs(deps, slot, circumstances),
  },
  {
    name: 'remind-of-objections',
    cron: '5 5 * * *', // 08:05
    everyMs: DAY_MS,
    attempts: 5,
    run: (slot, circumstances) => remindOfObjections(deps, slot, circumstances),
  },
  {
    name: 'clear-invoice-checks',
    cron: '35 1 * * *', // 04:35
    everyMs: DAY_MS,
    attempts: 5,
    run: (_slot, circumstances) => clearInvoiceChecks(deps, circumstances),
  },
]

/** Work that requests and changes have left behind. */
const queuedJobs = (deps: Deps): readonly Job[] => [
  {
    name: 'rebuild-facts',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, circumstances) => rebuildFacts(deps, circumstances),
  },
  {
    name: 'check-stale-results',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, circumstances) => checkStaleResults(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.bulkCalculations,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => runBulkCalculations(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.scenarios,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => computeScenarios(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.sizings,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => computeSizings(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.hourlyForecasts,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => computeHourlyForecasts(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.optimisations,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => computeOptimisations(deps, circumstances),
  },
  {
    name: REQUESTED_JOBS.history,
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    startsOnRequest: true,
    run: (_slot, circumstances) => continueCalculations(deps, circumstances),
  },
]

export const nettingJobs = (deps: Deps): readonly Job[] => [...timedJobs(deps), ...queuedJobs(deps)]
