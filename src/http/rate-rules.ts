import { mailboxKey } from '../kernel/email.ts'
import type { RateRule } from '../platform/http/rate-limit.ts'
import {
  LOGIN_IN_FLIGHT_MAX,
  WEBHOOKS_BURST,
  WEBHOOKS_PER_SECOND,
  ZIGBEE_REDEEM_PER_MINUTE,
} from './limits.ts'
import type { RateLimits } from './rate-settings.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LOGIN = 'POST /api/auth/login'
/** The path of the broker's webhooks: one address sends the requests of a whole fleet. */
const INTERNAL = '/api/internal/'
const REDEEM = 'POST /api/v1/zigbee/claims/redeem'
const SIGNUP_PATH = '/api/auth/signup'
const SIGNUP = `POST ${SIGNUP_PATH}`
const VERIFY = 'POST /api/auth/email-verification/confirm'
const REQUEST_VERIFICATION = 'POST /api/auth/email-verification/request'
const INVITE = 'POST /api/users/invitations'
const RESET = 'POST /api/auth/password-reset/request'

/** The steps of a sign-in at an OpenID provider, each with a count of its own. */
const OIDC_OPERATIONS = [
  ['oidc-start', 'POST /api/auth/oidc/start'],
  ['oidc-callback', 'GET /api/auth/oidc/callback'],
  ['oidc-token', 'POST /api/auth/oidc/token'],
] as const

/** Operations that check the password of the caller; they count together. */
const PASSWORD_OPERATIONS = [
  'POST /api/auth/change-password',
  'POST /api/auth/totp/enrol',
  'POST /api/auth/totp/recovery-codes',
  'POST /api/auth/totp/disable',
]

type Caller = Parameters<NonNullable<RateRule['by']>>[0]
/** A request without a route, such as one whose path ends in a slash, has no principal: it is not counted. */
const principalOf = (request: Caller): Caller['principal'] | undefined => request.principal
const userOf = (request: Caller): string | undefined => principalOf(request)?.id
const tenantOf = (request: Caller): string | undefined => principalOf(request)?.tenantId.toString()

/** E-mail addresses are counted whether or not they are registered, so that a 429 reveals nothing. */
function emailOf(body: unknown): string | undefined {
  const email = (body as { email?: unknown } | null | undefined)?.email
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined
}

/** Mails to one mailbox are counted together, also when their addresses differ. */
function mailboxOf(body: unknown): string | undefined {
  const email = emailOf(body)
  return email === undefined ? undefined : mailboxKey(email)
}

/**
 * Signups are counted by client and mailbox. Invitations are counted by mailbox in all tenants, so that
 * nobody is flooded with them, and by their sender. Links that verify the address of a user count for the
 * tenant too, because a tenant can create users with any address.
 */
const mailRules = (limits: RateLimits): RateRule[] => [
  {
    name: 'signup-address',
    at: SIGNUP,
    kind: 'window',
    window: { limit: limits.signupPerAddressHour, windowMs: HOUR_MS },
  },
  {
    name: 'signup-link',
    at: `${SIGNUP_PATH}/`,
    kind: 'window',
    window: { limit: limits.signupPerAddressHour, windowMs: HOUR_MS },
  },
  {
    name: 'signup-link',
    at: VERIFY,
    kind: 'window',
    window: { limit: limits.signupPerAddressHour, windowMs: HOUR_MS },
  },
  ...[SIGNUP, `${SIGNUP}/resend`].map(
    (at): RateRule => ({
      name: 'signup-email',
      at,
      by: ({ body }) => mailboxOf(body),
      kind: 'window',
      window: { limit: limits.signupPerEmailHour, windowMs: HOUR_MS },
    }),
  ),
  {
    name: 'verification-user',
    at: REQUEST_VERIFICATION,
    by: userOf,
    kind: 'window',
    window: { limit: limits.signupPerEmailHour, windowMs: HOUR_MS },
  },
  {
    name: 'invitation-user',
    at: INVITE,
    by: userOf,
    kind: 'window',
    window: { limit: limits.invitationsPerUserHour, windowMs: HOUR_MS },
  },
  ...[INVITE, REQUEST_VERIFICATION].map(
    (at): RateRule => ({
      name: 'invitation-tenant',
      at,
      by: tenantOf,
      kind: 'window',
      window: { limit: limits.invitationsPerTenantDay, windowMs: DAY_MS },
    }),
  ),
  {
    name: 'invitation-email',
    at: INVITE,
    by: ({ body }) => mailboxOf(body),
    kind: 'window',
    window: { limit: limits.invitationsPerEmailDay, windowMs: DAY_MS },
  },
]

/** Logins and their tokens, by client address. */
const loginRules = (limits: RateLimits): RateRule[] => [
  {
    name: 'login-in-flight',
    at: LOGIN,
    kind: 'inFlight',
    limit: limits.loginPerMinute > 0 ? LOGIN_IN_FLIGHT_MAX : 0,
  },
  { name: 'login', at: LOGIN, kind: 'window', window: { limit: limits.loginPerMinute, windowMs: MINUTE_MS } },
  {
    name: 'refresh',
    at: 'POST /api/auth/refresh',
    kind: 'window',
    window: { limit: limits.refreshPerMinute, windowMs: MINUTE_MS },
  },
  {
    name: 'login-totp',
    at: `${LOGIN}/totp`,
    kind: 'window',
    window: { limit: limits.loginPerMinute, windowMs: MINUTE_MS },
  },
  ...OIDC_OPERATIONS.map(
    ([name, at]): RateRule => ({
      name,
      at,
      kind: 'window',
      window: { limit: limits.loginPerMinute, windowMs: MINUTE_MS },
    }),
  ),
]

/**
 * The limits of the interface. The in-flight rule comes before the window, so that a refused login costs no
 * attempt.
 */
export const rateRules = (limits: RateLimits): RateRule[] => [
  {
    name: 'api',
    at: '/api/',
    except: INTERNAL,
    kind: 'bucket',
    bucket: { perSecond: limits.apiPerSecond, burst: limits.apiBurst },
  },
  {
    name: 'api-key',
    at: '/api/',
    except: INTERNAL,
    // Public routes have no principal.
    by: ({ principal }) => (principal as typeof principal | undefined)?.apiKeyId,
    kind: 'bucket',
    bucket: { perSecond: limits.apiKeyPerSecond, burst: limits.apiKeyBurst },
  },
  {
    name: 'internal',
    at: INTERNAL,
    kind: 'bucket',
    bucket: { perSecond: limits.apiPerSecond > 0 ? WEBHOOKS_PER_SECOND : 0, burst: WEBHOOKS_BURST },
  },
  ...loginRules(limits),
  ...PASSWORD_OPERATIONS.map(
    (at): RateRule => ({
      name: 'change-password',
      at,
      by: userOf,
      kind: 'window',
      window: { limit: limits.changePasswordPerMinute, windowMs: MINUTE_MS },
    }),
  ),
  {
    name: 'zigbee-redeem',
    at: REDEEM,
    kind: 'window',
    window: { limit: limits.apiPerSecond > 0 ? ZIGBEE_REDEEM_PER_MINUTE : 0, windowMs: MINUTE_MS },
  },
  {
    name: 'reset-address',
    at: RESET,
    kind: 'window',
    window: { limit: limits.resetPerAddressHour, windowMs: HOUR_MS },
  },
  {
    name: 'reset-email',
    at: RESET,
    by: ({ body }) => emailOf(body),
    kind: 'window',
    window: { limit: limits.resetPerEmailHour, windowMs: HOUR_MS },
  },
  ...mailRules(limits),
]
