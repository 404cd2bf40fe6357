/** Milliseconds between two checks of the job states and of owners that died. */
export const JOBS_BEAT_MS = 30_000
/** Milliseconds until a runner that ended by itself is started again; doubles with each further end. */
export const JOBS_RESTART_MIN_MS = 1_000
/** Longest delay between two starts of the runner, milliseconds. */
export const JOBS_RESTART_MAX_MS = 30_000
/** Milliseconds that a runner must run until the restart delay is reset. */
export const JOBS_STEADY_MS = 60_000
/** Connections of the runner beyond one for each job that runs: notifications, the owner's lock, the heartbeat. */
export const JOBS_SPARE_CONNECTIONS = 3
/**
 * Milliseconds to open a connection of the runner, which ends when it cannot record a result. Longer than
 * DB_CONNECT_TIMEOUT_MS, as no client waits for a job.
 */
export const JOBS_CONNECT_TIMEOUT_MS = 60_000
/** Recorded runs of each job; older ones are deleted, except the last one that was done. */
export const JOB_RUNS_KEPT = 100
/** Overdue slots of a job above which /readiness names it. */
export const JOB_LAG_SLOTS = 2
/** Milliseconds by which clocks of processes may differ; a slot that is further ahead is from a wrong clock. */
export const JOBS_CLOCK_TOLERANCE_MS = 5 * 60_000
/** Milliseconds from the end of its workers until a runner of the jobs that does not end is replaced. */
export const JOBS_END_MAX_MS = 5_000
/** Attempts of a job that was started by a request: one more after the end of a killed process. */
export const JOB_REQUEST_ATTEMPTS = 2
/** Requests of jobs that a process has not added to their queue yet; further ones are left to the timetable. */
export const JOB_REQUESTS_WAITING_MAX = 1_000
/**
 * Milliseconds between two polls for due work on a distributed database while nothing is known to be due: work whose
 * message was lost waits for that long.
 */
export const DUE_SWEEP_MS = 15_000
/** Milliseconds for which commits that may have made work due are announced together. */
export const DUE_ANNOUNCE_MS = 100
