import { type Static, Type } from 'typebox'
import { EmailIn, Id, Instant, NewPassword } from '../../../platform/http/fields.ts'
import { FullName, RoleIds } from '../users/index.ts'

export const CreateInvitation = Type.Object({ email: EmailIn, role_ids: Type.Optional(RoleIds) })

export const Invitation = Type.Object({
  id: Id,
  email: Type.String({ description: 'Where the link was mailed to.' }),
  role_ids: Type.Array(Id, { description: 'The roles that the new user will have.' }),
  expires_at: { ...Instant, description: 'Until when the link works: 7 days.' },
  created_at: Instant,
})

export const AcceptInvitation = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 4096, description: 'From the newest mail; works once.' }),
  full_name: FullName,
  password: NewPassword,
})

export type CreateInvitation = Static<typeof CreateInvitation>
export type AcceptInvitation = Static<typeof AcceptInvitation>
