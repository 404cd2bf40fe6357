import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../../platform/http/page.ts'
import { LOTO_NAME_MAX, LOTO_TEXT_MAX } from '../limits.ts'

const ENERGY_TYPES = [
  ...(['electrical', 'mechanical', 'hydraulic', 'pneumatic', 'thermal', 'chemical'] as const),
  ...(['gravitational', 'radiation', 'other'] as const),
] as const

const described = <T extends Type.TSchema>(schema: T, description: string): T => ({ ...schema, description })
/** What stands in the record and is relied on: blanks alone say nothing. */
export const NonBlank = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const about = {
  subregion_id: 'Subregion of the point.',
  device_id:
    'Device that is de-energized while the point is isolated; if it is a meter, its readings verify ' +
    'the isolation.',
  energy_type: 'Type of the isolated energy.',
  isolation_method: 'Human-readable isolation method: which switch, valve or pin, in which position.',
  location: 'Human-readable location.',
}

/** What a point is; a session keeps it as it was approved. */
export const PointFields = {
  name: described(Type.String(), 'Name, unique in the subregion.'),
  subregion_id: Nullable(described(Id, about.subregion_id)),
  device_id: Nullable(described(Id, about.device_id)),
  energy_type: described(Word(ENERGY_TYPES), about.energy_type),
  isolation_method: described(Type.String(), about.isolation_method),
  location: described(Type.String(), about.location),
}

export const LotoPoint = Type.Object(
  {
    id: Id,
    ...PointFields,
    is_locked_out: Type.Boolean({
      description:
        'Whether the point is in an applied session or has a lock: its device then accepts no commands.',
    }),
    created_at: Instant,
    updated_at: described(Instant, 'Time of the last change.'),
  },
  { title: 'LotoPoint' },
)

export const CreateLotoPoint = Type.Object(
  {
    name: described(NonBlank(LOTO_NAME_MAX), 'Name, unique in the subregion.'),
    subregion_id: described(Id, about.subregion_id),
    device_id: Type.Optional(Nullable(described(Id, about.device_id))),
    energy_type: described(OneOf(ENERGY_TYPES), about.energy_type),
    isolation_method: described(NonBlank(LOTO_TEXT_MAX), about.isolation_method),
    location: described(NonBlank(LOTO_TEXT_MAX), about.location),
  },
  { title: 'CreateLotoPoint' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateLotoPoint = Type.Partial(CreateLotoPoint, { title: 'UpdateLotoPoint' })

export const LotoPointQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'energy_type', 'location']),
  search: Search('name and location'),
  subregion_id: Type.Optional(described(Id, 'Only points of this subregion.')),
  device_id: Type.Optional(described(Id, 'Only of this device.')),
  energy_type: Type.Optional(described(OneOf(ENERGY_TYPES), 'Only points with this energy type.')),
  is_locked_out: Type.Optional(
    Type.Boolean({ description: 'true: only points that are locked out; false: only points that are not.' }),
  ),
})

export type CreateLotoPoint = Static<typeof CreateLotoPoint>
export type UpdateLotoPoint = Static<typeof UpdateLotoPoint>
export type LotoPointQuery = Static<typeof LotoPointQuery>
