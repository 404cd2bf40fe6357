/** Milliseconds of one readiness check; a slower one counts as failed. */
export const READINESS_CHECK_MAX_MS = 2_000
/**
 * Milliseconds between two log lines of a kind that clients can trigger at will; repetitions are counted
 * meanwhile.
 */
export const LOG_REPEAT_MS = 60_000
