import { type Static, Type } from 'typebox'
import { EmailIn, Id, Instant, NewPassword } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { FullName, RoleIds, UserLanguage, userFields } from '../users/index.ts'

export const CreateInvitation = Type.Object(
  { email: EmailIn, role_ids: Type.Optional(RoleIds), language: UserLanguage },
  { title: 'CreateInvitation' },
)

export const Invitation = Type.Object(
  {
    id: Id,
    email: Type.String({ description: 'Address to which the link was sent.' }),
    role_ids: Type.Array(Id, { description: 'Roles of the new user.' }),
    language: userFields.language,
    expires_at: { ...Instant, description: 'End of the validity of the link, 7 days after the invitation.' },
    created_at: Instant,
  },
  { title: 'Invitation' },
)

export const AcceptInvitation = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Token from the most recent mail; can be used once.',
    }),
    full_name: FullName,
    password: NewPassword,
  },
  { title: 'AcceptInvitation' },
)

export const InvitationQuery = Type.Object({
  ...PageQuery(['created_at', 'email', 'expires_at']),
  search: Search('e-mail address'),
})

export type InvitationQuery = Static<typeof InvitationQuery>
export type CreateInvitation = Static<typeof CreateInvitation>
export type AcceptInvitation = Static<typeof AcceptInvitation>
