import { type Static, Type } from 'typebox'
import { REGISTERS } from '../../../../kernel/metrics.ts'
import {
  described,
  Id,
  Instant,
  InstantIn,
  Kwh,
  KwhIn,
  Nullable,
  OneOf,
  Text,
  Warnings,
  Word,
} from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { CORRECTION_REASON_MAX_LENGTH, CORRECTION_REASON_MIN_LENGTH } from '../../limits.ts'
import { Origin, optional } from '../../shared/index.ts'

const REGISTER_TEXT =
  'Register: a meter with several registers has one record for each. An OSOS installation has ' +
  'import_active_energy and export_active_energy, which is also the production of a production meter.'
const AT_TEXT = 'Time of the replacement. A stored reading at this instant is replaced by the record.'
const END_TEXT =
  'Last value of the old register, kWh (kvarh of a reactive register), with the multiplier applied.'
const START_TEXT =
  'First value of the new register, kWh (kvarh of a reactive register), with the multiplier applied.'
const OLD_SERIAL_TEXT = 'Serial number of the old meter.'
const NEW_SERIAL_TEXT = 'Serial number of the new meter.'
const DEVICE_TEXT = 'Device whose meter was replaced; cannot be changed.'
const INSTALLATION_TEXT = 'OSOS installation whose meter was replaced; cannot be changed.'

const values = {
  changed_at: described(Instant, AT_TEXT),
  old_end_kwh: described(Kwh, END_TEXT),
  new_start_kwh: described(Kwh, START_TEXT),
  old_serial_no: Nullable(Type.String({ description: OLD_SERIAL_TEXT })),
  new_serial_no: Nullable(Type.String({ description: NEW_SERIAL_TEXT })),
  note: Nullable(Type.String({ description: 'Free text.' })),
}

export const MeterChange = Type.Object(
  {
    id: Id,
    device_id: Nullable(described(Id, DEVICE_TEXT)),
    osos_installation_id: Nullable(described(Id, INSTALLATION_TEXT)),
    register: described(Word(REGISTERS), REGISTER_TEXT),
    ...values,
    origin: Origin,
    recorded_by: Nullable(described(Id, 'User who recorded the change; null for a loader without a user.')),
    recorded_at: described(Instant, 'Time of the record.'),
    corrections: Type.Integer({ description: 'Number of corrections of the record.' }),
    voided_at: Nullable(described(Instant, 'Time at which the record was voided; null: it is in force.')),
    voided_by: Nullable(described(Id, 'User who voided the record.')),
    void_reason: Nullable(Type.String({ description: 'Reason for which the record was voided.' })),
  },
  { title: 'MeterChange' },
)

const Revision = Type.Object({
  ...values,
  corrected_at: described(Instant, 'Time of the correction that replaced these values.'),
  corrected_by: Nullable(described(Id, 'User who corrected the record.')),
  reason: Type.String({ description: 'Reason of the correction.' }),
})

export const MeterChangeDetail = Type.Object(
  {
    ...MeterChange.properties,
    revisions: Type.Array(Revision, {
      description: 'The values before each correction, newest first; at most 100.',
    }),
  },
  { title: 'MeterChangeDetail' },
)

/** The response of a write; FACTS_REBUILD_QUEUED while hourly energy is still to be derived again. */
export const ChangedMeterChange = Type.Object(
  { ...MeterChange.properties, ...Warnings },
  { title: 'ChangedMeterChange' },
)

const valuesIn = {
  changed_at: described(InstantIn, `${AT_TEXT} Not in the future.`),
  old_end_kwh: described(KwhIn('nonnegative'), END_TEXT),
  new_start_kwh: described(KwhIn('nonnegative'), START_TEXT),
}
const texts = {
  old_serial_no: optional(described(Text(100), OLD_SERIAL_TEXT)),
  new_serial_no: optional(described(Text(100), NEW_SERIAL_TEXT)),
  note: optional(described(Text(5000), 'Free text.')),
}
const Reason = (description: string) =>
  Type.String({
    minLength: CORRECTION_REASON_MIN_LENGTH,
    maxLength: CORRECTION_REASON_MAX_LENGTH,
    description,
  })

export const CreateMeterChange = Type.Object(
  {
    device_id: optional(described(Id, 'Device whose meter was replaced.')),
    osos_installation_id: optional(described(Id, 'OSOS installation whose meter was replaced.')),
    register: described(OneOf(REGISTERS), REGISTER_TEXT),
    ...valuesIn,
    ...texts,
  },
  { title: 'CreateMeterChange' },
)
/** Omitted fields are unchanged; null clears. */
export const CorrectMeterChange = Type.Object(
  {
    changed_at: Type.Optional(valuesIn.changed_at),
    old_end_kwh: Type.Optional(valuesIn.old_end_kwh),
    new_start_kwh: Type.Optional(valuesIn.new_start_kwh),
    ...texts,
    reason: Reason('Reason of the correction; it is stored with the values that it replaces.'),
  },
  { title: 'CorrectMeterChange' },
)
export const VoidMeterChange = Type.Object(
  { reason: Reason('Reason for which the record is void.') },
  { title: 'VoidMeterChange' },
)

export const MeterChangeQuery = Type.Object({
  ...ListQuery(),
  search: Search('serial numbers and note'),
  device_id: Type.Optional(described(Id, 'Only changes of this device.')),
  osos_installation_id: Type.Optional(described(Id, 'Only changes of this OSOS installation.')),
  register: Type.Optional(described(OneOf(REGISTERS), 'Only changes of this register.')),
  include_voided: Type.Boolean({ default: false, description: 'true: voided records as well.' }),
})

export type CreateMeterChange = Static<typeof CreateMeterChange>
export type CorrectMeterChange = Static<typeof CorrectMeterChange>
export type MeterChangeQuery = Static<typeof MeterChangeQuery>
