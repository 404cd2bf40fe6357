/** Milliseconds that a stop of the whole service may take; then the process ends anyway. */
export const SHUTDOWN_MAX_MS = 10_000
/**
 * Milliseconds that requests in flight have at a stop; then they are cut. The rest of SHUTDOWN_MAX_MS is for
 * the database.
 */
export const DRAIN_MAX_MS = 5_000
/** Milliseconds without a request in flight after which the HTTP side counts as drained. */
export const DRAIN_QUIET_MS = 300
/** Milliseconds that any other part of the service has at a stop; then the stop goes on without it. */
export const CLOSE_MAX_MS = 1_000
/** Ports that are tried one after the other when the default one is taken; then the start fails. */
export const PORT_TRIES_MAX = 100
