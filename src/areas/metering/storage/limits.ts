import { DAY_MS } from '../../../kernel/time.ts'

/** Sealed months. How long after its end a month's samples and facts are closed to writing. */
export const SEAL_AFTER_MS = 500 * DAY_MS
/** How long a month that an operator has opened stays open. */
export const UNSEALED_FOR_MS = 7 * DAY_MS
/** How long one run of the daily job goes on taking months. */
export const SEAL_RUN_MAX_MS = 10 * 60_000
/** Copying a month of a large installation. */
export const SEAL_STATEMENT_TIMEOUT_MS = 3_600_000
/** Locks that keep others out are waited for only so long, well below PostgreSQL's deadlock_timeout, and tried again. */
export const SEAL_LOCK_TIMEOUT_MS = 500
export const SEAL_LOCK_PAUSE_MS = 2_000
export const SEAL_LOCK_TRIES = 20
