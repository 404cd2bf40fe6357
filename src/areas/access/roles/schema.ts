import { type Static, Type } from 'typebox'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

const RoleName = Type.String({ minLength: 1, maxLength: 100, description: 'Name, unique in the tenant.' })

export const Role = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    permissions: Type.Array(Type.String(), { description: 'Permissions of the role.' }),
    is_system: Type.Boolean({
      description:
        'Whether the role is one of admin, operator and viewer, which cannot be changed or deleted.',
    }),
    created_at: Instant,
  },
  { title: 'Role' },
)

export const CreateRole = Type.Object(
  {
    name: RoleName,
    permissions: Type.Array(OneOf(PERMISSIONS), {
      maxItems: 2 * PERMISSIONS.length,
      description: 'Only permissions that the caller holds; duplicates are ignored.',
    }),
  },
  { title: 'CreateRole' },
)
/** Omitted fields are unchanged. */
export const UpdateRole = Type.Partial(CreateRole, { title: 'UpdateRole' })

export const RoleQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  search: Search('name'),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Whole name, ignoring case.' }),
  ),
})

export type CreateRole = Static<typeof CreateRole>
export type UpdateRole = Static<typeof UpdateRole>
export type RoleQuery = Static<typeof RoleQuery>
