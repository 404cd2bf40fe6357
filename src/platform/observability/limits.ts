export const READINESS_CHECK_MAX_MS = 2_000

/** A thing that others can make happen at will is logged at once, and then at most so often. */
export const LOG_REPEAT_MS = 60_000
