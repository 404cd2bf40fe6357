/**
 * Milliseconds that a stop of the whole service may take after the notice (DRAIN_SECONDS); then the process ends
 * anyway. Below the 30 s after which
 * Kubernetes kills a process.
 */
export const SHUTDOWN_MAX_MS = 25_000
/**
 * Milliseconds that requests in flight have at a stop; then they are cut. Enough for a full queue of
 * password checks on a slow machine; the rest of SHUTDOWN_MAX_MS is for the database.
 */
export const DRAIN_MAX_MS = 15_000
/**
 * Milliseconds without a request in flight after which the HTTP side counts as drained, while clients keep connections
 * open. A client that has just received a response sends its next request on the same connection within this time.
 */
export const DRAIN_QUIET_MS = 1_000
/** Milliseconds that any other part of the service has at a stop; then the stop goes on without it. */
export const CLOSE_MAX_MS = 2_000
/** Ports that are tried one after the other when the default one is taken; then the start fails. */
export const PORT_TRIES_MAX = 100
/** Milliseconds between two checks whether the service is ready, until it is reported as ready. */
export const READY_POLL_MS = 500
/** Bytes of an event that another process relays; a larger one is ignored. */
export const RELAYED_EVENT_BYTES_MAX = 1_000
