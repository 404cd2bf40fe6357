/** How often a process looks how the jobs stand, and whether one that held a job has died. */
export const JOBS_BEAT_MS = 30_000
export const JOBS_RESTART_MS = 10_000
export const JOB_RUNS_KEPT = 100
/** /readiness names a job of which more slots than this are overdue. */
export const JOB_LAG_SLOTS = 2
