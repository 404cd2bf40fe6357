import { type Static, Type } from 'typebox'
import { EMAIL_MAX_LENGTH } from '../../../kernel/limits.ts'
import { Id, NewPassword } from '../../../platform/http/fields.ts'
import { UserLanguage, userFields } from '../users/index.ts'

/** Accepts any text: a malformed address gets the same response as an unregistered one. */
const EmailText = Type.String({
  minLength: 1,
  maxLength: EMAIL_MAX_LENGTH,
  description: 'E-mail address, case-insensitive.',
})
const PasswordText = Type.String({ minLength: 1, maxLength: 1024, description: 'The current password.' })
const TokenText = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description })

export const Login = Type.Object({ email: EmailText, password: PasswordText }, { title: 'Login' })
export const LoginResponse = Type.Object(
  {
    access_token: Type.String({ description: 'Token for the Authorization header; valid for 30 minutes.' }),
    refresh_token: Type.String({ description: 'Token for /api/auth/refresh; valid for 7 days.' }),
    token_type: Type.Literal('bearer', { description: 'Scheme of the Authorization header.' }),
  },
  { title: 'LoginResponse' },
)

const MfaChallenge = Type.Object(
  {
    mfa_required: Type.Literal(true, { description: 'The login needs a one-time password.' }),
    mfa_token: Type.String({ description: 'Token for /api/auth/login/totp; valid for 5 minutes.' }),
    expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
  },
  { title: 'MfaChallenge' },
)
export const LoginOutcome = Type.Union([LoginResponse, MfaChallenge])

export const Refresh = Type.Object(
  { refresh_token: TokenText('Refresh token of the login.') },
  { title: 'Refresh' },
)
export const RefreshResponse = Type.Object(
  {
    access_token: Type.String({ description: 'New access token; valid for 30 minutes.' }),
  },
  { title: 'RefreshResponse' },
)

export const Profile = Type.Object(
  {
    ...userFields,
    permissions: Type.Array(Type.String(), { description: 'Permissions granted by the roles of the user.' }),
    tenant: Type.Object({
      id: Id,
      name: Type.String({ description: 'The name of the tenant.' }),
      slug: Type.String({ description: 'Short name of the tenant, unique in the service.' }),
    }),
  },
  { title: 'UserProfile' },
)

export const UpdateProfile = Type.Object({ language: UserLanguage }, { title: 'UpdateUserProfile' })
export type UpdateProfile = Static<typeof UpdateProfile>

export const ChangePassword = Type.Object(
  { current_password: PasswordText, new_password: NewPassword },
  { title: 'ChangePassword' },
)
export const ResetRequest = Type.Object({ email: EmailText }, { title: 'ResetRequest' })
export const ResetConfirm = Type.Object(
  {
    token: TokenText(
      'Token from the most recent mail; can be used once, within 60 minutes unless configured otherwise.',
    ),
    new_password: NewPassword,
  },
  { title: 'ResetConfirm' },
)
export const Message = Type.Object(
  { message: Type.String({ description: 'For people.' }) },
  { title: 'Message' },
)

export type Login = Static<typeof Login>
export type ChangePassword = Static<typeof ChangePassword>
export type ResetConfirm = Static<typeof ResetConfirm>
