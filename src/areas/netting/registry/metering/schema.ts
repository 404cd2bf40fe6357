import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  InstantIn,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../../platform/http/fields.ts'
import { ListQuery } from '../../../../platform/http/page.ts'
import { MAIN_ROLES, MEASUREMENT_ROLES, Origin, optional } from '../../shared/index.ts'

const FROM_TEXT = 'From this instant; a date is the start of that Turkey-local day.'
const TO_TEXT = 'Up to, not including, this instant; null: open.'

export const MeteringPoint = Type.Object({
  id: Id,
  facility_id: described(Id, 'The facility; fixed.'),
  meter_no: Nullable(Type.String({ description: 'Number on the meter.' })),
  valid_from: described(Instant, FROM_TEXT),
  valid_to: Nullable(described(Instant, TO_TEXT)),
  meter_reading_org_id: Nullable(described(Id, 'Who reads the meter.')),
  osos_installation_id: Nullable(described(Id, 'The installation whose official readings it has.')),
  notes: Nullable(Type.String({ description: 'Free text.' })),
  created_at: Instant,
})

const pointFields = {
  meter_no: optional(described(Text(100), 'Number on the meter.')),
  valid_to: optional(described(InstantIn, TO_TEXT)),
  meter_reading_org_id: optional(described(Id, 'Who reads the meter.')),
  osos_installation_id: optional(described(Id, 'The installation whose official readings it has.')),
  notes: optional(described(Text(5000), 'Free text.')),
}
export const CreateMeteringPoint = Type.Object({
  valid_from: optional(described(InstantIn, `${FROM_TEXT} Default: now.`)),
  ...pointFields,
})
/** Omitted fields are unchanged; null clears. */
export const UpdateMeteringPoint = Type.Object({
  valid_from: Type.Optional(described(InstantIn, FROM_TEXT)),
  ...pointFields,
})
export const MeteringPointParams = Type.Object({ metering_point_id: Id })
export const MeteringPointQuery = Type.Object(ListQuery())

const ROLE_TEXT = `What the device measures. Periods of one subregion and one main role (${MAIN_ROLES.join(', ')}) may not overlap.`

export const Assignment = Type.Object({
  id: Id,
  subregion_id: described(Id, 'The place; fixed.'),
  device_id: described(Id, 'The device; fixed.'),
  facility_id: Nullable(described(Id, 'The facility it measures.')),
  metering_point_id: Nullable(described(Id, 'The metering point it stands at.')),
  measurement_role: described(Word(MEASUREMENT_ROLES), ROLE_TEXT),
  valid_from: described(Instant, FROM_TEXT),
  valid_to: Nullable(described(Instant, TO_TEXT)),
  origin: Origin,
  created_at: Instant,
})

const assignmentFields = {
  facility_id: optional(described(Id, 'The facility it measures.')),
  metering_point_id: optional(described(Id, "The metering point it stands at; of this facility's.")),
  valid_to: optional(described(InstantIn, TO_TEXT)),
}
export const CreateAssignment = Type.Object({
  subregion_id: described(Id, 'The place.'),
  device_id: described(Id, 'The device.'),
  measurement_role: described(OneOf(MEASUREMENT_ROLES), ROLE_TEXT),
  valid_from: described(InstantIn, FROM_TEXT),
  ...assignmentFields,
})
/** Omitted fields are unchanged; null clears. subregion_id and device_id are ignored. */
export const UpdateAssignment = Type.Object({
  measurement_role: Type.Optional(described(OneOf(MEASUREMENT_ROLES), ROLE_TEXT)),
  valid_from: Type.Optional(described(InstantIn, FROM_TEXT)),
  ...assignmentFields,
})
export const AssignmentQuery = Type.Object({
  ...ListQuery(),
  subregion_id: Type.Optional(Id),
  facility_id: Type.Optional(Id),
})

export type CreateMeteringPoint = Static<typeof CreateMeteringPoint>
export type UpdateMeteringPoint = Static<typeof UpdateMeteringPoint>
export type MeteringPointQuery = Static<typeof MeteringPointQuery>
export type CreateAssignment = Static<typeof CreateAssignment>
export type UpdateAssignment = Static<typeof UpdateAssignment>
export type AssignmentQuery = Static<typeof AssignmentQuery>
