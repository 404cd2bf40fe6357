import { byDefault, whole } from '../platform/settings/readers.ts'
import { settingsGroup } from '../platform/settings/settings-group.ts'

/** 0 turns a limit off. */
export interface RateLimits {
  readonly loginPerMinute: number
  /** Wrong passwords of one account from one address, in LOGIN_FAILURES_WINDOW_MS. */
  readonly loginFailures: number
  readonly refreshPerMinute: number
  readonly changePasswordPerMinute: number
  readonly apiPerSecond: number
  readonly apiBurst: number
  /** Calls with one API key, in addition to the limit of the address. */
  readonly apiKeyPerSecond: number
  readonly apiKeyBurst: number
  readonly resetPerEmailHour: number
  readonly resetPerAddressHour: number
  readonly signupPerAddressHour: number
  /** Signups of one mailbox, and mails that verify it. */
  readonly signupPerEmailHour: number
  readonly invitationsPerEmailDay: number
  readonly invitationsPerUserHour: number
  readonly invitationsPerTenantDay: number
  /** Handshakes of charging stations per second. */
  readonly ocppPerSecond: number
  /** Wrong logins of charging stations, in OCPP_FAILURES_WINDOW_MS. */
  readonly ocppFailures: number
}

declare module '../platform/settings/config.ts' {
  interface Config {
    readonly rateLimits: RateLimits
  }
}

const RATE_MAX = 1_000_000
const rate = (perDefault: number) => byDefault(whole(0, RATE_MAX), perDefault)

export const rateSettings = settingsGroup(
  {
    RATE_LIMIT_LOGIN_PER_MINUTE: rate(5),
    RATE_LIMIT_LOGIN_FAILURES: rate(10),
    RATE_LIMIT_REFRESH_PER_MINUTE: rate(5),
    RATE_LIMIT_CHANGE_PASSWORD_PER_MINUTE: rate(5),
    RATE_LIMIT_API_PER_SECOND: rate(30),
    RATE_LIMIT_API_BURST: rate(50),
    RATE_LIMIT_API_KEY_PER_SECOND: rate(30),
    RATE_LIMIT_API_KEY_BURST: rate(50),
    RATE_LIMIT_RESET_PER_EMAIL_HOUR: rate(3),
    RATE_LIMIT_RESET_PER_ADDRESS_HOUR: rate(10),
    RATE_LIMIT_SIGNUP_PER_ADDRESS_HOUR: rate(20),
    RATE_LIMIT_SIGNUP_PER_EMAIL_HOUR: rate(3),
    RATE_LIMIT_INVITATIONS_PER_EMAIL_DAY: rate(5),
    RATE_LIMIT_INVITATIONS_PER_USER_HOUR: rate(50),
    RATE_LIMIT_INVITATIONS_PER_TENANT_DAY: rate(200),
    RATE_LIMIT_OCPP_PER_SECOND: rate(50),
    RATE_LIMIT_OCPP_FAILURES: rate(10),
  },
  {
    toConfig: (values): { readonly rateLimits: RateLimits } => ({
      rateLimits: Object.freeze({
        loginPerMinute: values.RATE_LIMIT_LOGIN_PER_MINUTE,
        loginFailures: values.RATE_LIMIT_LOGIN_FAILURES,
        changePasswordPerMinute: values.RATE_LIMIT_CHANGE_PASSWORD_PER_MINUTE,
        refreshPerMinute: values.RATE_LIMIT_REFRESH_PER_MINUTE,
        apiPerSecond: values.RATE_LIMIT_API_PER_SECOND,
        apiBurst: values.RATE_LIMIT_API_BURST,
        apiKeyPerSecond: values.RATE_LIMIT_API_KEY_PER_SECOND,
        apiKeyBurst: values.RATE_LIMIT_API_KEY_BURST,
        resetPerEmailHour: values.RATE_LIMIT_RESET_PER_EMAIL_HOUR,
        resetPerAddressHour: values.RATE_LIMIT_RESET_PER_ADDRESS_HOUR,
        signupPerAddressHour: values.RATE_LIMIT_SIGNUP_PER_ADDRESS_HOUR,
        signupPerEmailHour: values.RATE_LIMIT_SIGNUP_PER_EMAIL_HOUR,
        invitationsPerEmailDay: values.RATE_LIMIT_INVITATIONS_PER_EMAIL_DAY,
        invitationsPerUserHour: values.RATE_LIMIT_INVITATIONS_PER_USER_HOUR,
        invitationsPerTenantDay: values.RATE_LIMIT_INVITATIONS_PER_TENANT_DAY,
        ocppPerSecond: values.RATE_LIMIT_OCPP_PER_SECOND,
        ocppFailures: values.RATE_LIMIT_OCPP_FAILURES,
      }),
    }),
  },
)
