import { type Static, Type } from 'typebox'
import { CPID_LENGTH_MAX } from '../../../kernel/limits.ts'
import { OCPP_VERSIONS } from '../../../kernel/ocpp.ts'
import { Id, Instant, Nullable, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { GeneratedPassword, HasPendingPassword, Password } from '../passwords/index.ts'

const Cpid = Type.String({
  pattern: `^(?!\\.{1,2}$)[!-.0-~]{1,${CPID_LENGTH_MAX}}$`,
  description:
    'Identity of the station in the path of its WebSocket, and its user name: visible ASCII without a ' +
    'slash. Unique in the whole service.',
})
const ShortText = (description: string) => Nullable(Type.String({ maxLength: 200, description }))
const fields = {
  vendor: ShortText('Configured vendor, otherwise the vendor reported by the station.'),
  model: ShortText('Configured model, otherwise the model reported by the station.'),
  serial_number: ShortText('Configured model, otherwise the model reported by the station.'),
}
const Connector = Type.Object(
  {
    connector_id: Type.Integer({ description: 'Connector number, from 1; the EVSE in OCPP 2.0.1.' }),
    evse_connector_id: Type.Integer({ description: 'Connector of the EVSE in OCPP 2.0.1; otherwise 1.' }),
    device_id: { ...Id, description: 'Device to which the meter values of the connector belong.' },
    status: Nullable(Type.String({ description: 'OCPP status; null until the station reports it.' })),
    error_code: Nullable(Type.String({ description: 'OCPP error code; NoError without an error.' })),
    vendor_error_code: Nullable(Type.String({ description: 'Error code of the manufacturer.' })),
    info: Nullable(Type.String({ description: 'Additional information of the station.' })),
    status_at: Nullable({ ...Instant, description: 'Time of the status, by the clock of the station.' }),
  },
  { title: 'ChargerConnector' },
)

const charger = {
  id: Id,
  device_id: { ...Id, description: 'Device of the charger; also the device of connector 1.' },
  cpid: Type.String({ description: 'OCPP identity of the charger; unique in the whole service.' }),
  name: Type.String(),
  ...fields,
  subregion_id: Nullable(Id),
  ocpp_version: Nullable({ ...Word(OCPP_VERSIONS), description: 'OCPP version of the last connection.' }),
  status: Nullable(
    Type.String({
      description:
        'OCPP status: that of the whole station if it is out of order, otherwise that of its busiest ' +
        'connector.',
    }),
  ),
  connectors: Type.Array(Connector, { description: 'Connectors that the station has reported.' }),
  is_online: Type.Boolean({
    description: 'Whether the station is connected and has responded within the last three ping intervals.',
  }),
  last_heartbeat: Nullable(Instant),
  last_message_at: Nullable({ ...Instant, description: 'Time of the last message of any type.' }),
  connected_at: Nullable(Instant),
  disconnected_at: Nullable(Instant),
  firmware_version: Nullable(Type.String({ description: 'Firmware version reported at the last boot.' })),
  booted_at: Nullable({ ...Instant, description: 'Time of the last boot.' }),
  security_profile: Type.Integer({
    description: 'Highest security profile (0 to 3) of all connections so far; never lowered.',
  }),
  password_changed_at: Nullable(Instant),
  has_pending_password: HasPendingPassword,
  contested_at: Nullable({
    ...Instant,
    description:
      'Time at which connections with this identity last replaced each other too often: two stations may ' +
      'have the same identity.',
  }),
  events_left_out: Type.Integer({
    description:
      'Number of events of today (UTC) that were not stored because their type exceeded its limit.',
  }),
  created_at: Instant,
  updated_at: Instant,
}
export const Charger = Type.Object(charger, { title: 'Charger' })
export const NewCharger = Type.Object(
  {
    ...charger,
    password: GeneratedPassword,
  },
  { title: 'ChargerWithPassword' },
)

export const CreateCharger = Type.Object(
  {
    cpid: Cpid,
    name: Type.Optional({ ...Text(200), description: 'Name. Default: the cpid.' }),
    vendor: Type.Optional(fields.vendor),
    model: Type.Optional(fields.model),
    serial_number: Type.Optional(fields.serial_number),
    subregion_id: Type.Optional(Nullable(Id)),
    password: Type.Optional(Password),
  },
  { title: 'CreateCharger' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateCharger = Type.Object(
  {
    name: Type.Optional(Text(200)),
    vendor: Type.Optional(fields.vendor),
    model: Type.Optional(fields.model),
    serial_number: Type.Optional(fields.serial_number),
    subregion_id: Type.Optional(Nullable(Id)),
  },
  { title: 'UpdateCharger' },
)

export const ChargerQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'cpid', 'last_heartbeat', 'last_message_at']),
  cpid: Type.Optional({ ...Text(CPID_LENGTH_MAX), description: 'Exact cpid.' }),
  subregion_id: Type.Optional(Id),
  device_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
  status: Type.Optional({ ...Text(50), description: 'OCPP status, for example Charging.' }),
  search: Search('cpid, name, vendor, model and serial number'),
})

export type CreateCharger = Static<typeof CreateCharger>
export type UpdateCharger = Static<typeof UpdateCharger>
export type ChargerQuery = Static<typeof ChargerQuery>
