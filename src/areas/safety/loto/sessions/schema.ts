import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { ListQuery, PageQuery } from '../../../../platform/http/page.ts'
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
  description: 'The points that are isolated together, in the order of the work.',
})

export const LotoLock = Type.Object({
  id: Id,
  session_id: described(Id, 'The session that the owner works under.'),
  point_id: described(Id, 'The point that it hangs at.'),
  lock_number: orNull(Type.String(), 'What stands on the padlock.'),
  owner_id: described(Id, 'The user whose personal lock it is: whoever placed it.'),
  owner_name: described(Type.String(), 'What stands on the tag: the name of the user then, or the address.'),
  placed_at: described(Instant, 'Since when it hangs.'),
  removed_at: orNull(Instant, 'Null while it hangs.'),
  removed_by: orNull(Id, 'The user who took it away.'),
  removed_by_name: orNull(Type.String(), 'The name of that user then.'),
  is_forced: Type.Boolean({ description: 'It was taken away by somebody who did not own it.' }),
  removal_reason: orNull(Type.String(), 'Why it was taken away; always there when that was forced.'),
})

const Verification = Type.Object({
  method: described(
    Word(['measured', 'manual']),
    'measured: by the meter of the point. manual: by the one who applied the session, on the spot.',
  ),
  measured_at: orNull(Instant, 'The time of the newest reading.'),
  values: Nullable(
    Type.Record(Type.String(), Type.Number(), { description: 'What the meter showed, by metric.' }),
  ),
  note: orNull(Type.String(), 'How it was verified by hand, for people.'),
  verified_by: described(Id, 'The user who applied the session.'),
  verified_at: described(Instant, 'When it was verified.'),
})

const SessionPoint = Type.Object({
  id: Id,
  ...PointFields,
  subregion_name: orNull(Type.String(), 'Of its subregion.'),
  device_name: orNull(Type.String(), 'Of its device.'),
  verification: Type.Union([Verification, Type.Null()], {
    description: 'How it was shown that no energy is there; null before the session is applied.',
  }),
})

const by = (done: string) => orNull(Id, `The user who ${done} it.`)
const at = (done: string) => orNull(Instant, `When it was ${done}.`)
const sessionFields = {
  id: Id,
  title: described(Type.String(), 'What the work is.'),
  reason: described(Type.String(), 'Why it needs isolation.'),
  status: described(
    Word(SESSION_STATUSES),
    'pending; approved: locks may be placed; rejected; applied: verified to be without energy; released.',
  ),
  point_ids: described(Type.Array(Id), 'The points that are isolated together, in the order of the work.'),
  locks_left: Type.Integer({ description: 'Locks that hang now; it is released only when none is left.' }),
  requested_by: described(Id, 'The user who asked for it; somebody else approves it.'),
  approved_by: by('approved'),
  approved_at: at('approved'),
  rejected_by: by('rejected'),
  rejected_at: at('rejected'),
  applied_by: by('applied'),
  applied_at: at('applied'),
  released_by: by('released'),
  released_at: at('released'),
  created_at: Instant,
  updated_at: described(Instant, 'When it was last changed.'),
}
export const LotoSession = Type.Object(sessionFields)
export const LotoSessionDetail = Type.Object({
  ...sessionFields,
  points: Type.Array(SessionPoint, {
    description: 'The points as they were approved; before that as they are.',
  }),
  locks: Type.Array(LotoLock, {
    description: 'Its locks, also those that were taken away, the first first.',
  }),
})

export const CreateLotoSession = Type.Object({
  title: described(NonBlank(LOTO_NAME_MAX), 'What the work is.'),
  reason: described(NonBlank(LOTO_TEXT_MAX), 'Why it needs isolation.'),
  point_ids: PointIds,
})
/** Omitted fields are unchanged. */
export const UpdateLotoSession = Type.Partial(CreateLotoSession)

