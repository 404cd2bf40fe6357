import { type Static, Type } from 'typebox'
import { DECODE_PROBLEMS } from '../../../core/register-map/index.ts'
import { Id, Instant, Nullable, OneOf, Text } from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'

const PROTOCOLS = ['modbus_tcp', 'modbus_rtu', 'mqtt', 'zigbee'] as const
const Protocols = Type.Array(OneOf(PROTOCOLS), { uniqueItems: true, maxItems: PROTOCOLS.length })
const RegisterMap = Type.Record(Type.String(), Type.Unknown(), {
  'x-json': true,
  description:
    'Register map of the device; an update replaces it as a whole. A map with a format is validated ' +
    'like an upload; a map without one is stored unchanged and not used for reading.',
})

export const DeviceTemplate = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    vendor: Nullable(Type.String()),
    model: Nullable(Type.String()),
    device_type: Type.String({
      description: 'Type of the device, for example energy_analyzer, inverter or charger.',
    }),
    protocols: Type.Array(Type.String(), {
      description: 'Protocols over which a device of this kind can be read.',
    }),
    register_map: Type.Unsafe<unknown>({ ...RegisterMap, type: ['object', 'null'] }),
    is_system: Type.Boolean({
      description:
        'Whether the template is shipped with the service; such a template cannot be changed or deleted.',
    }),
    created_at: Instant,
  },
  { title: 'DeviceTemplate' },
)

export const CreateDeviceTemplate = Type.Object(
  {
    name: Text(200),
    vendor: Type.Optional(Nullable(Text(100))),
    model: Type.Optional(Nullable(Text(100))),
    device_type: Text(50),
    protocols: Type.Optional(Protocols),
    register_map: Type.Optional(Nullable(RegisterMap)),
  },
  { title: 'CreateDeviceTemplate' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateDeviceTemplate = Type.Partial(CreateDeviceTemplate, { title: 'UpdateDeviceTemplate' })

export const DeviceTemplateQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'vendor', 'model', 'device_type']),
  search: Search('name, vendor and model'),
  device_type: Type.Optional({ ...Text(50), description: 'Whole type of device, ignoring case.' }),
  vendor: Type.Optional({ ...Text(100), description: 'Whole name of the vendor, ignoring case.' }),
  protocol: Type.Optional(OneOf(PROTOCOLS)),
})

const Notes = Type.Array(
  Type.Object({
    key: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Key of the register; null: the note concerns the whole map.',
    }),
    note: MessageText('For people.'),
  }),
  {
    description: 'Notes on single registers (by key) or on the whole map (null).',
  },
)
export const TemplateWithNotes = Type.Object(
  { ...DeviceTemplate.properties, notes: Notes },
  { title: 'DeviceTemplateWithNotes' },
)

const FrameValue = (description: string) =>
  Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'number', 'boolean', 'null'],
    description,
  })
export const DecodedFrames = Type.Object(
  {
    frames: Type.Array(
      Type.Object({
        name: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Name of the frame.' }),
        values: Type.Array(
          Type.Object({
            key: Type.String({ description: 'Key of the register.' }),
            metric: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description: 'Metric of the register; null when only other registers refer to it.',
            }),
            unit: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description: 'Unit in which the values are stored.',
            }),
            actual: FrameValue('Decoded value; null when the frame has no valid one.'),
            problem: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              enum: [...DECODE_PROBLEMS, null],
              description: 'Why there is no value.',
            }),
            expected: FrameValue(
              'Expected value; null where none should exist, and where nothing is expected.',
            ),
            is_match: Type.Unsafe<boolean | null>({
              type: ['boolean', 'null'],
              description: 'Whether the value is the expected one; null where nothing is expected.',
            }),
          }),
          {
            description:
              'Registers that the frame contains, and those with an expected value, in the order of the map.',
          },
        ),
      }),
      { description: 'One for each frame of the request, in its order.' },
    ),
    matched: Type.Integer({ description: 'Values that are the expected ones.' }),
    differing: Type.Integer({ description: 'Values that differ from the expected ones.' }),
  },
  { title: 'DecodedFrames' },
)

export const MapQuery = Type.Object({
  format: Type.Unsafe<MapFormat>({
    type: 'string',
    enum: ['json', 'csv'],
    default: 'json',
    description: 'Format of the file; both formats have the same content.',
  }),
})
export const ImportQuery = Type.Object({
  format: Type.Unsafe<ImportFormat>({
    type: 'string',
    enum: ['sunspec', 'zigbee2mqtt'],
    description: 'Format of `document`.',
  }),
})
export const ImportTemplate = Type.Object(
  {
    name: Text(200),
    device_type: Text(50),
    vendor: Type.Optional(Nullable(Text(100))),
    model: Type.Optional(Nullable(Text(100))),
    base_address: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'SunSpec: address of the first model; default 40002, the address after the marker.',
      }),
    ),
    document: Type.Unsafe<unknown>({
      description:
        'sunspec: a model of the SunSpec models repository (JSON), or a list of them in the order of the ' +
        'device. zigbee2mqtt: an entry of bridge/devices, its definition, or the exposes alone.',
    }),
  },
  { title: 'ImportDeviceTemplate' },
)

export type MapFormat = 'json' | 'csv'
export type ImportFormat = 'sunspec' | 'zigbee2mqtt'
export type ImportTemplate = Static<typeof ImportTemplate>
export type CreateDeviceTemplate = Static<typeof CreateDeviceTemplate>
export type UpdateDeviceTemplate = Static<typeof UpdateDeviceTemplate>
export type DeviceTemplateQuery = Static<typeof DeviceTemplateQuery>
