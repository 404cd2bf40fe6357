import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { ListQuery, PageQuery, Search } from '../../../../platform/http/page.ts'
import { localeField } from '../../../../platform/http/reports.ts'
import { LOTO_LOCK_NUMBER_MAX, LOTO_NAME_MAX, LOTO_POINTS_MAX, LOTO_TEXT_MAX } from '../limits.ts'
import { NonBlank, PointFields } from '../points/schema.ts'
import { SESSION_STATUSES } from './states.ts'

const described = <T extends Type.TSchema>(schema: T, description: string): T => ({ ...schema, description })
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Nullable(described(schema, description))
const FreeForm = Type.Unsafe<unknown>({ type: 'object', additionalProperties: true })
const PointIds = Type.Array(Id, {
  minItems: 1,
  maxItems: LOTO_POINTS_MAX,
  description: 'Points that are isolated together, in the order of the work.',
})

export const LotoLock = Type.Object(
  {
    id: Id,
    session_id: described(Id, 'Session of the lock.'),
    point_id: described(Id, 'Point at which the lock is placed.'),
    lock_number: orNull(Type.String(), 'Number on the padlock.'),
    owner_id: described(Id, 'Owner of the lock: the user who placed it.'),
    owner_name: described(
      Type.String(),
      'Name on the tag: the name of the user at that time, or the e-mail address.',
    ),
    placed_at: described(Instant, 'Time at which the lock was placed.'),
    removed_at: orNull(Instant, 'Time of the removal; null while the lock is in place.'),
    removed_by: orNull(Id, 'User who removed the lock.'),
    removed_by_name: orNull(Type.String(), 'Name of that user at the time of the removal.'),
    is_forced: Type.Boolean({ description: 'Whether a user other than the owner removed the lock.' }),
    removal_reason: orNull(
      Type.String(),
      'Reason for the removal; always present if the removal was forced.',
    ),
  },
  { title: 'LotoLock' },
)

const Verification = Type.Object({
  method: described(
    Word(['measured', 'manual']),
    'Method of verification. measured: by the meter of the point. manual: on site by the user who ' +
      'applied the session.',
  ),
  measured_at: orNull(Instant, 'Time of the latest reading.'),
  values: Nullable(
    Type.Record(Type.String(), Type.Number(), { description: 'Readings of the meter, by metric.' }),
  ),
  note: orNull(Type.String(), 'Human-readable description of the manual verification.'),
  verified_by: described(Id, 'User who applied the session.'),
  verified_at: described(Instant, 'Time of the verification.'),
})

const SessionPoint = Type.Object({
  id: Id,
  ...PointFields,
  subregion_name: orNull(Type.String(), 'Name of the subregion.'),
  device_name: orNull(Type.String(), 'Name of the device.'),
  verification: Type.Union([Verification, Type.Null()], {
    description: 'Verification that the point is de-energized; null before the session is applied.',
  }),
})

const by = (done: string) => orNull(Id, `User who ${done} the session.`)
const at = (done: string) => orNull(Instant, `Time at which the session was ${done}.`)
const sessionFields = {
  id: Id,
  title: described(Type.String(), 'Title of the work.'),
  reason: described(Type.String(), 'Reason for the isolation.'),
  status: described(
    Word(SESSION_STATUSES),
    'pending; approved: locks may be placed; rejected; applied: verified to be de-energized; released.',
  ),
  point_ids: described(Type.Array(Id), 'Points that are isolated together, in the order of the work.'),
  locks_left: Type.Integer({
    description: 'Number of locks in place; the session can be released only when there is none.',
  }),
  requested_by: described(Id, 'User who requested the session; another user must approve it.'),
  approved_by: by('approved'),
  approved_at: at('approved'),
  rejected_by: by('rejected'),
  rejected_at: at('rejected'),
  applied_by: by('applied'),
  applied_at: at('applied'),
  released_by: by('released'),
  released_at: at('released'),
  created_at: Instant,
  updated_at: described(Instant, 'Time of the last change.'),
}
export const LotoSession = Type.Object(sessionFields, { title: 'LotoSession' })
export const LotoSessionDetail = Type.Object(
  {
    ...sessionFields,
    points: Type.Array(SessionPoint, {
      description: 'Points as approved; before the approval in their current state.',
    }),
    locks: Type.Array(LotoLock, {
      description: 'Locks of the session including removed ones, oldest first.',
    }),
  },
  { title: 'LotoSessionDetail' },
)

