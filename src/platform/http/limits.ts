/** Records of a page when the request names no limit. */
export const PAGE_LIMIT_DEFAULT = 50
/** Records of a page; a higher limit is refused with 422. */
export const PAGE_LIMIT_MAX = 200
/** Records of a plain list when the request names no limit. */
export const LIST_LIMIT_DEFAULT = 100
/** Characters of the parameter `search` of a list. */
export const SEARCH_MAX_LENGTH = 100

/** Bytes of a JSON body; 413 beyond it. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024
/** Nesting depth of a JSON body; 422 beyond it. */
export const BODY_DEPTH_MAX = 200
/**
 * Bytes of the free-form JSON of one record (config, extra_metadata, register_map), as lists return many; 422
 * beyond it.
 */
export const FREE_FORM_BYTES_MAX = 256 * 1024

/** Seconds of Retry-After when the database is out of reach. */
export const RETRY_AFTER_OUTAGE_S = 5
/** Seconds of Retry-After when a transaction conflicted with another one. */
export const RETRY_AFTER_CLASH_S = 1

/** Milliseconds in which a request must have arrived whole, 408 beyond it; the response may take longer. */
export const REQUEST_ARRIVAL_MAX_MS = 60_000
/** Milliseconds in which the headers of a request must have arrived; 408 beyond it. */
export const REQUEST_HEADERS_MAX_MS = 20_000
/** Milliseconds that an idle connection stays open; longer than the 60 s of common load balancers. */
export const KEEP_ALIVE_MS = 72_000

/** Milliseconds of one call of Redis; then the process counts by itself. */
export const REDIS_CALL_TIMEOUT_MS = 500
/** Milliseconds between two warnings while Redis does not respond. */
export const REDIS_WARNING_EVERY_MS = 60_000
/** Milliseconds after which an in-flight request counts as ended, in case its process died. */
export const IN_FLIGHT_LEASE_MS = 60_000

/** Characters of an Idempotency-Key; 422 beyond it. */
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
/** Bytes of a response that is kept under an Idempotency-Key; a larger one is not kept. */
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 1024 * 1024

/**
 * Handshakes of sockets that are not decided yet, of any kind; 503 beyond it. As many as the kernel hands over at once
 * by default: each refused handshake is repeated, when a fleet of charging stations reconnects.
 */
export const UPGRADES_PENDING_MAX = 4_096
/** Milliseconds in which a handshake must be decided; 503 beyond it. */
export const UPGRADE_MAX_MS = 10_000
/** Seconds of Retry-After when a handshake could not be decided in time. */
export const UPGRADE_RETRY_AFTER_S = 5
/** Milliseconds that the other side has to confirm the close of a socket; then the connection is cut. */
export const SOCKET_CLOSE_MAX_MS = 1_000
/** Unknown query parameters that the header X-Ignored-Parameters names. */
export const IGNORED_PARAMETERS_SHOWN_MAX = 10
