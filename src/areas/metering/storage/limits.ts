import { DAY_MS } from '../../../kernel/time.ts'

/**
 * Age, counted from the end of a month, at which its samples and facts are closed to writing, milliseconds.
 */
export const SEAL_AFTER_MS = 500 * DAY_MS
/**
 * Time for which a month that an operator has opened stays open, milliseconds; then the daily job seals it
 * again.
 */
export const UNSEALED_FOR_MS = 7 * DAY_MS
/**
 * Time after which one run of the daily job starts no further month, milliseconds; the next run continues.
 */
export const SEAL_RUN_MAX_MS = 10 * 60_000
/**
 * Statement timeout while a month is rewritten, milliseconds; long enough for a month of a large
 * installation.
 */
export const SEAL_STATEMENT_TIMEOUT_MS = 3_600_000
/**
 * Longest wait for a lock that blocks others, milliseconds; well below PostgreSQL's deadlock_timeout of one
 * second.
 */
export const SEAL_LOCK_TIMEOUT_MS = 500
/** Pause before a lock is tried again, milliseconds. */
export const SEAL_LOCK_PAUSE_MS = 2_000
/** Attempts to get a lock; after the last one sealing fails, and the next run repeats it. */
export const SEAL_LOCK_TRIES_MAX = 20

/**
 * Time after the deletion of a device for which rows that are stored late are deleted, milliseconds; longer than a
 * message waits for the database.
 */
export const DELETED_DEVICE_KEPT_MS = DAY_MS
/** Deleted devices whose rows one statement deletes. */
export const DELETED_DEVICES_AT_ONCE = 100
