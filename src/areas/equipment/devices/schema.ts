import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { METADATA_KEYS_MAX } from '../limits.ts'

const DEVICE_SOURCES = ['modbus', 'zigbee', 'virtual', 'manual', 'ocpp'] as const
const INVERTER_TYPES = ['grid_inverter', 'ess_inverter'] as const
const DEVICE_TYPE = 'Type of the device, for example energy_analyzer, inverter or charger.'
const DEVICE_ROLE = 'Role of the device, for example charger or inverter.'

const Metadata = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: METADATA_KEYS_MAX,
  'x-json': true,
})
const SlaveId = Type.Integer({ minimum: 0, maximum: 255, description: 'Modbus unit id.' })
const Seconds = (description: string) => Type.Integer({ minimum: 1, maximum: 31_536_000, description })
const ReportingInterval = Seconds('Expected reporting interval of the device, s.')
const OfflineThreshold = Seconds('Silence after which the device counts as offline, s.')
/** The empty string also means no template. */
const TemplateIdIn = Nullable(
  Type.String({
    pattern: '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})?$',
    description: 'Device template; null or empty for none.',
  }),
)

export const Device = Type.Object(
  {
    id: Id,
    name: Type.String(),
    device_type: Type.String({ description: DEVICE_TYPE }),
    device_role: Nullable(Type.String({ description: DEVICE_ROLE })),
    device_source: Word(DEVICE_SOURCES),
    gateway_id: Nullable({ ...Id, description: 'Id of the Modbus gateway of the device.' }),
    mqtt_gateway_id: Nullable({
      ...Id,
      description: 'Id of the message-broker gateway; when set, the device is read over MQTT.',
    }),
    slave_id: Nullable(SlaveId),
    template_id: Nullable(Id),
    parent_id: Nullable({ ...Id, description: 'Parent device in the device tree.' }),
    subregion_id: Nullable({ ...Id, description: 'Subregion; set only for chargers.' }),
    inverter_type: Nullable(Word(INVERTER_TYPES)),
    reporting_interval_s: Nullable(ReportingInterval),
    offline_threshold_s: OfflineThreshold,
    is_online: Type.Boolean({ description: 'Whether a sample was received within the offline threshold.' }),
    last_seen: Nullable(Instant),
    created_at: Instant,
    extra_metadata: Type.Unsafe<unknown>({ ...Metadata, description: 'Free key/value map of the operator.' }),
  },
  { title: 'Device' },
)

export const CreateDevice = Type.Object(
  {
    name: Text(200),
    device_type: Text(50),
    device_role: Type.Optional(Nullable(Text(50))),
    device_source: Type.Optional(OneOf(DEVICE_SOURCES)),
    gateway_id: Type.Optional(Nullable(Id)),
    mqtt_gateway_id: Type.Optional(Nullable(Id)),
    slave_id: Type.Optional(Nullable(SlaveId)),
    template_id: Type.Optional(TemplateIdIn),
    parent_id: Type.Optional(Nullable(Id)),
    inverter_type: Type.Optional(Nullable(OneOf(INVERTER_TYPES))),
    reporting_interval_s: Type.Optional(Nullable(ReportingInterval)),
    offline_threshold_s: Type.Optional(OfflineThreshold),
    extra_metadata: Type.Optional(
      Nullable({
        ...Metadata,
        description:
          'On create: the map. On update: null changes nothing, {} clears the map, otherwise keys are merged.',
      }),
    ),
  },
  { title: 'CreateDevice' },
)
/** Omitted fields are unchanged; null clears, except for extra_metadata. */
export const UpdateDevice = Type.Partial(CreateDevice, { title: 'UpdateDevice' })

export const DeviceQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'device_type', 'device_role', 'device_source', 'last_seen']),
  search: Search('name, external_id and ieee_address'),
  name: Type.Optional({ ...Text(200), description: 'Whole name, ignoring case.' }),
  device_type: Type.Optional({ ...Text(50), description: 'Whole type of device, ignoring case.' }),
  device_role: Type.Optional({ ...Text(50), description: 'Whole role of the device, ignoring case.' }),
  device_source: Type.Optional(OneOf(DEVICE_SOURCES)),
  is_online: Type.Optional(Type.Boolean()),
  gateway_id: Type.Optional(Id),
  mqtt_gateway_id: Type.Optional(Id),
  template_id: Type.Optional(Id),
  parent_id: Type.Optional(Id),
  subregion_id: Type.Optional(Id),
})

export type CreateDevice = Static<typeof CreateDevice>
export type UpdateDevice = Static<typeof UpdateDevice>
export type DeviceQuery = Static<typeof DeviceQuery>
