import { type Static, Type } from 'typebox'
import { CPID_LENGTH_MAX } from '../../../kernel/limits.ts'
import { OCPP_VERSIONS } from '../../../kernel/ocpp.ts'
import { Id, Instant, Nullable, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { GeneratedPassword, HasPendingPassword, Password } from '../passwords/index.ts'

const Cpid = Type.String({
  pattern: `^(?!\\.{1,2}$)[!-.0-~]{1,${CPID_LENGTH_MAX}}$`,
  description:
    "The station's name in the path of its socket, and its user name there: visible ASCII " +
    'without a slash. Unique in the whole service.',
})
const ShortText = (description: string) => Nullable(Type.String({ maxLength: 200, description }))
const fields = {
  vendor: ShortText('What it was given, else what the station says of itself.'),
  model: ShortText('As vendor.'),
  serial_number: ShortText('As vendor.'),
}
const Connector = Type.Object({
  connector_id: Type.Integer({ description: 'Its number, from 1; the EVSE in OCPP 2.0.1.' }),
  evse_connector_id: Type.Integer({ description: 'The connector of the EVSE in OCPP 2.0.1; 1 otherwise.' }),
  device_id: { ...Id, description: 'The device that its meter values belong to.' },
  status: Nullable(Type.String({ description: 'In the words of OCPP; null until it is told.' })),
  error_code: Nullable(Type.String({ description: 'In the words of OCPP; NoError when all is well.' })),
  vendor_error_code: Nullable(Type.String({ description: "The maker's own." })),
  info: Nullable(Type.String({ description: 'What the station adds.' })),
  status_at: Nullable({ ...Instant, description: "By the station's clock." }),
})

const charger = {
  id: Id,
  device_id: { ...Id, description: 'Its device; that of connector 1, too.' },
  cpid: Type.String({ description: 'Its name in OCPP; unique in the whole service.' }),
  name: Type.String(),
  ...fields,
  subregion_id: Nullable(Id),
  ocpp_version: Nullable({ ...Word(OCPP_VERSIONS), description: 'Of its last connection.' }),
  status: Nullable(
    Type.String({
      description:
        'In the words of OCPP: of the station as a whole where it is out of order, else of its busiest connector.',
    }),
  ),
  connectors: Type.Array(Connector, { description: 'As far as the station has told of them.' }),
  is_online: Type.Boolean({ description: 'It is connected, and was heard of within three pings.' }),
  last_heartbeat: Nullable(Instant),
  last_message_at: Nullable({ ...Instant, description: 'The last message of any kind.' }),
  connected_at: Nullable(Instant),
  disconnected_at: Nullable(Instant),
  firmware_version: Nullable(Type.String({ description: 'As the station said at its last start.' })),
  booted_at: Nullable({ ...Instant, description: 'Its last start.' }),
  security_profile: Type.Integer({
    description: '0 to 3: the highest it has connected with; never lowered.',
  }),
  password_changed_at: Nullable(Instant),
  has_pending_password: HasPendingPassword,
  contested_at: Nullable({
    ...Instant,
    description:
      'When connections last took its place from each other too often: two stations may have its identity.',
  }),
  events_left_out: Type.Integer({
    description:
      'Events of today (UTC) that were counted and not kept, since there were too many of their type.',
  }),
  created_at: Instant,
  updated_at: Instant,
}
export const Charger = Type.Object(charger)
export const NewCharger = Type.Object({
  ...charger,
  password: GeneratedPassword,
})

export const CreateCharger = Type.Object({
  cpid: Cpid,
  name: Type.Optional({ ...Text(200), description: 'The cpid when absent.' }),
  vendor: Type.Optional(fields.vendor),
  model: Type.Optional(fields.model),
  serial_number: Type.Optional(fields.serial_number),
  subregion_id: Type.Optional(Nullable(Id)),
  password: Type.Optional(Password),
})
/** Omitted fields are unchanged; null clears. */
export const UpdateCharger = Type.Object({
  name: Type.Optional(Text(200)),
  vendor: Type.Optional(fields.vendor),
  model: Type.Optional(fields.model),
  serial_number: Type.Optional(fields.serial_number),
  subregion_id: Type.Optional(Nullable(Id)),
})

export const ChargerQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'cpid', 'last_heartbeat', 'last_message_at']),
  cpid: Type.Optional({ ...Text(CPID_LENGTH_MAX), description: 'The whole cpid.' }),
  subregion_id: Type.Optional(Id),
  device_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
  status: Type.Optional({ ...Text(50), description: 'In the words of OCPP, for example Charging.' }),
  search: Type.Optional({
    ...Text(100),
    description: 'A part of the cpid, name, vendor, model or serial number, whatever the case.',
  }),
})

export type CreateCharger = Static<typeof CreateCharger>
export type UpdateCharger = Static<typeof UpdateCharger>
export type ChargerQuery = Static<typeof ChargerQuery>