export const CreateLotoSession = Type.Object(
  {
    title: described(NonBlank(LOTO_NAME_MAX), 'Title of the work.'),
    reason: described(NonBlank(LOTO_TEXT_MAX), 'Reason for the isolation.'),
    point_ids: PointIds,
  },
  { title: 'CreateLotoSession' },
)
/** Omitted fields are unchanged. */
export const UpdateLotoSession = Type.Partial(CreateLotoSession, { title: 'UpdateLotoSession' })

export const LotoSessionQuery = Type.Object({
  ...PageQuery(['created_at', 'title', 'status', 'updated_at']),
  search: Search('title and reason'),
  status: Type.Optional(described(OneOf(SESSION_STATUSES), 'Only sessions with this status.')),
  point_id: Type.Optional(described(Id, 'Only sessions with this point.')),
  device_id: Type.Optional(described(Id, 'Only sessions with a point of this device.')),
  subregion_id: Type.Optional(described(Id, 'Only sessions with a point in this subregion.')),
  requested_by: Type.Optional(described(Id, 'Only sessions requested by this user.')),
  from: Type.Optional(
    described(InstantIn, 'Only sessions requested at or after this time. Turkey-local without an offset.'),
  ),
  to: Type.Optional(described(InstantIn, 'Only sessions requested before this time.')),
})

const Note = Type.Optional(orNull(Text(LOTO_TEXT_MAX), 'Note; stored in the audit trail.'))
/** The body may be left out. */
export const LotoNote = Nullable(Type.Object({ note: Note }))
export const LotoRejection = Nullable(
  Type.Object({
    reason: Type.Optional(orNull(Text(LOTO_TEXT_MAX), 'Reason; stored in the audit trail.')),
    note: Note,
  }),
)
export const LotoApplication = Nullable(
  Type.Object({
    note: Note,
    manual_verifications: Type.Optional(
      Type.Array(
        Type.Object({
          point_id: described(Id, 'Point of the session.'),
          note: described(
            NonBlank(LOTO_TEXT_MAX),
            'Description of the verification: the measured quantity and the instrument.',
          ),
        }),
        {
          maxItems: LOTO_POINTS_MAX,
          description:
            'Verifications on site. Required for a point whose meter has no fresh readings; they do not ' +
            'override a meter that shows energy.',
        },
      ),
    ),
  }),
)

export const PlaceLotoLock = Type.Object(
  {
    session_id: described(Id, 'Session of the work; it must be approved or applied.'),
    point_id: described(Id, 'Point at which the lock is placed; a point of the session.'),
    lock_number: Type.Optional(
      Nullable(
        Type.Unsafe<string | number>({
          type: ['string', 'integer'],
          minLength: 1,
          maxLength: LOTO_LOCK_NUMBER_MAX,
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Number on the padlock; unique among the locks in place in the session.',
        }),
      ),
    ),
  },
  { title: 'PlaceLotoLock' },
)
const Reason = Type.Optional(
  orNull(Text(LOTO_TEXT_MAX), 'Reason; required to remove a lock of another user.'),
)
/** Clients that cannot send a body with DELETE give the reason in the query. */
export const LotoRemovalQuery = Type.Object({
  reason: Type.Optional(
    described(
      Text(LOTO_TEXT_MAX),
      'Reason; required to remove a lock of another user. It can be sent in the body instead.',
    ),
  ),
})
export const LotoRemoval = Nullable(Type.Object({ reason: Reason }))

export const LotoEvent = Type.Object(
  {
    id: Id,
    event_type: described(
      Word([
        ...['requested', 'changed', 'approved', 'rejected', 'applied', 'released', 'lock_placed'],
        ...['lock_removed', 'lock_forced'],
      ]),
      'What happened.',
    ),
    occurred_at: described(Instant, 'Time of the event.'),
    by_user: described(Id, 'User who performed the action.'),
    by_name: described(Type.String(), 'Name of that user at that time, or the e-mail address.'),
    details: described(FreeForm, 'Details of the event: note, reason, lock_number, point_id, verifications.'),
  },
  { title: 'LotoEvent' },
)
export const LotoEventQuery = Type.Object(ListQuery())
export const LotoRecordQuery = Type.Object({
  locale: localeField('Language of the record.'),
})

export type LotoSessionQuery = Static<typeof LotoSessionQuery>
export type CreateLotoSession = Static<typeof CreateLotoSession>
export type UpdateLotoSession = Static<typeof UpdateLotoSession>
export type LotoApplication = Static<typeof LotoApplication>
export type PlaceLotoLock = Static<typeof PlaceLotoLock>
