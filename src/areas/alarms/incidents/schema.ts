import { type Static, Type } from 'typebox'
import { DAY_MS } from '../../../kernel/time.ts'
import { Id, Instant, InstantIn, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { ListQuery, PageQuery, Search } from '../../../platform/http/page.ts'
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

export const Incident = Type.Object(
  {
    id: Id,
    policy_id: Id,
    policy_name: described(Type.String(), 'Current name of the policy.'),
    device_id: orNull(Id, 'Device; null for a system alarm, which does not concern a device.'),
    device_name: orNull(Type.String(), 'Current name of the device.'),
    alarm_type: orNull(Word(ALARM_TYPES), 'Alarm type of the policy.'),
    severity: described(Word(SEVERITIES), 'info, warning or critical.'),
    status: described(
      Word(INCIDENT_STATUSES),
      'active; acknowledged: confirmed by a user; snoozed: suppressed until snoozed_until, then active ' +
        'again; closed.',
    ),
    message: described(Type.String(), 'Human-readable description of the problem.'),
    triggered_at: described(Instant, 'Start of the condition; for a device by sample time.'),
    acknowledged_at: orNull(Instant, 'Time of the last acknowledgement; reset to null when a snooze ends.'),
    acknowledged_by: orNull(Id, 'User who acknowledged the incident.'),
    snoozed_until: orNull(Instant, 'End of the snooze; null unless the incident is snoozed.'),
    closed_at: orNull(Instant, 'Time of closing; null while the incident is open.'),
    closed_by: orNull(
      Id,
      'User who closed the incident; null if the service closed it because the condition ended.',
    ),
    last_value: orNull(Type.Number(), 'Most recently evaluated value, in the unit of its metric.'),
    payload: described(
      FreeForm,
      'Subject of the incident: for a system alarm group_id, group_name, facility_id, facility_name, ' +
        'rule_code, scopes.',
    ),
  },
  { title: 'Incident' },
)

export const IncidentQuery = Type.Object({
  ...PageQuery(['triggered_at', 'severity', 'status', 'closed_at', 'last_value']),
  search: Search('message, and the names of the policy and the device'),
  severity: Type.Optional(described(OneOf(SEVERITIES), 'Only incidents of this severity.')),
  status: Type.Optional(
    described(OneOf(INCIDENT_STATUSES), 'Only incidents that currently have this status.'),
  ),
  is_open: Type.Optional(
    Type.Boolean({ description: 'true: only open incidents (not closed); false: only closed incidents.' }),
  ),
  device_id: Type.Optional(described(Id, 'Only incidents of this device.')),
  policy_id: Type.Optional(described(Id, 'Only incidents of this policy.')),
  alarm_type: Type.Optional(described(OneOf(ALARM_TYPES), 'Only incidents of policies of this type.')),
  from: Type.Optional(
    described(InstantIn, 'Only incidents triggered at or after this time. Turkey-local without an offset.'),
  ),
  to: Type.Optional(described(InstantIn, 'Only incidents triggered before this time.')),
})

const count = (what: string) => Type.Integer({ description: `Open incidents ${what}.` })

export const IncidentCount = Type.Object(
  {
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
  },
  { title: 'IncidentCount' },
)

export const IncidentEvent = Type.Object(
  {
    id: Id,
    event_type: described(
      Word(['raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended']),
      'Type of the event.',
    ),
    occurred_at: described(
      Instant,
      'Time at which the event was recorded; details.at contains the sample time, if the samples ' +
        'determine it.',
    ),
    by_user: orNull(Id, 'User who performed the action; null for the service.'),
    by_email: orNull(Type.String(), 'E-mail address of the user; null if the user no longer exists.'),
    details: described(FreeForm, 'Details of the event: note, until, severity, message, reason, at.'),
  },
  { title: 'IncidentEvent' },
)
export const IncidentEventQuery = Type.Object(ListQuery())

const Note = Type.Optional(
  Nullable({ ...Text(INCIDENT_NOTE_MAX), description: 'Note; stored in the audit trail.' }),
)
/** The body may be left out. */
export const NoteBody = Nullable(Type.Object({ note: Note }))
export const SnoozeBody = Type.Object(
  {
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
        description: 'Duration of the snooze in minutes, instead of until.',
      }),
    ),
    note: Note,
  },
  { title: 'SnoozeIncident' },
)

export type IncidentQuery = Static<typeof IncidentQuery>
export type SnoozeBody = Static<typeof SnoozeBody>
