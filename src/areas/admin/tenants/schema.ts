import { type Static, Type } from 'typebox'
import { DisplayName, EmailIn, Id, Instant, NewPassword, Nullable } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { FullName, User, UserLanguage } from '../../access/users/index.ts'
import { SLUG_MAX_LENGTH } from './limits.ts'
import { SLUG_PATTERN } from './slug.ts'

const TenantName = DisplayName('Display name of the tenant; need not be unique.')

const tenantFields = {
  id: Id,
  name: Type.String({ description: 'Display name.' }),
  slug: Type.String({ description: 'Short name of the tenant, unique in the service.' }),
  is_active: Type.Boolean({
    description: 'The users of an inactive tenant can neither sign in nor use a token.',
  }),
  created_at: Instant,
}
export const Tenant = Type.Object(tenantFields, { title: 'Tenant' })

export const CreateTenant = Type.Object(
  {
    name: TenantName,
    slug: Type.Optional(
      Type.String({
        pattern: SLUG_PATTERN,
        maxLength: SLUG_MAX_LENGTH,
        description:
          'Short name of the tenant. Default: derived from the name, with a number if it is already in use.',
      }),
    ),
    admin_email: EmailIn,
    admin_password: NewPassword,
    admin_full_name: Type.Optional(Nullable(FullName)),
  },
  { title: 'CreateTenant' },
)
export const CreatedTenant = Type.Object({ ...tenantFields, admin: User }, { title: 'CreatedTenant' })

export const UpdateTenant = Type.Object(
  {
    name: Type.Optional(TenantName),
    is_active: Type.Optional(
      Type.Boolean({
        description:
          'false deactivates the tenant: its users, API keys, gateways and chargers are refused, and its jobs and ' +
          'notifications pause. true reactivates it. The data stays.',
      }),
    ),
  },
  { title: 'UpdateTenant', minProperties: 1 },
)

export const TenantQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'slug']),
  search: Search('name and slug'),
  is_active: Type.Optional(
    Type.Boolean({ description: 'true: only active tenants; false: only inactive tenants.' }),
  ),
})

export const Signup = Type.Object(
  {
    tenant_name: TenantName,
    full_name: FullName,
    email: EmailIn,
    password: NewPassword,
    language: UserLanguage,
  },
  { title: 'Signup' },
)
export const SignedUp = Type.Object({ tenant: Tenant, user: User }, { title: 'SignedUp' })
export const PendingSignup = Type.Object(
  {
    message: Type.String({ description: 'For people.' }),
    signup_id: { ...Id, description: 'Identifies the signup when its link is requested again.' },
    expires_at: { ...Instant, description: 'End of the validity of the link.' },
  },
  { title: 'PendingSignup' },
)
export const Message = Type.Object(
  { message: Type.String({ description: 'For people.' }) },
  { title: 'Message' },
)
export const ResendSignup = Type.Object(
  {
    signup_id: { ...Id, description: 'From the response of the signup.' },
    email: EmailIn,
  },
  { title: 'ResendSignup' },
)
export const ConfirmSignup = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Token from the most recent mail; valid for 24 hours, once.',
    }),
    password: Type.String({ minLength: 1, maxLength: 1024, description: 'The password of the signup.' }),
  },
  { title: 'ConfirmSignup' },
)

export type CreateTenant = Static<typeof CreateTenant>
export type UpdateTenant = Static<typeof UpdateTenant>
export type TenantQuery = Static<typeof TenantQuery>
export type Signup = Static<typeof Signup>
export type ResendSignup = Static<typeof ResendSignup>
export type ConfirmSignup = Static<typeof ConfirmSignup>
