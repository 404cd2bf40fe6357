import { DAY_MS } from './time.ts'

export * from './alarm-limits.ts'
export * from './export-limits.ts'
export * from './field-limits.ts'
export * from './live-limits.ts'
export * from './market-limits.ts'
export * from './measurement-limits.ts'
export * from './netting-limits.ts'

/** The numbers of the interface's section Limits and of the house rule "put a limit on everything", named once. */
export const ACCESS_TOKEN_TTL_S = 30 * 60
export const REFRESH_TOKEN_TTL_S = 7 * 24 * 3600
export const INVITATION_TTL_MS = 7 * DAY_MS
export const SECRET_KEY_MIN_LENGTH = 32
export const PASSWORD_MIN_LENGTH = 12
export const PASSWORD_MAX_LENGTH = 128
export const LOGIN_IN_FLIGHT_MAX = 3
/** PBKDF2-SHA256 rounds, as OWASP advises (2023). */
export const PASSWORD_ITERATIONS = 600_000
/** Half of the thread pool, so that files and name lookups are not starved by sign-ins. */
export const PASSWORD_HASHES_AT_ONCE = 2
export const PASSWORD_HASHES_WAITING_MAX = 100
/** Random bytes of a reset or invitation token. */
export const LINK_TOKEN_BYTES = 32
export const EMAIL_MAX_LENGTH = 254
export const ROLES_PER_USER_MAX = 50
export const SLUG_MAX_LENGTH = 63
/** Background work of requests (mails, last_login_at): at once, and waiting. */
export const BACKGROUND_AT_ONCE = 4
export const BACKGROUND_WAITING_MAX = 1000

export const PAGE_LIMIT_DEFAULT = 50
export const PAGE_LIMIT_MAX = 200
export const LIST_LIMIT_DEFAULT = 100
export const LIST_LIMIT_MAX = 500
export const HOURLY_LIST_LIMIT_MAX = 2000

export const BODY_BYTES_MAX = 8 * 1024 * 1024
/** Free-form JSON of one record (config, extra_metadata, register_map), and the keys of extra_metadata. */
export const FREE_FORM_BYTES_MAX = 256 * 1024
export const METADATA_KEYS_MAX = 200
export const SAMPLES_PER_REQUEST_MAX = 10_000
export const SAMPLE_METRICS_MAX = 64
export const SAMPLE_FUTURE_MAX_MS = 5 * 60_000
/** Samples before this instant carry a clock that was never set (1970, 2000). */
export const SAMPLE_EPOCH_FLOOR_MS = Date.UTC(2010, 0, 1)

export const SHUTDOWN_MAX_MS = 10_000
export const DB_CONNECT_TIMEOUT_MS = 10_000
/** What a client is told to wait when the database is out of reach. */
export const RETRY_AFTER_OUTAGE_S = 5
/** And when two transactions wanted the same rows in opposite order. */
export const RETRY_AFTER_CLASH_S = 1
export const DB_STATEMENT_TIMEOUT_MS = 120_000
export const OUTGOING_CALL_TIMEOUT_MS = 15_000

/** The embedded PostgreSQL. Start includes crash recovery, which replays up to 2 GB of log. */
export const EMBEDDED_START_MAX_MS = 300_000
export const EMBEDDED_STOP_MAX_MS = 6_000
export const EMBEDDED_STOP_KILL_MS = 1_500
/** Until a server that ended by itself is started once more: at once, then ever later; a steady one begins anew. */
export const EMBEDDED_AGAIN_MIN_MS = 500
export const EMBEDDED_AGAIN_MAX_MS = 30_000
export const EMBEDDED_STEADY_MS = 60_000
export const EMBEDDED_ORPHAN_STOP_MAX_MS = 30_000
export const EMBEDDED_ZOMBIE_MAX_MS = 10_000
export const EMBEDDED_TOOL_MAX_MS = 120_000
export const EMBEDDED_POLL_MS = 20
export const EMBEDDED_PROBE_MAX_MS = 1_000
export const EMBEDDED_HEARTBEAT_MS = 1_000
/** Longer than three heartbeats, so that a busy owner is not taken for dead. */
export const EMBEDDED_HEARTBEAT_WATCH_MS = 4_000
export const EMBEDDED_LOG_BYTES_MAX = 4 * 1024 * 1024
export const EMBEDDED_LOG_CHECK_MS = 30_000
/** sun_path without its closing zero: 108 bytes on Linux, 104 on macOS. */
export const UNIX_SOCKET_PATH_BYTES_MAX = 103

/** The HTTP server. A request must have arrived whole within the first; answering it may take longer. */
export const REQUEST_ARRIVAL_MAX_MS = 60_000
/** On routes that take large files. */
export const REQUEST_ARRIVAL_LONG_MAX_MS = 10 * 60_000
export const REQUEST_HEADERS_MAX_MS = 20_000
export const KEEP_ALIVE_MS = 72_000
/** At the stop: how long requests in flight may take; the rest of SHUTDOWN_MAX_MS belongs to the database. */
export const DRAIN_MAX_MS = 5_000
/** At the stop: nothing has been in flight for so long. */
export const DRAIN_QUIET_MS = 300
/** At the stop: any other part. */
export const CLOSE_MAX_MS = 1_000
export const READINESS_CHECK_MAX_MS = 2_000
export const PORT_TRIES_MAX = 100

/** Client addresses whose recent calls are remembered; beyond that the least recently seen is forgotten. */
export const RATE_KEYS_MAX = 50_000
export const REDIS_CALL_TIMEOUT_MS = 500
/** One warning in so many while Redis is away. */
export const REDIS_WARNING_EVERY_MS = 60_000
export const LOGIN_LEASE_MS = 60_000

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
/** A larger answer is not kept. */
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 1024 * 1024
/** A claim without an outcome this old belongs to a process that died. */
export const IDEMPOTENCY_CLAIM_MAX_MS = 10 * 60_000
export const IDEMPOTENCY_PURGE_ROWS = 100

export const OUTBOX_MAILS_MAX = 1_000

/** A thing that others can make happen at will is logged at once, and then at most so often. */
export const LOG_REPEAT_MS = 60_000