export const LotoSessionQuery = Type.Object({
  ...PageQuery(['created_at', 'title', 'status', 'updated_at']),
  status: Type.Optional(described(OneOf(SESSION_STATUSES), 'Only in this status.')),
  point_id: Type.Optional(described(Id, 'Only with this point.')),
  device_id: Type.Optional(described(Id, 'Only with a point of this device.')),
  subregion_id: Type.Optional(described(Id, 'Only with a point in this subregion.')),
  requested_by: Type.Optional(described(Id, 'Only asked for by this user.')),
  from: Type.Optional(described(InstantIn, 'Asked for then or later. Without an offset Turkey-local.')),
  to: Type.Optional(described(InstantIn, 'Asked for before then.')),
})

const Note = Type.Optional(orNull(Text(LOTO_TEXT_MAX), 'What you want to say; kept in the trail.'))
/** The body may be left out. */
export const LotoNote = Nullable(Type.Object({ note: Note }))
export const LotoRejection = Nullable(
  Type.Object({ reason: Type.Optional(orNull(Text(LOTO_TEXT_MAX), 'Why; kept in the trail.')), note: Note }),
)
export const LotoApplication = Nullable(
  Type.Object({
    note: Note,
    manual_verifications: Type.Optional(
      Type.Array(
        Type.Object({
          point_id: described(Id, 'A point of the session.'),
          note: described(
            NonBlank(LOTO_TEXT_MAX),
            'How it was verified: what was measured, with which instrument.',
          ),
        }),
        {
          maxItems: LOTO_POINTS_MAX,
          description:
            'What was verified on the spot. Needed for a point whose meter says nothing; it does not help ' +
            'against one that ' +
            'shows energy.',
        },
      ),
    ),
  }),
)

export const PlaceLotoLock = Type.Object({
  session_id: described(Id, 'The session that you work under; approved or applied.'),
  point_id: described(Id, 'The point that it hangs at; one of the session.'),
  lock_number: Type.Optional(
    Nullable(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        minLength: 1,
        maxLength: LOTO_LOCK_NUMBER_MAX,
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'What stands on the padlock; unique among the locks that hang in the session.',
      }),
    ),
  ),
})
const Reason = Type.Optional(orNull(Text(LOTO_TEXT_MAX), 'Why; needed to take away a lock of somebody else.'))
/** Clients that cannot send a body with DELETE give the reason in the query. */
export const LotoRemovalQuery = Type.Object({
  reason: Type.Optional(
    described(
      Text(LOTO_TEXT_MAX),
      'Why; needed to take away a lock of somebody else. May stand in the body.',
    ),
  ),
})
export const LotoRemoval = Nullable(Type.Object({ reason: Reason }))

export const LotoEvent = Type.Object({
  id: Id,
  event_type: described(
    Word([
      ...['requested', 'changed', 'approved', 'rejected', 'applied', 'released', 'lock_placed'],
      ...['lock_removed', 'lock_forced'],
    ]),
    'What happened.',
  ),
  occurred_at: described(Instant, 'When.'),
  by_user: described(Id, 'Who did it.'),
  by_name: described(Type.String(), 'The name of that user then, or the address.'),
  details: described(
    FreeForm,
    'What belongs to the event: note, reason, lock_number, point_id, verifications.',
  ),
})
export const LotoEventQuery = Type.Object(ListQuery())
export const LotoRecordQuery = Type.Object({
  locale: Type.Unsafe<'tr' | 'en'>({
    ...OneOf(['tr', 'en']),
    default: 'tr',
    description: 'The language of the record.',
  }),
})

export type LotoSessionQuery = Static<typeof LotoSessionQuery>
export type CreateLotoSession = Static<typeof CreateLotoSession>
export type UpdateLotoSession = Static<typeof UpdateLotoSession>
export type LotoApplication = Static<typeof LotoApplication>
export type PlaceLotoLock = Static<typeof PlaceLotoLock>
