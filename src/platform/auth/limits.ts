/** Lifetime of an access token, seconds. */
export const ACCESS_TOKEN_TTL_S = 30 * 60
/** Lifetime of a refresh token, seconds: seven days. */
export const REFRESH_TOKEN_TTL_S = 7 * 24 * 3600
/** Rounds of PBKDF2-SHA256, as OWASP advises (2023). */
export const PASSWORD_ITERATIONS = 600_000
/** Bytes of a derived key. */
export const KEY_BYTES = 32
/** Password hashes computed at the same time, each in a thread of its own. */
export const PASSWORD_HASHES_AT_ONCE = 2
/** Password hashes that wait; beyond it, the sign-in of the party with the most waiting ones is refused with 429. */
export const PASSWORD_HASHES_WAITING_MAX = 100
/**
 * Password hashes of one tenant or of one address that wait; beyond it, those of its user with the most waiting
 * ones are refused with 429.
 */
export const PASSWORD_HASHES_WAITING_PER_GROUP_MAX = 20
/** Milliseconds that a password hash waits for its turn; beyond it 429. */
export const PASSWORD_HASH_WAIT_MAX_MS = 10_000
/** Seconds of Retry-After when a password hash is refused because too many wait. */
export const PASSWORD_HASH_RETRY_AFTER_S = 5
/**
 * Niceness of the threads that hash passwords, in addition to that of the process, so that the event loop and
 * the database go first. At 5, a hash still gets a quarter of a busy processor.
 */
export const PASSWORD_THREAD_NICENESS = 5
/** Milliseconds without a password after which a hashing thread ends. */
export const HASHING_THREAD_IDLE_MS = 60_000
/** Megabytes of heap of a hashing thread. */
export const HASHING_THREAD_HEAP_MB = 32
/** Threads that may end under one password hash; then it fails. */
export const HASHING_ATTEMPTS_MAX = 3
/** Random bytes of a reset or invitation token. */
export const LINK_TOKEN_BYTES = 32
/** Random bytes of an API key. */
export const API_KEY_BYTES = 32
/** Lifetime of the token between the password and the one-time password of a login, seconds. */
export const MFA_TOKEN_TTL_S = 5 * 60
/** Bytes of the secret of one-time passwords: the length of SHA-1, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20
/** Seconds in which a one-time password is the current one. */
export const TOTP_STEP_S = 30
/** Steps before and after the current one whose one-time passwords are accepted. */
export const TOTP_DRIFT_STEPS = 1
/** Names of tenants and of their keys whose tenant a process remembers; the least recently used one is forgotten. */
export const TENANT_KEYS_CACHED_MAX = 20_000
