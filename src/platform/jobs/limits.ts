/** Milliseconds between two checks of the job states and of owners that died. */
export const JOBS_BEAT_MS = 30_000
/** Milliseconds until a runner that ended by itself is started again. */
export const JOBS_RESTART_MS = 10_000
/** Recorded runs of each job; older ones are deleted, except the last one that was done. */
export const JOB_RUNS_KEPT = 100
/** Overdue slots of a job above which /readiness names it. */
export const JOB_LAG_SLOTS = 2
