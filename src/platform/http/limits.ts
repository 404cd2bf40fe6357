export const PAGE_LIMIT_DEFAULT = 50
export const PAGE_LIMIT_MAX = 200
export const LIST_LIMIT_DEFAULT = 100

export const BODY_BYTES_MAX = 8 * 1024 * 1024
/** Free-form JSON of one record (config, extra_metadata, register_map), and the keys of extra_metadata. */
export const FREE_FORM_BYTES_MAX = 256 * 1024
/** What a client is told to wait when the database is out of reach. */
export const RETRY_AFTER_OUTAGE_S = 5
/** And when two transactions wanted the same rows in opposite order. */
export const RETRY_AFTER_CLASH_S = 1

/** The HTTP server. A request must have arrived whole within the first; answering it may take longer. */
export const REQUEST_ARRIVAL_MAX_MS = 60_000
export const REQUEST_HEADERS_MAX_MS = 20_000
export const KEEP_ALIVE_MS = 72_000
export const REDIS_CALL_TIMEOUT_MS = 500
/** One warning in so many while Redis is away. */
export const REDIS_WARNING_EVERY_MS = 60_000
/**
 * Milliseconds after which one of at most `limit` concurrent requests counts as ended, in case its process
 * died.
 */
export const IN_FLIGHT_LEASE_MS = 60_000

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
/** A larger answer is not kept. */
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 1024 * 1024

/** Sockets of any kind. Handshakes that are not decided yet; beyond that the answer is 503. */
export const UPGRADES_PENDING_MAX = 1_000
export const UPGRADE_MAX_MS = 10_000
/** How long the other side may take to answer a close. */
export const SOCKET_CLOSE_MAX_MS = 1_000
