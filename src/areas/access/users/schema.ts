import { type Static, Type } from 'typebox'
import { EMAIL_MAX_LENGTH } from '../../../kernel/limits.ts'
import { LANGUAGES } from '../../../kernel/messages.ts'
import {
  DisplayName,
  EmailIn,
  Id,
  Instant,
  NewPassword,
  Nullable,
  OneOf,
} from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { ROLES_PER_USER_MAX } from '../limits.ts'

export const FullName = DisplayName('Name and surname.')
const roleIds = (description: string) => Type.Array(Id, { maxItems: ROLES_PER_USER_MAX, description })
const ROLE_IDS = 'Roles of the tenant. Only roles whose permissions the caller holds can be assigned (403).'
export const RoleIds = roleIds(ROLE_IDS)

/** Language of mails and of the user; null: mails in Turkish and English. */
export const UserLanguage = Type.Optional(
  Nullable({
    ...OneOf(LANGUAGES),
    description: 'Language of mails to the user. null (default): Turkish and English in one mail.',
  }),
)

export const userFields = {
  id: Id,
  tenant_id: { ...Id, description: 'The tenant that the user belongs to.' },
  email: Type.String({ description: 'E-mail address in lower case.' }),
  full_name: Nullable(Type.String({ description: 'Name and surname.' })),
  role_ids: Type.Array(Id, { description: 'The roles of the user.' }),
  is_active: Type.Boolean({ description: 'Only active users can sign in or use a token.' }),
  is_superuser: Type.Boolean({
    description: 'Whether the user may change national data and create tenants.',
  }),
  is_email_verified: Type.Boolean({
    description:
      'Whether the user has opened a link that was sent to the address, or an operator has entered it. ' +
      'Without it the user cannot send invitations and receives no mails about alarms.',
  }),
  language: Nullable({
    ...OneOf(LANGUAGES),
    description: 'Language of mails to the user. null: Turkish and English in one mail.',
  }),
  created_at: Instant,
  last_login_at: Nullable({ ...Instant, description: 'Time of the last sign-in.' }),
}
export const User = Type.Object(userFields, { title: 'User' })

const IsSuperuser = Type.Boolean({ description: 'Ignored unless the caller is a superuser.' })
const IsActive = Type.Boolean({ description: 'An inactive user can neither sign in nor use a token.' })

export const CreateUser = Type.Object(
  {
    email: EmailIn,
    full_name: Type.Optional(Nullable(FullName)),
    password: NewPassword,
    role_ids: Type.Optional(RoleIds),
    is_active: Type.Optional(IsActive),
    is_superuser: Type.Optional(IsSuperuser),
    language: UserLanguage,
  },
  { title: 'CreateUser' },
)

/** Omitted fields are unchanged. The password is missing on purpose: only its owner changes or resets it. */
export const UpdateUser = Type.Object(
  {
    email: Type.Optional(EmailIn),
    full_name: Type.Optional(Nullable(FullName)),
    role_ids: Type.Optional(roleIds(`Replaces the list. ${ROLE_IDS}`)),
    is_active: Type.Optional(IsActive),
    is_superuser: Type.Optional(IsSuperuser),
    language: UserLanguage,
  },
  { title: 'UpdateUser' },
)

export const UserQuery = Type.Object({
  ...PageQuery(['created_at', 'email', 'full_name', 'last_login_at']),
  search: Search('name and e-mail address'),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: EMAIL_MAX_LENGTH,
      description: 'Substring of the address, case-insensitive; wildcards are not supported.',
    }),
  ),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true: only active users; false: only inactive users.' }),
  ),
})

export type User = Static<typeof User>
export type CreateUser = Static<typeof CreateUser>
export type UpdateUser = Static<typeof UpdateUser>
export type UserQuery = Static<typeof UserQuery>
