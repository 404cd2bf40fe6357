import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

export const MARKET_CALL_TRIES = 3
export const MARKET_BACKOFF_MS = 2_000
/** A longer Retry-After is not waited for: pulls are left out until then, but no longer than the second of these. */
export const MARKET_RETRY_AFTER_MAX_MS = 60_000
export const MARKET_PAUSE_MAX_MS = DAY_MS
/** A month of hours takes about 100 kB. */
export const MARKET_RESPONSE_BYTES_MAX = 4 * 1024 * 1024
/** A ticket is given up before the platform does: 90 minutes unused, 1 h 45 in all. */
export const MARKET_TICKET_IDLE_MS = 85 * 60_000
export const MARKET_TICKET_LIFE_MS = 100 * 60_000
export const MARKET_TICKETS_MAX = 100
/** The system marginal price of an hour is published about so long after the hour. */
export const MARKET_SMF_DELAY_MS = 4 * HOUR_MS
/** Whole months before the current one that are filled when the pull is first enabled, and kept whole. */
export const MARKET_FILL_MONTHS = 12
/** Days at the end of a range that are given up when the platform has not published them yet. */
export const MARKET_UNPUBLISHED_DAYS_MAX = 3
export const MARKET_SECRET_LENGTH_MAX = 500
/** Seconds that one call of the market platform may take when MARKETOP_TIMEOUT_SECONDS is not set. */
export const MARKET_CALL_TIMEOUT_S = 15
