import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

const Latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees north.' })
const Longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees east.' })
const ContractedPower = Type.Number({
  minimum: 0,
  description: 'Contracted power of the connection agreement, kW.',
})

export const Subregion = Type.Object(
  {
    id: Id,
    region_id: Id,
    name: Type.String({ description: 'Name, unique in the region.' }),
    address: Nullable(Type.String()),
    city: Nullable(Type.String()),
    latitude: Nullable(Latitude),
    longitude: Nullable(Longitude),
    contracted_power_kw: Nullable(ContractedPower),
    created_at: Instant,
  },
  { title: 'Subregion' },
)

export const CreateSubregion = Type.Object(
  {
    region_id: Id,
    name: Text(200),
    address: Type.Optional(Nullable(Text(500))),
    city: Type.Optional(Nullable(Text(100))),
    latitude: Type.Optional(Nullable(Latitude)),
    longitude: Type.Optional(Nullable(Longitude)),
    contracted_power_kw: Type.Optional(Nullable(ContractedPower)),
  },
  { title: 'CreateSubregion' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateSubregion = Type.Partial(CreateSubregion, { title: 'UpdateSubregion' })

export const SubregionQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'city']),
  search: Search('name, city and address'),
  region_id: Type.Optional(Id),
  name: Type.Optional({ ...Text(200), description: 'Whole name, ignoring case.' }),
})

export type CreateSubregion = Static<typeof CreateSubregion>
export type UpdateSubregion = Static<typeof UpdateSubregion>
export type SubregionQuery = Static<typeof SubregionQuery>
