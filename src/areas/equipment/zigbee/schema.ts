import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { GATEWAY_NAME_MAX_LENGTH } from '../limits.ts'
import { CLAIM_STATUSES } from './claim-states.ts'
import {
  ZIGBEE_CLAIM_TTL_MAX_MINUTES,
  ZIGBEE_CLAIM_TTL_MIN_MINUTES,
  ZIGBEE_CLAIM_TTL_MINUTES,
  ZIGBEE_PERMIT_JOIN_MAX_S,
} from './limits.ts'

const IeeeAddress = Type.String({ description: 'IEEE address, 0x and 16 hexadecimal digits.' })

export const GenerateClaim = Type.Object({
  gateway_name: {
    ...Text(GATEWAY_NAME_MAX_LENGTH),
    description: 'What the gateway will be called; unique in the tenant.',
  },
  subregion_id: Type.Optional(Nullable(Id)),
  expires_in_minutes: Type.Optional(
    Type.Integer({
      minimum: ZIGBEE_CLAIM_TTL_MIN_MINUTES,
      maximum: ZIGBEE_CLAIM_TTL_MAX_MINUTES,
      description: `${ZIGBEE_CLAIM_TTL_MINUTES} when left out.`,
    }),
  ),
})
export const Claim = Type.Object({
  id: Id,
  code: Type.String({
    description: 'Whole in the answer that makes it, and only there; later the last four characters.',
  }),
  gateway_name: Type.String({ description: 'What the gateway will be called.' }),
  subregion_id: Nullable(Id),
  status: Word(CLAIM_STATUSES),
  created_at: Instant,
  expires_at: Instant,
})
export const ClaimQuery = Type.Object(PageQuery(['created_at', 'expires_at', 'gateway_name']))

export const RedeemClaim = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 50, description: 'Dashes and case do not matter.' }),
  ieee_address: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{16}$',
        description:
          'Of the coordinator. A gateway of the tenant that has it already is given a new login instead ' +
          'of a twin.',
      }),
    ),
  ),
})
export const Redeemed = Type.Object({
  gateway_id: Id,
  gateway_name: Type.String({ description: 'Its name among the gateways.' }),
  mqtt: Type.Object(
    {
      username: Type.String({ description: "The gateway's id." }),
      password: Nullable(
        Type.String({ description: 'Shown this once. Null where an outside broker keeps its own users.' }),
      ),
      topic_root: Type.String({
        description: 'Where its topics lie; at the embedded broker they need not begin with it.',
      }),
      base_topic: Type.String({ description: "zigbee2mqtt's base topic, below the root." }),
    },
    { description: 'For the section mqtt of the configuration of zigbee2mqtt.' },
  ),
})

export const ZigbeeGateway = Type.Object({
  id: Id,
  name: Type.String({ description: 'Unique among the gateways of the tenant.' }),
  subregion_id: Nullable(Id),
  ieee_address: Nullable({ ...IeeeAddress, description: 'Of its coordinator, as it says itself.' }),
  firmware_version: Nullable(Type.String({ description: 'Of zigbee2mqtt.' })),
  is_online: Type.Boolean({ description: 'As among the gateways.' }),
  last_seen: Nullable(Instant),
  device_count: Type.Integer({ description: 'Paired devices, the coordinator left out.' }),
  permit_join_until: Nullable({ ...Instant, description: 'New devices may join until then.' }),
  created_at: Instant,
})
export const ZigbeeGatewayQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'last_seen']),
  subregion_id: Type.Optional(Id),
  is_online: Type.Optional(Type.Boolean()),
})
/** Omitted fields are unchanged; null clears. */
export const UpdateZigbeeGateway = Type.Object({
  name: Type.Optional(Text(GATEWAY_NAME_MAX_LENGTH)),
  subregion_id: Type.Optional(Nullable(Id)),
  permit_join_s: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ZIGBEE_PERMIT_JOIN_MAX_S,
      description: 'Lets new devices join for so many seconds; 0 ends it. Sent to the gateway at once.',
    }),
  ),
})

export const ZigbeeDevice = Type.Object({
  ieee_address: IeeeAddress,
  friendly_name: Type.String({ description: 'What zigbee2mqtt calls it.' }),
  vendor: Nullable(Type.String()),
  model: Nullable(Type.String()),
  supported: Type.Boolean({ description: 'zigbee2mqtt knows how to read it.' }),
  availability: Nullable({ ...Word(['online', 'offline']), description: 'Null until it is told.' }),
  linkquality: Nullable(Type.Number({ description: 'Of its newest sample of the last day, 0 to 255.' })),
  last_seen: Nullable({ ...Instant, description: 'Its newest sample.' }),
  first_seen: Instant,
  device_id: Nullable({ ...Id, description: 'Its record among the devices.' }),
})
export const ZigbeeDeviceQuery = Type.Object({
  ...PageQuery(['friendly_name', 'ieee_address', 'first_seen']),
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
