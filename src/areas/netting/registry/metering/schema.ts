import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  InstantIn,
  Nullable,
  OneOf,
  Text,
  Warnings,
  Word,
} from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { MAIN_ROLES, MEASUREMENT_ROLES, Origin, optional } from '../../shared/index.ts'

const FROM_TEXT = 'Start of validity; a date is the start of that Turkey-local day.'
const TO_TEXT = 'End of validity, exclusive; null: open.'

export const MeteringPoint = Type.Object(
  {
    id: Id,
    facility_id: described(Id, 'Facility; cannot be changed.'),
    meter_no: Nullable(Type.String({ description: 'Number of the meter.' })),
    valid_from: described(Instant, FROM_TEXT),
    valid_to: Nullable(described(Instant, TO_TEXT)),
    meter_reading_org_id: Nullable(described(Id, 'Organization that reads the meter.')),
    osos_installation_id: Nullable(
      described(Id, 'OSOS installation with the official readings of the metering point.'),
    ),
    notes: Nullable(Type.String({ description: 'Free text.' })),
    origin: Origin,
    created_at: Instant,
  },
  { title: 'MeteringPoint' },
)

const pointFields = {
  meter_no: optional(described(Text(100), 'Number of the meter.')),
  valid_to: optional(described(InstantIn, TO_TEXT)),
  meter_reading_org_id: optional(described(Id, 'Organization that reads the meter.')),
  osos_installation_id: optional(
    described(Id, 'OSOS installation with the official readings of the metering point.'),
  ),
  notes: optional(described(Text(5000), 'Free text.')),
}
export const CreateMeteringPoint = Type.Object(
  {
    valid_from: optional(described(InstantIn, `${FROM_TEXT} Default: now.`)),
    ...pointFields,
  },
  { title: 'CreateMeteringPoint' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateMeteringPoint = Type.Object(
  {
    valid_from: Type.Optional(described(InstantIn, FROM_TEXT)),
    ...pointFields,
  },
  { title: 'UpdateMeteringPoint' },
)
export const MeteringPointParams = Type.Object({ metering_point_id: Id })
export const MeteringPointQuery = Type.Object({ ...ListQuery(), search: Search('meter number') })

const ROLE_TEXT = `Measurement role of the device. Periods of one subregion and one main role (${MAIN_ROLES.join(', ')}) may not overlap.`

export const Assignment = Type.Object(
  {
    id: Id,
    subregion_id: described(Id, 'Subregion; cannot be changed.'),
    device_id: described(Id, 'Device; cannot be changed.'),
    facility_id: Nullable(described(Id, 'Facility that the device measures.')),
    metering_point_id: Nullable(described(Id, 'Metering point of the device.')),
    measurement_role: described(Word(MEASUREMENT_ROLES), ROLE_TEXT),
    valid_from: described(Instant, FROM_TEXT),
    valid_to: Nullable(described(Instant, TO_TEXT)),
    origin: Origin,
    created_at: Instant,
  },
  { title: 'MeterAssignment' },
)

/** The response of a change; FACTS_REBUILD_QUEUED while hourly energy is still to be derived again. */
export const ChangedAssignment = Type.Object(
  { ...Assignment.properties, ...Warnings },
  { title: 'ChangedMeterAssignment' },
)

const assignmentFields = {
  facility_id: optional(described(Id, 'Facility that the device measures.')),
  metering_point_id: optional(described(Id, 'Metering point of the device; belongs to the facility.')),
  valid_to: optional(described(InstantIn, TO_TEXT)),
}
export const CreateAssignment = Type.Object(
  {
    subregion_id: described(Id, 'Subregion of the record.'),
    device_id: described(Id, 'Device.'),
    measurement_role: described(OneOf(MEASUREMENT_ROLES), ROLE_TEXT),
    valid_from: described(InstantIn, FROM_TEXT),
    ...assignmentFields,
  },
  { title: 'CreateMeterAssignment' },
)
/** Omitted fields are unchanged; null clears. subregion_id and device_id are ignored. */
export const UpdateAssignment = Type.Object(
  {
    measurement_role: Type.Optional(described(OneOf(MEASUREMENT_ROLES), ROLE_TEXT)),
    valid_from: Type.Optional(described(InstantIn, FROM_TEXT)),
    ...assignmentFields,
  },
  { title: 'UpdateMeterAssignment' },
)
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
