/**
 * Milliseconds to open a database connection, or to wait for a free one of the pool; then the work fails as
 * unreachable.
 */
export const DB_CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds of one statement, and of a transaction that is idle; then the database cancels it. */
export const DB_STATEMENT_TIMEOUT_MS = 120_000
