import { HOUR_MS } from '../../kernel/time.ts'

/**
 * Milliseconds after which a claim without an outcome is given to the next request, although its process has not been
 * seen to end.
 */
export const IDEMPOTENCY_CLAIM_MAX_MS = 10 * 60_000
/**
 * How often a request asks whether the process that holds its key has ended, because the database notices that after a
 * moment.
 */
export const IDEMPOTENCY_OWNER_CHECKS = 4
/** Milliseconds between two of these questions. */
export const IDEMPOTENCY_OWNER_CHECK_MS = 150
/** Expired keys that one request deletes, so that cleaning up never delays a request noticeably. */
export const IDEMPOTENCY_PURGE_ROWS = 100
/** Milliseconds that the response of an Idempotency-Key is kept; then the key is free again. */
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS

/** The greatest setting of how far a replica may be behind, seconds. */
export const READ_LAG_MAX_S = 3_600

/**
 * Milliseconds to open a database connection, or to wait for a free one of the pool; then the work fails as
 * unreachable.
 */
export const DB_CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds of one statement, and of a transaction that is idle; then the database cancels it. */
export const DB_STATEMENT_TIMEOUT_MS = 120_000
/**
 * Seconds after which a connection of a pool is replaced. A distributed database needs it, where new statistics of the
 * shards do not renew the plans that a connection keeps.
 */
export const DB_CONNECTION_LIFETIME_S = 1_800
/** Connections of a process as the role that owns the tables. */
export const OWNER_CONNECTIONS = 3
/** Read replicas of the settings. */
export const REPLICAS_MAX = 8
/** How often the replicas are compared with the primary, milliseconds. */
export const REPLICA_CHECK_MS = 500
/** Milliseconds to open a connection to a replica or to wait for a free one; then the primary executes the read. */
export const REPLICA_CONNECT_TIMEOUT_MS = 2_000
/** Positions of the primary that are kept; a replica that is behind all of them is late. */
export const REPLICA_POSITIONS_MAX = 7_200
/** Statements of lists that each connection of a process prepares; further ones are planned each time. */
export const PREPARED_STATEMENTS_MAX = 100
