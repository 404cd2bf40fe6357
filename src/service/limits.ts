export const SHUTDOWN_MAX_MS = 10_000
/** At the stop: how long requests in flight may take; the rest of SHUTDOWN_MAX_MS belongs to the database. */
export const DRAIN_MAX_MS = 5_000
/** At the stop: nothing has been in flight for so long. */
export const DRAIN_QUIET_MS = 300
/** At the stop: any other part. */
export const CLOSE_MAX_MS = 1_000
export const PORT_TRIES_MAX = 100
