export const REFRESH_TOKEN_TTL_S = 7 * 24 * 3600
/** PBKDF2-SHA256 rounds, as OWASP advises (2023). */
export const PASSWORD_ITERATIONS = 600_000
/** Half of the thread pool, so that files and name lookups are not starved by sign-ins. */
export const PASSWORD_HASHES_AT_ONCE = 2
export const PASSWORD_HASHES_WAITING_MAX = 100
/** Random bytes of a reset or invitation token. */
export const LINK_TOKEN_BYTES = 32
