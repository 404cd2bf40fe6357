import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  Text,
  Warnings,
  Word,
} from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { GroupLimit, IncludeLimits } from '../../limit-balances/index.ts'
import { CORRECTION_QUIET_MAX_MINUTES, CORRECTION_QUIET_MIN_MINUTES } from '../../limits.ts'
import { EligibilityStatus, Origin, optional } from '../../shared/index.ts'
import { GROUP_STALE_FIELDS } from '../../stale/index.ts'
import { GROUP_STATUSES } from './status.ts'

const MEMBER_ROLES = ['production', 'consumption', 'mixed'] as const
const STATUS_TEXT =
  'Status of the group; it advances one step at a time, and inactive is allowed from every status. ' +
  'inactive and is_active determine each other.'
const ACTIVE_TEXT = 'false if and only if group_status is inactive; an inactive group is not calculated.'
const MODE_TEXT =
  'What happens when the input of a closed month changes: manual: an alarm opens, and a person corrects; automatic: ' +
  'in addition the service corrects after the quiet period. Until its settlement is final (day 15 of the next month) ' +
  'a month is also calculated again every night.'
const QUIET_TEXT = 'Minutes without a further change before an automatic correction.'
const CORRECTION_MODES = ['manual', 'automatic'] as const
const FROM_TEXT = 'First Turkey-local day of the membership.'
const TO_TEXT = 'End of validity, exclusive: a Turkey-local day; null: open.'

export const Group = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    scope_id: Nullable(described(Id, 'Scope that represents one official party.')),
    responsible_supplier_id: Nullable(described(Id, 'Supplier that settles the group.')),
    is_active: Type.Boolean({ description: ACTIVE_TEXT }),
    group_status: described(Word(GROUP_STATUSES), STATUS_TEXT),
    eligibility_status: described(EligibilityStatus, 'Result of the latest evaluation.'),
    correction_mode: described(Word(CORRECTION_MODES), MODE_TEXT),
    correction_quiet_minutes: Type.Integer({ description: QUIET_TEXT }),
    ...GROUP_STALE_FIELDS,
    notes: Nullable(Type.String({ description: 'Free text.' })),
    origin: Origin,
    created_at: Instant,
  },
  { title: 'NettingGroup' },
)

const groupFields = {
  scope_id: optional(described(Id, 'Scope that represents one official party.')),
  responsible_supplier_id: optional(described(Id, 'Supplier that settles the group.')),
  notes: optional(described(Text(5000), 'Free text.')),
  correction_mode: Type.Optional(described(OneOf(CORRECTION_MODES), `${MODE_TEXT} Default: manual.`)),
  correction_quiet_minutes: Type.Optional(
    Type.Integer({
      minimum: CORRECTION_QUIET_MIN_MINUTES,
      maximum: CORRECTION_QUIET_MAX_MINUTES,
      description: `${QUIET_TEXT} Default: 60.`,
    }),
  ),
}
export const CreateGroup = Type.Object(
  {
    name: described(Text(200), 'Name, unique in the tenant.'),
    is_active: Type.Optional(Type.Boolean({ description: `${ACTIVE_TEXT} Default: true.` })),
    ...groupFields,
  },
  { title: 'CreateNettingGroup' },
)
/** Omitted fields are unchanged; null clears. eligibility_status is ignored. */
export const UpdateGroup = Type.Object(
  {
    name: Type.Optional(Text(200)),
    is_active: Type.Optional(
      Type.Boolean({
        description: `${ACTIVE_TEXT} true on an inactive group sets group_status to customer_defined.`,
      }),
    ),
    group_status: Type.Optional(described(OneOf(GROUP_STATUSES), STATUS_TEXT)),
    ...groupFields,
  },
  { title: 'UpdateNettingGroup' },
)
export const ListedGroup = Type.Object(
  {
    ...Group.properties,
    limits: Type.Optional(
      described(GroupLimit, 'Limits of the consumers in the current year, with include=limits.'),
    ),
  },
  { title: 'ListedNettingGroup' },
)
export const GroupQuery = Type.Object({
  ...ListQuery(),
  include: IncludeLimits,
  search: Search('name'),
  scope_id: Type.Optional(Id),
  is_active: Type.Optional(Type.Boolean()),
  stale: Type.Optional(
    Type.Boolean({ description: 'true: only groups with stale results; false: only groups without.' }),
  ),
})

export const Member = Type.Object(
  {
    id: Id,
    group_id: described(Id, 'Group; cannot be changed.'),
    facility_id: described(Id, 'Facility; cannot be changed.'),
    member_role: described(Word(MEMBER_ROLES), 'Role of the member; mixed: produces and consumes.'),
    valid_from: described(LocalDate, FROM_TEXT),
    valid_to: Nullable(described(LocalDate, TO_TEXT)),
    declared_by: Nullable(described(Id, 'User who added the membership.')),
    origin: Origin,
    created_at: Instant,
    ...Warnings,
  },
  { title: 'GroupMember' },
)
export const AddMember = Type.Object(
  {
    facility_id: described(Id, 'Facility; member of at most one group at any time.'),
    member_role: described(OneOf(MEMBER_ROLES), 'Role of the member; mixed: produces and consumes.'),
    valid_from: described(LocalDate, `${FROM_TEXT} It is not before the current month.`),
    valid_to: optional(described(LocalDate, TO_TEXT)),
  },
  { title: 'AddGroupMember' },
)
/** Omitted fields are unchanged; null clears. group_id and facility_id are ignored. */
export const UpdateMember = Type.Object(
  {
    member_role: Type.Optional(
      described(OneOf(MEMBER_ROLES), 'Role of the member; mixed: produces and consumes.'),
    ),
    valid_from: Type.Optional(
      described(LocalDate, `${FROM_TEXT} A new value is not before the current month.`),
    ),
    valid_to: optional(described(LocalDate, `${TO_TEXT} It may lie in the past.`)),
  },
  { title: 'UpdateGroupMember' },
)
export const MemberQuery = Type.Object({
  active_only: Type.Boolean({
    default: false,
    description: 'true: only memberships that have not ended today.',
  }),
})
export const MemberParams = Type.Object({ id: Id, member_id: Id })

export type CreateGroup = Static<typeof CreateGroup>
export type UpdateGroup = Static<typeof UpdateGroup>
export type GroupQuery = Static<typeof GroupQuery>
export type AddMember = Static<typeof AddMember>
export type UpdateMember = Static<typeof UpdateMember>
export type MemberQuery = Static<typeof MemberQuery>
