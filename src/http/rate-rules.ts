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
const LOGIN = 'POST /api/auth/login'
/** The path of the broker's webhooks: one address sends the requests of a whole fleet. */
const INTERNAL = '/api/internal/'
const REDEEM = 'POST /api/v1/zigbee/claims/redeem'
const RESET = 'POST /api/auth/password-reset/request'

/** E-mail addresses are counted whether or not they are registered, so that a 429 reveals nothing. */
function emailOf(body: unknown): string | undefined {
  const email = (body as { email?: unknown } | null | undefined)?.email
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined
}

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
    name: 'internal',
    at: INTERNAL,
    kind: 'bucket',
    bucket: { perSecond: limits.apiPerSecond > 0 ? WEBHOOKS_PER_SECOND : 0, burst: WEBHOOKS_BURST },
  },
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
]
