import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/**
 * Attempts of one call to the platform, the first included. After the last one the slot ends as `partial`.
 */
export const MARKET_CALL_TRIES = 3
/** Wait before the second attempt, in milliseconds. Each further wait is three times as long. */
export const MARKET_BACKOFF_MS = 2_000
/**
 * Longest Retry-After that a pull waits for, in milliseconds. A longer one pauses the pulls until that time.
 */
export const MARKET_RETRY_AFTER_MAX_MS = 60_000
/**
 * Longest pause after a Retry-After, in milliseconds, so that a wrong header does not stop the pulls for
 * ever.
 */
export const MARKET_PAUSE_MAX_MS = DAY_MS
/**
 * Size of one response of the platform, in bytes; a month of hours takes about 100 kB. A larger response
 * fails the call.
 */
export const MARKET_RESPONSE_BYTES_MAX = 4 * 1024 * 1024
/**
 * Time after the last use at which a ticket is dropped, in milliseconds. The platform drops it after 90
 * minutes.
 */
export const MARKET_TICKET_IDLE_MS = 85 * 60_000
/** Age at which a ticket is dropped, in milliseconds. The platform drops it after 1 h 45. */
export const MARKET_TICKET_LIFE_MS = 100 * 60_000
/** Tickets in the cache of one process. Beyond it the cache is cleared. */
export const MARKET_TICKETS_MAX = 100
/** Time after an hour at which its system marginal price is expected to be published, in milliseconds. */
export const MARKET_SMF_DELAY_MS = 4 * HOUR_MS
/**
 * Whole months before the current one that the backfill keeps complete. Older months are fetched only by
 * hand.
 */
export const MARKET_FILL_MONTHS = 12
/**
 * Days at the end of a range that one pull omits when the platform has not published them. Then the pull
 * gives up.
 */
export const MARKET_UNPUBLISHED_DAYS_MAX = 3
/** Characters of a password or subscription key. A longer one is refused with 422. */
export const MARKET_SECRET_LENGTH_MAX = 500
/** Seconds that one call of the market platform may take when MARKETOP_TIMEOUT_SECONDS is not set. */
export const MARKET_CALL_TIMEOUT_S = 15
