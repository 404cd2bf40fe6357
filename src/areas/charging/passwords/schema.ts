import { type Static, Type } from 'typebox'
import { Nullable } from '../../../platform/http/fields.ts'
import { Command, ExpiresIn } from '../commands/index.ts'
import { STATION_PASSWORD_MAX, STATION_PASSWORD_MIN } from '../limits.ts'

export const Password = Type.String({
  pattern: `^[!-~]{${STATION_PASSWORD_MIN},${STATION_PASSWORD_MAX}}$`,
  description: `${STATION_PASSWORD_MIN} to ${STATION_PASSWORD_MAX} visible ASCII characters; 32 to 40 hexadecimal digits stand for as many bytes. One is made when absent.`,
})

export const GeneratedPassword = Nullable(
  Type.String({ description: 'The generated password, shown this once; null where the request had one.' }),
)
export const HasPendingPassword = Type.Boolean({
  description: 'A new password is on its way to the station; until then both are good.',
})

export const ChangePassword = Type.Object({
  password: Type.Optional(Password),
  push: Type.Optional(
    Type.Boolean({
      description:
        'Tells the station the new password; the old one is good until it has taken it, and stays if ' +
        'it refuses. Absent: the new one is the only one at once, and the station must be told by ' +
        'hand.',
    }),
  ),
  expires_in_s: Type.Optional(ExpiresIn),
})
export const ChangedPassword = Type.Object({
  password: GeneratedPassword,
  has_pending_password: HasPendingPassword,
  command: Nullable(
    Type.Unsafe<Static<typeof Command>>({ ...Command, description: 'The command that tells the station.' }),
  ),
})
