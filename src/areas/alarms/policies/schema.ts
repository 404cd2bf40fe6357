import { type Static, Type } from 'typebox'
import { OPERATORS } from '../../../core/alarms/rule.ts'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import {
  DecimalIn,
  Id,
  Instant,
  Nullable,
  OneOf,
  Text,
  Warnings,
  Word,
} from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { SCHEDULE_WINDOWS_MAX } from './limits.ts'

const ALARM_TYPES = [
  'threshold',
  'rate_of_change',
  'offline',
  'no_data',
  'counter_reset',
  'limit',
  'custom',
] as const
/** Ascending. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
const CHANNELS = ['in_app', 'email', 'webhook', 'channel'] as const
const RATE_PERS = ['minute', 'hour'] as const

const Begin = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const End = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$' })
const Schedule = Type.Object(
  {
    windows: Type.Array(
      Type.Object({
        days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
          minItems: 1,
          maxItems: 7,
          description: 'Days of the week: 1 is Monday, 7 is Sunday.',
        }),
        from: { ...Begin, description: 'Start of the window, HH:MM, Turkey-local.' },
        to: {
          ...End,
          description:
            'End of the window, HH:MM or 24:00, Turkey-local. An end not after `from` is on the next day.',
        },
      }),
      {
        minItems: 1,
        maxItems: SCHEDULE_WINDOWS_MAX,
        description: 'Time windows in which the policy is evaluated.',
      },
    ),
  },
  {
    title: 'AlarmSchedule',
    description: 'Schedule in which the policy may open incidents, Turkey-local; null: always.',
  },
)
export type PolicySchedule = Static<typeof Schedule>

const TYPE = 'Alarm type; policies of the types limit and custom belong to the service.'
const SEVERITY = 'Severity of the incidents of the policy.'
const OPERATOR =
  'Comparison that triggers the alarm: value above, at or above, below, at or below, equal to, or ' +
  'not equal to the threshold.'
const RATE_PER = 'Time unit of a rate of change; default minute.'
const NOTIFY =
  'How incidents are notified; `channel` stands for all active channels of messaging platforms of the tenant.'
const ESCALATION =
  'Escalation policy of the incidents; null: the default of the tenant for their severity, if there is one.'
const ACTIVE = 'Whether the policy is evaluated.'
const METRIC =
  'Metric of samples, or the name of an extra value as sent by the device, without surrounding white ' +
  'space.'
const THRESHOLD =
  'Threshold that triggers the alarm, in the unit of the metric; for rate_of_change per minute or hour.'
const CLEAR = 'Threshold at which the condition ends; null: the same as threshold.'
const DELAY_ON =
  'Time for which the condition must hold before an incident opens, s, by sample time; for no_data ' +
  'and offline the duration of silence.'
const DELAY_OFF = 'Time for which the condition must be over before the incident closes, s.'

export const Policy = Type.Object(
  {
    id: Id,
    name: Type.String(),
    alarm_type: { ...Word(ALARM_TYPES), description: TYPE },
    device_id: Nullable({ ...Id, description: 'Device that the policy monitors.' }),
    subregion_id: Nullable({
      ...Id,
      description:
        'Subregion whose devices the policy monitors. If device_id and subregion_id are null, it monitors ' +
        'every device.',
    }),
    metric: Nullable(Type.String({ description: METRIC })),
    unit: Nullable(Type.String({ description: 'Unit of the metric.' })),
    operator: Nullable({ ...Word(OPERATORS), description: OPERATOR }),
    threshold: Nullable(Type.Number({ description: THRESHOLD })),
    clear_threshold: Nullable(Type.Number({ description: CLEAR })),
    rate_per: Nullable({ ...Word(RATE_PERS), description: RATE_PER }),
    delay_on_s: Type.Integer({ description: DELAY_ON }),
    delay_off_s: Type.Integer({ description: DELAY_OFF }),
    severity: { ...Word(SEVERITIES), description: SEVERITY },
    schedule: Type.Unsafe<unknown>(Nullable(Schedule)),
    notify: Type.Array(Word(CHANNELS), { description: NOTIFY }),
    escalation_policy_id: Nullable({ ...Id, description: ESCALATION }),
    is_active: Type.Boolean({ description: ACTIVE }),
    watched_from: { ...Instant, description: 'Samples before this time are not evaluated.' },
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'AlarmPolicy' },
)

/** The response of a change: with warnings about a policy that may never open an incident. */
export const ChangedPolicy = Type.Object(
  { ...Policy.properties, ...Warnings },
  { title: 'ChangedAlarmPolicy' },
)

const Delay = (description: string) => Type.Integer({ minimum: 0, maximum: 2_592_000, description })

const evaluatedFields = {
  alarm_type: { ...OneOf(ALARM_TYPES), description: TYPE },
  device_id: Type.Optional(Nullable(Id)),
  subregion_id: Type.Optional(Nullable(Id)),
  metric: Type.Optional(Nullable({ ...Text(METRIC_NAME_MAX_LENGTH), description: METRIC })),
  operator: Type.Optional(Nullable({ ...OneOf(OPERATORS), description: OPERATOR })),
  threshold: Type.Optional(Nullable({ ...DecimalIn('any'), description: THRESHOLD })),
  clear_threshold: Type.Optional(Nullable({ ...DecimalIn('any'), description: CLEAR })),
  rate_per: Type.Optional(Nullable({ ...OneOf(RATE_PERS), description: RATE_PER })),
  delay_on_s: Type.Optional(Delay(DELAY_ON)),
  delay_off_s: Type.Optional(Delay(DELAY_OFF)),
  schedule: Type.Optional(Nullable(Schedule)),
}

export const CreatePolicy = Type.Object(
  {
    name: Text(200),
    ...evaluatedFields,
    severity: { ...OneOf(SEVERITIES), description: SEVERITY },
    notify: Type.Optional(
      Type.Array(OneOf(CHANNELS), { uniqueItems: true, maxItems: CHANNELS.length, description: NOTIFY }),
    ),
    escalation_policy_id: Type.Optional(Nullable({ ...Id, description: ESCALATION })),
    is_active: Type.Optional(Type.Boolean({ description: ACTIVE })),
  },
  { title: 'CreateAlarmPolicy' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdatePolicy = Type.Partial(CreatePolicy, { title: 'UpdateAlarmPolicy' })

export const PolicyQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'alarm_type', 'severity', 'updated_at']),
  search: Search('name'),
  name: Type.Optional({ ...Text(200), description: 'Whole name, ignoring case.' }),
  alarm_type: Type.Optional({ ...OneOf(ALARM_TYPES), description: TYPE }),
  severity: Type.Optional({ ...OneOf(SEVERITIES), description: SEVERITY }),
  is_active: Type.Optional(Type.Boolean({ description: ACTIVE })),
  device_id: Type.Optional(Id),
  subregion_id: Type.Optional(Id),
})

/** The evaluated fields of a policy that need not exist, for the dry run. */
export const EvaluatedPolicy = Type.Object(
  { name: Type.Optional(Text(200)), ...evaluatedFields },
  { title: 'EvaluatedAlarmPolicy' },
)

export type CreatePolicy = Static<typeof CreatePolicy>
export type UpdatePolicy = Static<typeof UpdatePolicy>
export type PolicyQuery = Static<typeof PolicyQuery>
export type EvaluatedPolicy = Static<typeof EvaluatedPolicy>
