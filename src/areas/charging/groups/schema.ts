import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { RATE_UNITS } from '../charging-profiles/index.ts'
import {
  CHARGING_GROUP_MEMBERS_MAX,
  CHARGING_GROUP_NAME_MAX,
  CHARGING_POWER_MAX_KW,
  CONNECTOR_MIN_KW,
} from '../limits.ts'

const SPLITS = ['equal', 'by_need'] as const
const MEMBER_STATES = [
  ...(['not_told', 'being_told', 'told', 'doubtful', 'refused', 'out_of_touch'] as const),
  'removed',
] as const

const KwIn = Type.Number({ minimum: 0.1, maximum: CHARGING_POWER_MAX_KW })
const about = {
  name: 'Name, unique among the groups.',
  limit_kw: 'Power limit of all chargers together, kW.',
  min:
    'Minimum power of a connector, kW; below it the connector is paused, because vehicles need 6 A on ' +
    'each phase.',
  split:
    'Equal: all charging connectors have the same share. By need: power that a vehicle does not use is ' +
    'given to others.',
  max_kw:
    'Maximum power of the charger, all connectors together, kW; counted until the charger has accepted ' +
    'its first limit.',
  unit: 'Unit of the limits sent to the charger: watts, or amperes per phase at 230 V.',
  phases: 'Number of connected phases, for limits in amperes.',
}

const MemberIn = Type.Object(
  {
    charger_id: described(Id, 'Charger; it must not belong to another group.'),
    max_kw: described(KwIn, about.max_kw),
    unit: { ...OneOf(RATE_UNITS), default: 'W' as const, description: about.unit },
    phases: Type.Integer({ minimum: 1, maximum: 3, default: 3, description: about.phases }),
  },
  { title: 'ChargingGroupMemberInput' },
)

const Kw = Type.Number()
const Member = Type.Object(
  {
    charger_id: Id,
    max_kw: described(Kw, about.max_kw),
    unit: described(Word(RATE_UNITS), about.unit),
    phases: Type.Integer({ description: about.phases }),
    state: described(
      Word(MEMBER_STATES),
      'State of the member. Doubtful: the charger did not respond and may or may not apply the sent ' +
        'limit. Refused: it rejected the limit; the limit is sent again soon. Removed: the charger is out ' +
        'of service and is counted with its possible power until it leaves the group.',
    ),
    charging_connectors: Type.Integer({ description: 'Number of charging connectors.' }),
    share_kw: Nullable(described(Kw, 'Accepted limit, kW; null: none yet.')),
    share_until: Nullable(
      described(
        Instant,
        'End of the accepted limit; afterwards the fallback applies unless the limit is renewed. null: the ' +
          'fallback applies.',
      ),
    ),
    fallback_kw: Nullable(described(Kw, 'Power limit without a valid share, kW.')),
    may_draw_kw: described(
      Kw,
      'Maximum power that the charger may draw now, regardless of which limit it received, kW; counted ' +
        'against the limit.',
    ),
  },
  { title: 'ChargingGroupMember' },
)

const GroupFields = {
  id: Id,
  name: described(Type.String(), about.name),
  subregion_id: Nullable(described(Id, 'Subregion of the group.')),
  limit_kw: described(Kw, about.limit_kw),
  min_kw_per_connector: described(Kw, about.min),
  split: described(Word(SPLITS), about.split),
  created_at: Instant,
  updated_at: described(Instant, 'When it was last changed.'),
}

export const ChargingGroupHead = Type.Object(
  {
    ...GroupFields,
    member_count: Type.Integer({ description: 'Number of chargers in the group.' }),
  },
  { title: 'ChargingGroupHead' },
)
export const ChargingGroup = Type.Object(
  {
    ...GroupFields,
    may_draw_kw: described(Kw, 'Maximum power of all chargers now, kW.'),
    is_within_limit: Type.Boolean({
      description: 'false only until a charger has accepted its first limit or a lower one.',
    }),
    members: Type.Array(Member, { description: 'Members, ordered by the id of the charger.' }),
  },
  { title: 'ChargingGroup' },
)

export const CreateChargingGroup = Type.Object(
  {
    name: described(Text(CHARGING_GROUP_NAME_MAX), about.name),
    subregion_id: Type.Optional(Nullable(described(Id, 'Subregion of the group.'))),
    limit_kw: described(KwIn, about.limit_kw),
    min_kw_per_connector: { ...KwIn, default: CONNECTOR_MIN_KW, description: about.min },
    split: { ...OneOf(SPLITS), default: 'equal' as const, description: about.split },
    members: Type.Array(MemberIn, {
      maxItems: CHARGING_GROUP_MEMBERS_MAX,
      default: [],
      description: 'Chargers that share the limit.',
    }),
  },
  { title: 'CreateChargingGroup' },
)
/** Omitted fields are unchanged; members are replaced as a whole. */
export const UpdateChargingGroup = Type.Object(
  {
    name: Type.Optional(described(Text(CHARGING_GROUP_NAME_MAX), about.name)),
    subregion_id: Type.Optional(Nullable(described(Id, 'Subregion of the group.'))),
    limit_kw: Type.Optional(described(KwIn, about.limit_kw)),
    min_kw_per_connector: Type.Optional(described(KwIn, about.min)),
    split: Type.Optional({ ...OneOf(SPLITS), description: about.split }),
    members: Type.Optional(
      Type.Array(MemberIn, {
        maxItems: CHARGING_GROUP_MEMBERS_MAX,
        description: 'All chargers that share the limit; the limit of a removed charger is cleared.',
      }),
    ),
  },
  { title: 'UpdateChargingGroup' },
)

export const GroupQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  search: Search('name'),
  subregion_id: Type.Optional(described(Id, 'Only of this subregion.')),
})

export type MemberIn = Static<typeof MemberIn>
export type CreateChargingGroup = Static<typeof CreateChargingGroup>
export type UpdateChargingGroup = Static<typeof UpdateChargingGroup>
export type GroupQuery = Static<typeof GroupQuery>
