/** Milliseconds of one readiness check; a slower one counts as failed. A busy machine has taken 3 s. */
export const READINESS_CHECK_MAX_MS = 5_000
/**
 * Milliseconds between two log lines of a kind that clients can trigger at will; repetitions are counted
 * meanwhile.
 */
export const LOG_REPEAT_MS = 60_000
