import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { TlsPort } from '../gateway-link/index.ts'
import { GATEWAY_NAME_MAX_LENGTH } from '../limits.ts'
import { CLAIM_STATUSES } from './claim-states.ts'
import {
  ZIGBEE_CLAIM_TTL_MAX_MINUTES,
  ZIGBEE_CLAIM_TTL_MIN_MINUTES,
  ZIGBEE_CLAIM_TTL_MINUTES,
  ZIGBEE_PERMIT_JOIN_MAX_S,
} from './limits.ts'

const IeeeAddress = Type.String({ description: 'IEEE address, 0x and 16 hexadecimal digits.' })

export const GenerateClaim = Type.Object(
  {
    gateway_name: {
      ...Text(GATEWAY_NAME_MAX_LENGTH),
      description: 'Name of the future gateway; unique in the tenant.',
    },
    subregion_id: Type.Optional(Nullable(Id)),
    expires_in_minutes: Type.Optional(
      Type.Integer({
        minimum: ZIGBEE_CLAIM_TTL_MIN_MINUTES,
        maximum: ZIGBEE_CLAIM_TTL_MAX_MINUTES,
        description: `Validity in minutes. Default: ${ZIGBEE_CLAIM_TTL_MINUTES}.`,
      }),
    ),
  },
  { title: 'GenerateZigbeeClaim' },
)
export const Claim = Type.Object(
  {
    id: Id,
    code: Type.String({
      description:
        'Code, complete only in the response that creates it; later only the last four characters.',
    }),
    gateway_name: Type.String({ description: 'Name of the future gateway.' }),
    subregion_id: Nullable(Id),
    status: Word(CLAIM_STATUSES),
    created_at: Instant,
    expires_at: Instant,
  },
  { title: 'ZigbeeClaim' },
)
export const ClaimQuery = Type.Object({
  ...PageQuery(['created_at', 'expires_at', 'gateway_name']),
  search: Search('name of the gateway'),
})

export const RedeemClaim = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 50, description: 'Code; dashes and case are ignored.' }),
    ieee_address: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^0x[0-9a-fA-F]{16}$',
          description:
            'IEEE address of the coordinator. An existing gateway of the tenant with this address receives a ' +
            'new login instead of a duplicate.',
        }),
      ),
    ),
  },
  { title: 'RedeemZigbeeClaim' },
)
export const Redeemed = Type.Object(
  {
    gateway_id: Id,
    gateway_name: Type.String({ description: 'Name of the gateway.' }),
    mqtt: Type.Object(
      {
        username: Type.String({ description: 'User name: the id of the gateway.' }),
        password: Nullable(
          Type.String({
            description:
              'Password, returned only in this response; null if an external broker manages its users.',
          }),
        ),
        topic_root: Type.String({
          description: 'Topic prefix of the gateway; at the embedded broker topics need not begin with it.',
        }),
        base_topic: Type.String({ description: 'Base topic of zigbee2mqtt, below topic_root.' }),
        tls_port: TlsPort,
      },
      { description: 'Values for the section mqtt of the configuration of zigbee2mqtt.' },
    ),
  },
  { title: 'RedeemedZigbeeClaim' },
)

export const ZigbeeGateway = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique among the gateways of the tenant.' }),
    subregion_id: Nullable(Id),
    ieee_address: Nullable({ ...IeeeAddress, description: 'IEEE address of the coordinator, as reported.' }),
    firmware_version: Nullable(Type.String({ description: 'Version of zigbee2mqtt.' })),
    is_online: Type.Boolean({ description: 'Online state, as for other gateways.' }),
    last_seen: Nullable(Instant),
    device_count: Type.Integer({ description: 'Number of paired devices, without the coordinator.' }),
    permit_join_until: Nullable({ ...Instant, description: 'Time until which new devices may join.' }),
    created_at: Instant,
  },
  { title: 'ZigbeeGateway' },
)
export const ZigbeeGatewayQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'last_seen']),
  search: Search('name and IEEE address'),
  subregion_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
})
/** Omitted fields are unchanged; null clears. */
export const UpdateZigbeeGateway = Type.Object(
  {
    name: Type.Optional(Text(GATEWAY_NAME_MAX_LENGTH)),
    subregion_id: Type.Optional(Nullable(Id)),
    permit_join_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ZIGBEE_PERMIT_JOIN_MAX_S,
        description:
          'Number of seconds for which new devices may join; 0 ends joining. Sent to the gateway immediately.',
      }),
    ),
  },
  { title: 'UpdateZigbeeGateway' },
)

export const ZigbeeDevice = Type.Object(
  {
    ieee_address: IeeeAddress,
    friendly_name: Type.String({ description: 'Name of the device in zigbee2mqtt.' }),
    vendor: Nullable(Type.String()),
    model: Nullable(Type.String()),
    supported: Type.Boolean({ description: 'Whether zigbee2mqtt supports the device.' }),
    availability: Nullable({
      ...Word(['online', 'offline']),
      description: 'Availability of the device; null until it is reported.',
    }),
    linkquality: Nullable(
      Type.Number({ description: 'Link quality of the latest sample of the last day, 0 to 255.' }),
    ),
    last_seen: Nullable({ ...Instant, description: 'Time of the latest sample.' }),
    first_seen: Instant,
    device_id: Nullable({ ...Id, description: 'Device record of this service.' }),
  },
  { title: 'ZigbeeDevice' },
)
export const ZigbeeDeviceQuery = Type.Object({
  ...PageQuery(['friendly_name', 'ieee_address', 'first_seen']),
  search: Search('name, IEEE address, vendor and model'),
  sort_order: Type.Unsafe<'asc' | 'desc'>({
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Ascending or descending.',
  }),
})

export type GenerateClaim = Static<typeof GenerateClaim>
export type ClaimQuery = Static<typeof ClaimQuery>
export type RedeemClaim = Static<typeof RedeemClaim>
export type ZigbeeGatewayQuery = Static<typeof ZigbeeGatewayQuery>
export type UpdateZigbeeGateway = Static<typeof UpdateZigbeeGateway>
export type ZigbeeDeviceQuery = Static<typeof ZigbeeDeviceQuery>
