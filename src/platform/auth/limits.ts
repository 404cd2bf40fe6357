/** Lifetime of an access token, seconds. */
export const ACCESS_TOKEN_TTL_S = 30 * 60
/** Lifetime of a refresh token, seconds: seven days. */
export const REFRESH_TOKEN_TTL_S = 7 * 24 * 3600
/** Rounds of PBKDF2-SHA256, as OWASP advises (2023). */
export const PASSWORD_ITERATIONS = 600_000
/**
 * Password hashes computed at the same time: half of the thread pool, so that files and name lookups are not
 * starved.
 */
export const PASSWORD_HASHES_AT_ONCE = 2
/** Password hashes that wait; beyond it a sign-in is refused with 429. */
export const PASSWORD_HASHES_WAITING_MAX = 100
/** Random bytes of a reset or invitation token. */
export const LINK_TOKEN_BYTES = 32
