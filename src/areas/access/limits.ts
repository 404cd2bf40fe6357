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
/** Milliseconds of one call of the OpenID provider of a tenant: discovery, keys, tokens, user information. */
export const OIDC_TIMEOUT_MS = 10_000
/** Bytes of a response of an OpenID provider; a longer one is a failure. */
export const OIDC_RESPONSE_MAX_BYTES = 512 * 1024
/** Seconds by which the clocks of the service and of an OpenID provider may differ. */
export const OIDC_CLOCK_TOLERANCE_S = 60
/** Seconds by which the clock of the service may drift from that of the machine before a discovery is repeated. */
export const OIDC_CLOCK_SKEW_CHANGE_MAX_S = 10
/** Lifetime of a sign-in at an OpenID provider until its callback, ms; a later one is refused. */
export const OIDC_SIGN_IN_TTL_MS = 10 * 60_000
/** Lifetime of the one-time code that a callback returns, ms; a later use is refused with 400. */
export const OIDC_CODE_TTL_MS = 60_000
/** Sign-ins of one tenant that are under way; the oldest one is deleted for a new one. */
export const OIDC_SIGN_INS_MAX = 2000
/** OpenID providers whose discovery document a process keeps. */
export const OIDC_DISCOVERIES_MAX = 1000
/** Milliseconds for which the discovery document of an OpenID provider is kept. */
export const OIDC_DISCOVERY_KEPT_MS = 10 * 60_000
/** Scopes that are requested of an OpenID provider. */
export const OIDC_SCOPES_MAX = 20
/** Domains of e-mail addresses that one OpenID provider may assert. */
export const OIDC_DOMAINS_MAX = 50
/** Characters of the issuer of an OpenID provider. */
export const OIDC_ISSUER_MAX_LENGTH = 500
/** Characters of a client id or a client secret. */
export const OIDC_CREDENTIAL_MAX_LENGTH = 1000
/** Characters of the subject of an OpenID provider; the specification permits 255. */
export const OIDC_SUBJECT_MAX_LENGTH = 255
/** Characters of the address to which a sign-in returns. */
export const OIDC_RETURN_URL_MAX_LENGTH = 2000
/** Users of whom a process remembers that their last write is recorded; beyond, writes are recorded more often. */
export const LAST_WRITES_MAX = 50_000
/** Time of further writes of a user that the record of a write covers, milliseconds. */
export const WRITES_COVERED_MS = 500
/** Users, and API keys, whose rights a process remembers, about 4 kB each; the least recently used one is forgotten. */
export const PRINCIPALS_CACHED_MAX = 5_000
