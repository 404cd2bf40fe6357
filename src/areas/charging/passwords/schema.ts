import { type Static, Type } from 'typebox'
import { Nullable } from '../../../platform/http/fields.ts'
import { Command, ExpiresIn } from '../commands/index.ts'
import { STATION_PASSWORD_MAX, STATION_PASSWORD_MIN } from '../limits.ts'

export const Password = Type.String({
  pattern: `^[!-~]{${STATION_PASSWORD_MIN},${STATION_PASSWORD_MAX}}$`,
  description: `${STATION_PASSWORD_MIN} to ${STATION_PASSWORD_MAX} visible ASCII characters; 32 to 40 hexadecimal digits represent bytes. Generated if absent.`,
})

export const GeneratedPassword = Nullable(
  Type.String({
    description:
      'Generated password, returned only in this response; null if the request contained a password.',
  }),
)
export const HasPendingPassword = Type.Boolean({
  description:
    'Whether a new password is being sent to the station; until it is set, both passwords are accepted.',
})

export const ChangePassword = Type.Object(
  {
    password: Type.Optional(Password),
    push: Type.Optional(
      Type.Boolean({
        description:
          'true: send the new password to the station; the old password stays valid until the station has ' +
          'accepted the new one, and remains if it rejects it. Absent: only the new password is valid ' +
          'immediately, and the station must be configured manually.',
      }),
    ),
    expires_in_s: Type.Optional(ExpiresIn),
  },
  { title: 'ChangeChargerPassword' },
)
export const ChangedPassword = Type.Object(
  {
    password: GeneratedPassword,
    has_pending_password: HasPendingPassword,
    command: Nullable(
      Type.Unsafe<Static<typeof Command>>({
        ...Command,
        description: 'Command that sends the password to the station.',
      }),
    ),
  },
  { title: 'ChangedChargerPassword' },
)
