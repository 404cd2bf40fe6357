import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

const NOTE = 'Description of the maintenance work.'

export const Maintenance = Type.Object(
  {
    id: Id,
    policy_id: Nullable({ ...Id, description: 'Policy for which no incidents open.' }),
    device_id: Nullable({ ...Id, description: 'Device for which no incidents open.' }),
    subregion_id: Nullable({ ...Id, description: 'Subregion for whose devices no incidents open.' }),
    from: Instant,
    to: Instant,
    note: Nullable(Type.String({ description: NOTE })),
    created_by: Nullable(Id),
    created_at: Instant,
  },
  { title: 'MaintenanceWindow' },
)

export const CreateMaintenance = Type.Object(
  {
    policy_id: Type.Optional(Nullable(Id)),
    device_id: Type.Optional(Nullable(Id)),
    subregion_id: Type.Optional(Nullable(Id)),
    from: InstantIn,
    to: InstantIn,
    note: Type.Optional(Nullable({ ...Text(500), description: NOTE })),
  },
  { title: 'CreateMaintenanceWindow' },
)

export const MaintenanceQuery = Type.Object({
  ...PageQuery(['from', 'to', 'created_at']),
  search: Search('note'),
  policy_id: Type.Optional(Id),
  device_id: Type.Optional(Id),
  subregion_id: Type.Optional(Id),
  is_over: Type.Optional(
    Type.Boolean({ description: 'true: only windows that are over; false: only the others.' }),
  ),
})

export type CreateMaintenance = Static<typeof CreateMaintenance>
export type MaintenanceQuery = Static<typeof MaintenanceQuery>
