import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

export const Region = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    code: Nullable(Type.String({ description: 'Short code assigned by the operator.' })),
    description: Nullable(Type.String({ description: 'Free text.' })),
    created_at: Instant,
  },
  { title: 'Region' },
)

export const CreateRegion = Type.Object(
  {
    name: Text(200),
    code: Type.Optional(Nullable(Text(50))),
    description: Type.Optional(Nullable(Text(2000))),
  },
  { title: 'CreateRegion' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateRegion = Type.Partial(CreateRegion, { title: 'UpdateRegion' })

export const RegionQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  search: Search('name and code'),
  name: Type.Optional({ ...Text(200), description: 'Whole name, ignoring case.' }),
})

export type CreateRegion = Static<typeof CreateRegion>
export type UpdateRegion = Static<typeof UpdateRegion>
export type RegionQuery = Static<typeof RegionQuery>
