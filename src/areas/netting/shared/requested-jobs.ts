/** The names of the jobs that a request starts at once (`src/platform/jobs/job-requests.ts`). */
export const REQUESTED_JOBS = {
  bulkCalculations: 'run-bulk-calculations',
  scenarios: 'compute-scenarios',
  sizings: 'compute-sizings',
  hourlyForecasts: 'compute-hourly-forecasts',
  optimisations: 'compute-optimisations',
  history: 'calculate-history',
} as const
