import { DAY_MS } from '../../kernel/time.ts'

/**
 * Lifetime of an invitation link, ms; a later use is refused with 400. The mail and the API description name
 * 7 days.
 */
export const INVITATION_TTL_MS = 7 * DAY_MS
/** Milliseconds of the window in which wrong passwords are counted. */
export const LOGIN_FAILURES_WINDOW_MS = 15 * 60_000
/** Multiple of RATE_LIMIT_LOGIN_FAILURES that an address as a whole, and an account from everywhere, may fail. */
export const LOGIN_FAILURES_FACTOR = 10
/** Milliseconds for which an address from which an account signed in is known. */
export const LOGIN_KNOWN_MS = 30 * DAY_MS
/** Lifetime of a link that verifies the address of a user, ms; a later use is refused with 400. */
export const EMAIL_VERIFICATION_TTL_MS = DAY_MS
/** Roles that one user or invitation may name; more is refused with 422. */
export const ROLES_PER_USER_MAX = 50
/** Recovery codes that replace a one-time password; a new set replaces the former one. */
export const RECOVERY_CODES = 10
/** Random bytes of a recovery code. */
export const RECOVERY_CODE_BYTES = 10
/** Events about the one-time passwords of a user that are kept; the oldest one is deleted for a new one. */
export const TOTP_EVENTS_KEPT_MAX = 50
/** Personal API keys of one user; one more is refused with 409. */
export const API_KEYS_PER_USER_MAX = 20
/** Machine keys of one tenant; one more is refused with 409. */
export const MACHINE_KEYS_PER_TENANT_MAX = 200
/** Longest validity of an API key, days. */
export const API_KEY_TTL_MAX_DAYS = 400
/** Milliseconds after which an expired API key is deleted when its owner creates another one. */
export const API_KEY_EXPIRED_KEPT_MS = 30 * DAY_MS
/** Milliseconds between two updates of the time at which an API key was last used. */
export const API_KEY_USE_NOTED_MS = 60_000
