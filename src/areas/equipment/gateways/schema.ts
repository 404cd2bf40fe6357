import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { ListQuery, PageQuery, Search } from '../../../platform/http/page.ts'
import { GATEWAY_NAME_MAX_LENGTH } from '../limits.ts'
import { ConfigStateFields } from './raw-config/schema.ts'

const GATEWAY_TYPES = ['modbus', 'mqtt', 'zigbee', 'home_assistant'] as const
const GatewayType = OneOf(GATEWAY_TYPES)
const GatewayConfig = Type.Record(Type.String(), Type.Unknown(), {
  'x-json': true,
  description:
    'Configuration of the gateway; an update replaces it as a whole and increments config_version. For a ' +
    'gateway of type modbus, baud_rate, keep_connection, inter_request_ms and timeout_ms take precedence ' +
    'over the register maps, whose defaults are none, true, 20 and 1000.',
})
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Model = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Model, which determines the matching firmware.',
})
const PollInterval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'Polling interval in seconds.',
})

export const Gateway = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    gateway_type: Word(GATEWAY_TYPES),
    subregion_id: Nullable(Id),
    host: Nullable(Type.String()),
    port: Nullable(Port),
    serial_number: Nullable(Type.String()),
    client_id: Nullable(Type.String({ description: 'Client id of the gateway at the message broker.' })),
    poll_interval_s: Nullable(PollInterval),
    model: Nullable(Model),
    is_online: Type.Boolean({
      description:
        'Online state: from the broker or poller while it reports on the gateway, otherwise from the time ' +
        'of the last message.',
    }),
    last_seen: Nullable(Instant),
    firmware_version: Nullable(Type.String()),
    clock_skew_ms: Nullable(
      Type.Number({
        description:
          'Difference between the clock of the gateway and that of the service in ms, positive when the ' +
          'gateway is ahead: median of the last messages.',
      }),
    ),
    config: Type.Unsafe<unknown>(GatewayConfig),
    config_version: Type.Integer({ description: 'Number of changes of config.' }),
    config_synced_at: Nullable(Instant),
    ...ConfigStateFields,
    created_at: Instant,
  },
  { title: 'Gateway' },
)

export const CreateGateway = Type.Object(
  {
    name: Text(GATEWAY_NAME_MAX_LENGTH),
    gateway_type: GatewayType,
    subregion_id: Type.Optional(Nullable(Id)),
    host: Type.Optional(Nullable(Text(255))),
    port: Type.Optional(Nullable(Port)),
    serial_number: Type.Optional(Nullable(Text(100))),
    client_id: Type.Optional(Nullable(Text(100))),
    poll_interval_s: Type.Optional(Nullable(PollInterval)),
    firmware_version: Type.Optional(Nullable(Text(100))),
    model: Type.Optional(Nullable(Model)),
    config: Type.Optional(GatewayConfig),
  },
  { title: 'CreateGateway' },
)
/** Omitted fields are unchanged; null clears. The type is fixed once the gateway exists. */
export const UpdateGateway = Type.Partial(Type.Omit(CreateGateway, ['gateway_type']), {
  title: 'UpdateGateway',
})

export const GatewayQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'gateway_type', 'last_seen']),
  search: Search('name, serial number, client id and model'),
  gateway_type: Type.Optional(GatewayType),
  subregion_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
})

export const BrokerGateway = Type.Object(
  {
    id: Id,
    name: Type.String(),
    gateway_type: Word(['mqtt', 'zigbee']),
    client_id: Nullable(Type.String({ description: 'Client id of the gateway at the message broker.' })),
    is_online: Type.Boolean({ description: 'Online state, as in the response for a single gateway.' }),
    last_seen: Nullable(Instant),
    subregion_id: Nullable(Id),
  },
  { title: 'BrokerGateway' },
)
export const BrokerGatewayQuery = Type.Object({
  ...ListQuery(),
  search: Search('name and client id'),
  subregion_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
})

export type BrokerGatewayQuery = Static<typeof BrokerGatewayQuery>
export type CreateGateway = Static<typeof CreateGateway>
export type UpdateGateway = Static<typeof UpdateGateway>
export type GatewayQuery = Static<typeof GatewayQuery>
