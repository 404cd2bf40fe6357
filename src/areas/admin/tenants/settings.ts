import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'
import { byDefault, email, flag, optional, word } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    readonly adminEmail: string | undefined
    readonly adminPassword: string | undefined
    readonly tenantSignupEnabled: boolean
    /** Undefined: `required` when SMTP_URL is set. */
    readonly signupVerification: 'required' | 'off' | undefined
  }
}

/** The password policy of the API, checked here so that a wrong password stops the start and not the first login. */
const password = optional<string>((raw) =>
  raw.length >= PASSWORD_MIN_LENGTH &&
  raw.length <= PASSWORD_MAX_LENGTH &&
  /\p{L}/u.test(raw) &&
  /\p{Nd}/u.test(raw)
    ? { value: raw }
    : {
        allowed: `allowed are ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters with a letter and a digit`,
      },
)

/** The first admin, and whether anybody may create a tenant. */
export const tenantSettings = settingsGroup(
  {
    NETSAAT_ADMIN_EMAIL: email,
    NETSAAT_ADMIN_PASSWORD: password,
    TENANT_SIGNUP_ENABLED: byDefault(flag, false),
    SIGNUP_VERIFICATION: word(['required', 'off']),
  },
  {
    secrets: ['NETSAAT_ADMIN_PASSWORD'],
    check: ({ NETSAAT_ADMIN_EMAIL, NETSAAT_ADMIN_PASSWORD }) =>
      (NETSAAT_ADMIN_EMAIL === undefined) === (NETSAAT_ADMIN_PASSWORD === undefined)
        ? []
        : [
            'NETSAAT_ADMIN_EMAIL and NETSAAT_ADMIN_PASSWORD: only one is given; give both, or neither to ' +
              'have them generated',
          ],
    toConfig: (values) => ({
      adminEmail: values.NETSAAT_ADMIN_EMAIL,
      adminPassword: values.NETSAAT_ADMIN_PASSWORD,
      tenantSignupEnabled: values.TENANT_SIGNUP_ENABLED,
      signupVerification: values.SIGNUP_VERIFICATION as 'required' | 'off' | undefined,
    }),
  },
)
