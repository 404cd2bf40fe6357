import { type Static, Type } from 'typebox'
import { DAY_MS } from '../../../kernel/time.ts'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { ListQuery, PageQuery } from '../../../platform/http/page.ts'
import { INCIDENT_NOTE_MAX, SNOOZE_MAX_MS } from './limits.ts'
import { INCIDENT_STATUSES } from './states.ts'

const SEVERITIES = ['info', 'warning', 'critical'] as const
const ALARM_TYPES = [
  ...['threshold', 'rate_of_change', 'offline', 'no_data', 'counter_reset', 'limit', 'custom'],
] as const
const SNOOZE_MAX_DAYS = SNOOZE_MAX_MS / DAY_MS

const described = <T extends Type.TSchema>(schema: T, description: string): T => ({ ...schema, description })
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Nullable(described(schema, description))
const FreeForm = Type.Unsafe<unknown>({ type: 'object', additionalProperties: true })

export const Incident = Type.Object({
  id: Id,
  policy_id: Id,
  policy_name: described(Type.String(), 'Of the policy, as it is called now.'),
  device_id: orNull(Id, 'Null for a system alarm, which is about no device.'),
  device_name: orNull(Type.String(), 'Of the device, as it is called now.'),
  alarm_type: orNull(Word(ALARM_TYPES), 'Of the policy.'),
  severity: described(Word(SEVERITIES), 'info, warning or critical.'),
  status: described(
    Word(INCIDENT_STATUSES),
    'active; acknowledged: somebody knows; snoozed: quiet until snoozed_until, then active again; closed.',
  ),
  message: described(Type.String(), 'What is wrong, for people.'),
  triggered_at: described(Instant, 'Since when it is wrong; of a device, in the time of its samples.'),
  acknowledged_at: orNull(Instant, 'When somebody last acknowledged it; null again when it wakes.'),
  acknowledged_by: orNull(Id, 'The user who did.'),
  snoozed_until: orNull(Instant, 'When it wakes; null unless it is snoozed.'),
  closed_at: orNull(Instant, 'Null while it is open.'),
  closed_by: orNull(Id, 'The user who closed it; null when the service did, because it had passed.'),
  last_value: orNull(Type.Number(), 'The last value that it was judged by; in the unit of its metric.'),
  payload: described(
    FreeForm,
    'What it is about: of a system alarm group_id, group_name, facility_id, facility_name, rule_code, ' +
      'scopes.',
  ),
})

export const IncidentQuery = Type.Object({
  ...PageQuery(['triggered_at', 'severity', 'status', 'closed_at', 'last_value']),
  severity: Type.Optional(described(OneOf(SEVERITIES), 'Only of this severity.')),
  status: Type.Optional(described(OneOf(INCIDENT_STATUSES), 'Only in this status, as it is at this moment.')),
  is_open: Type.Optional(Type.Boolean({ description: 'true: all but the closed ones; false: only those.' })),
  device_id: Type.Optional(described(Id, 'Only of this device.')),
  policy_id: Type.Optional(described(Id, 'Only of this policy.')),
  alarm_type: Type.Optional(described(OneOf(ALARM_TYPES), 'Only of policies of this type.')),
  from: Type.Optional(described(InstantIn, 'Triggered then or later. Without an offset Turkey-local.')),
  to: Type.Optional(described(InstantIn, 'Triggered before then.')),
})

const count = (what: string) => Type.Integer({ description: `Open incidents ${what}.` })

export const IncidentCount = Type.Object({
  total: count('in all: every one that is not closed'),
  by_severity: Type.Object(
    {
      critical: count('that are critical'),
      warning: count('that are warnings'),
      info: count('that are for information'),
    },
    { description: 'The same incidents by severity.' },
  ),
  by_status: Type.Object(
    {
      active: count('that nobody has acknowledged or snoozed'),
      acknowledged: count('that somebody knows of'),
      snoozed: count('that are quiet for a while'),
    },
    { description: 'The same incidents by status.' },
  ),
})

export const IncidentEvent = Type.Object({
  id: Id,
  event_type: described(
    Word(['raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended']),
    'What happened.',
  ),
  occurred_at: described(
    Instant,
    'When it was written down; details.at has the time of the samples, where they tell it.',
  ),
  by_user: orNull(Id, 'Who did it; null for the service itself.'),
  by_email: orNull(Type.String(), 'The address of that user; null when there is no such user any more.'),
  details: described(FreeForm, 'What belongs to the event: note, until, severity, message, reason, at.'),
})
export const IncidentEventQuery = Type.Object(ListQuery())

const Note = Type.Optional(
  Nullable({ ...Text(INCIDENT_NOTE_MAX), description: 'What you want to say; kept in the trail.' }),
)
/** The body may be left out. */
export const NoteBody = Nullable(Type.Object({ note: Note }))
export const SnoozeBody = Type.Object({
  until: Type.Optional(
    described(
      InstantIn,
      `When it wakes: at most ${SNOOZE_MAX_DAYS} days ahead. Without an offset Turkey-local.`,
    ),
  ),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SNOOZE_MAX_MS / 60_000,
      description: 'For so long, instead of until.',
    }),
  ),
  note: Note,
})

export type IncidentQuery = Static<typeof IncidentQuery>
export type SnoozeBody = Static<typeof SnoozeBody>
