import { type Static, Type } from 'typebox'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { DisplayName, Id, Instant, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { API_KEY_TTL_MAX_DAYS } from '../limits.ts'

const keyFields = {
  id: Id,
  name: Type.String({ description: 'What the key is for.' }),
  prefix: Type.String({ description: 'The beginning of the key, by which it can be recognized.' }),
  user_id: { ...Id, description: 'The owner, whose permissions limit those of the key at all times.' },
  owner_is_active: Type.Boolean({ description: 'A key whose owner is not active is refused (401).' }),
  permissions: Type.Array(Type.String(), {
    description: 'Permissions that were granted; those that the owner has lost since are not effective.',
  }),
  expires_at: { ...Instant, description: 'End of the validity.' },
  last_used_at: Nullable({ ...Instant, description: 'Time of the last use, exact to about a minute.' }),
  created_at: Instant,
}
export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' })
export const CreatedApiKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({
      description: 'The key itself, for the header Authorization: Bearer. It is not shown again.',
    }),
  },
  { title: 'CreatedApiKey' },
)

export const CreateApiKey = Type.Object(
  {
    name: DisplayName('What the key is for.'),
    permissions: Type.Array(OneOf(PERMISSIONS), {
      minItems: 1,
      maxItems: 2 * PERMISSIONS.length,
      description: 'Only permissions that the caller holds (403); duplicates are ignored.',
    }),
    expires_in_days: Type.Integer({
      minimum: 1,
      maximum: API_KEY_TTL_MAX_DAYS,
      description: 'Days until the key expires.',
    }),
  },
  { title: 'CreateApiKey' },
)

export const ApiKeyQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'expires_at', 'last_used_at']),
  search: Search('name and prefix'),
})

export type CreateApiKey = Static<typeof CreateApiKey>
export type ApiKeyQuery = Static<typeof ApiKeyQuery>
