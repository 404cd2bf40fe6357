import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Word } from '../../../../platform/http/fields.ts'

const Password = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'The current password. Only users without a password, who sign in by OpenID, may omit it.',
  }),
)
const Code = Type.String({
  minLength: 6,
  maxLength: 64,
  description: 'Code of the authenticator app (6 digits) or a recovery code.',
})

export const LoginTotp = Type.Object(
  {
    mfa_token: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Token of the first step; valid for 5 minutes.',
    }),
    code: Code,
  },
  { title: 'LoginTotp' },
)

const status = {
  enabled: Type.Boolean({ description: 'Whether a login needs a one-time password.' }),
  enabled_at: Nullable({ ...Instant, description: 'Time of the confirmation.' }),
  recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used.' }),
}
export const OwnTotp = Type.Object(
  {
    ...status,
    required: Type.Boolean({ description: 'Whether the tenant requires one-time passwords of its users.' }),
  },
  { title: 'OwnTotp' },
)

export const TOTP_EVENTS = [
  'enabled',
  'disabled',
  'reset',
  'recovery_code_used',
  'recovery_codes_replaced',
] as const

const TotpEvent = Type.Object({
  event: { ...Word(TOTP_EVENTS), description: 'What happened.' },
  actor_id: Nullable({
    ...Id,
    description: 'The user who did it; null: the operator, on the command line.',
  }),
  created_at: Instant,
})
export const UserTotp = Type.Object(
  { ...status, events: Type.Array(TotpEvent, { description: 'The last 50 events, newest first.' }) },
  { title: 'UserTotp' },
)

export const EnrolTotp = Type.Object({ password: Password }, { title: 'EnrolTotp' })
export const TotpEnrolment = Type.Object(
  {
    secret: Type.String({ description: 'Secret for the authenticator app, base 32.' }),
    otpauth_uri: Type.String({ description: 'The same as a URI, for a QR code.' }),
  },
  { title: 'TotpEnrolment' },
)
export const ConfirmTotp = Type.Object(
  { code: Type.String({ minLength: 6, maxLength: 6, description: 'Code of the authenticator app.' }) },
  { title: 'ConfirmTotp' },
)
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Codes that replace a one-time password, each once. They are not shown again.',
    }),
  },
  { title: 'RecoveryCodes' },
)
export const ProveTotp = Type.Object({ password: Password, code: Code }, { title: 'ProveTotp' })

export const SignInPolicy = Type.Object(
  {
    require_totp: Type.Boolean({
      description: 'Users without one-time passwords can only set them up (403 TOTP_REQUIRED).',
    }),
  },
  { title: 'SignInPolicy' },
)

export type EnrolTotp = Static<typeof EnrolTotp>
export type LoginTotp = Static<typeof LoginTotp>
export type ProveTotp = Static<typeof ProveTotp>
export type TotpEventName = (typeof TOTP_EVENTS)[number]
