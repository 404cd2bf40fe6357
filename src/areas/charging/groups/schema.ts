import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
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
  name: 'Unique among the groups.',
  limit_kw: 'What all chargers together may draw.',
  min: 'Below this a connector is paused: cars want 6 A on each of their phases.',
  split:
    'Equal: every connector that charges has the same. By need: what a car shows that it does not use goes to others.',
  max_kw:
    'The most the charger can draw, all connectors together; counted until it has accepted its first limit.',
  unit: 'How the charger is told: in watts, or in amperes for each phase, at 230 V.',
  phases: 'How many phases it is connected with; for amperes.',
}

const MemberIn = Type.Object({
  charger_id: described(Id, 'A charger, which is in no other group.'),
  max_kw: described(KwIn, about.max_kw),
  unit: { ...OneOf(RATE_UNITS), default: 'W' as const, description: about.unit },
  phases: Type.Integer({ minimum: 1, maximum: 3, default: 3, description: about.phases }),
})

const Kw = Type.Number()
const Member = Type.Object({
  charger_id: Id,
  max_kw: described(Kw, about.max_kw),
  unit: described(Word(RATE_UNITS), about.unit),
  phases: Type.Integer({ description: about.phases }),
  state: described(
    Word(MEMBER_STATES),
    'Doubtful: it did not answer, and may follow what it was told. Refused: it is asked again soon. Removed: it is ' +
      'out of service, and counts with what it may still draw until it is taken out of the group.',
  ),
  charging_connectors: Type.Integer({ description: 'Of them charge.' }),
  share_kw: Nullable(described(Kw, 'The limit that it has accepted; null: none yet.')),
  share_until: Nullable(
    described(Instant, 'Until then; after it the fallback, unless it is renewed. Null: the fallback counts.'),
  ),
  fallback_kw: Nullable(described(Kw, 'What it may draw without being told.')),
  may_draw_kw: described(
    Kw,
    'The most that it may draw now, whatever reached it; counted against the limit.',
  ),
})

const GroupFields = {
  id: Id,
  name: described(Type.String(), about.name),
  subregion_id: Nullable(described(Id, 'Where it is.')),
  limit_kw: described(Kw, about.limit_kw),
  min_kw_per_connector: described(Kw, about.min),
  split: described(Word(SPLITS), about.split),
  created_at: Instant,
  updated_at: described(Instant, 'When it was last changed.'),
}

export const ChargingGroupHead = Type.Object({
  ...GroupFields,
  member_count: Type.Integer({ description: 'Chargers in it.' }),
})
export const ChargingGroup = Type.Object({
  ...GroupFields,
  may_draw_kw: described(Kw, 'What all of them may draw now at most.'),
  is_within_limit: Type.Boolean({
    description: 'False only while a charger has not accepted its first limit, or a lower one, yet.',
  }),
  members: Type.Array(Member, { description: 'By the id of the charger.' }),
})

export const CreateChargingGroup = Type.Object({
  name: described(Text(CHARGING_GROUP_NAME_MAX), about.name),
  subregion_id: Type.Optional(Nullable(described(Id, 'Where it is.'))),
  limit_kw: described(KwIn, about.limit_kw),
  min_kw_per_connector: { ...KwIn, default: CONNECTOR_MIN_KW, description: about.min },
  split: { ...OneOf(SPLITS), default: 'equal' as const, description: about.split },
  members: Type.Array(MemberIn, {
    maxItems: CHARGING_GROUP_MEMBERS_MAX,
    default: [],
    description: 'The chargers that share the limit.',
  }),
})
/** Omitted fields are unchanged; members are replaced as a whole. */
export const UpdateChargingGroup = Type.Object({
  name: Type.Optional(described(Text(CHARGING_GROUP_NAME_MAX), about.name)),
  subregion_id: Type.Optional(Nullable(described(Id, 'Where it is.'))),
  limit_kw: Type.Optional(described(KwIn, about.limit_kw)),
  min_kw_per_connector: Type.Optional(described(KwIn, about.min)),
  split: Type.Optional({ ...OneOf(SPLITS), description: about.split }),
  members: Type.Optional(
    Type.Array(MemberIn, {
      maxItems: CHARGING_GROUP_MEMBERS_MAX,
      description: 'All chargers that share the limit; one that is left out is told that it has none.',
    }),
  ),
})

export const GroupQuery = Type.Object({
  ...PageQuery(['created_at', 'name']),
  subregion_id: Type.Optional(described(Id, 'Only of this subregion.')),
})

export type MemberIn = Static<typeof MemberIn>
export type CreateChargingGroup = Static<typeof CreateChargingGroup>
export type UpdateChargingGroup = Static<typeof UpdateChargingGroup>
export type GroupQuery = Static<typeof GroupQuery>
