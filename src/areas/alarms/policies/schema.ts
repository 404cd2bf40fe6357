import { type Static, Type } from 'typebox'
import { OPERATORS } from '../../../core/alarms/rule.ts'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import { DecimalIn, Id, Instant, Nullable, OneOf, Text, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
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
const CHANNELS = ['in_app', 'email', 'webhook'] as const
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
          description: '1 is Monday, 7 Sunday.',
        }),
        from: { ...Begin, description: 'HH:MM, Turkey-local.' },
        to: { ...End, description: 'HH:MM, or 24:00. Not after `from`: the next morning.' },
      }),
      { minItems: 1, maxItems: SCHEDULE_WINDOWS_MAX, description: 'Together they are when it judges.' },
    ),
  },
  { description: 'When it may open an incident, Turkey-local; null: always.' },
)
export type PolicySchedule = Static<typeof Schedule>

const TYPE = 'What it looks for; limit and custom belong to policies of the service.'
const SEVERITY = 'What its incidents weigh.'
const OPERATOR =
  'How the value lies to the level when it is wrong: above, at or above, below, at or below, equal, other.'
const RATE_PER = 'The time that a rate of change refers to; minute when left out.'
const NOTIFY = 'How people are told.'
const ACTIVE = 'Whether it judges anything.'
const METRIC =
  'A metric as in samples, or the name of an extra value as the device sends it, without blanks around it.'
const THRESHOLD = 'Trip level, in the unit of the metric; of rate_of_change per minute or hour.'
const CLEAR = 'Level at which it is over; null: the trip level.'
const DELAY_ON = 'How long it must hold, s, by the time of the samples; of no_data and offline: silence.'
const DELAY_OFF = 'How long it must be over, s.'

export const Policy = Type.Object({
  id: Id,
  name: Type.String(),
  alarm_type: { ...Word(ALARM_TYPES), description: TYPE },
  device_id: Nullable({ ...Id, description: 'The one device that it watches.' }),
  subregion_id: Nullable({ ...Id, description: 'It watches the devices there; both null: every device.' }),
  metric: Nullable(Type.String({ description: METRIC })),
  unit: Nullable(Type.String({ description: 'Of the metric.' })),
  operator: Nullable({ ...Word(OPERATORS), description: OPERATOR }),
  threshold: Nullable(Type.Number({ description: THRESHOLD })),
  clear_threshold: Nullable(Type.Number({ description: CLEAR })),
  rate_per: Nullable({ ...Word(RATE_PERS), description: RATE_PER }),
  delay_on_s: Type.Integer({ description: DELAY_ON }),
  delay_off_s: Type.Integer({ description: DELAY_OFF }),
  severity: { ...Word(SEVERITIES), description: SEVERITY },
  schedule: Type.Unsafe<unknown>(Nullable(Schedule)),
  notify: Type.Array(Word(CHANNELS), { description: NOTIFY }),
  is_active: Type.Boolean({ description: ACTIVE }),
  watched_from: { ...Instant, description: 'Samples before it are not judged.' },
  created_at: Instant,
  updated_at: Instant,
})

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

export const CreatePolicy = Type.Object({
  name: Text(200),
  ...evaluatedFields,
  severity: { ...OneOf(SEVERITIES), description: SEVERITY },
  notify: Type.Optional(
    Type.Array(OneOf(CHANNELS), { uniqueItems: true, maxItems: CHANNELS.length, description: NOTIFY }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: ACTIVE })),
})
/** Omitted fields are unchanged; null clears. */
export const UpdatePolicy = Type.Partial(CreatePolicy)

export const PolicyQuery = Type.Object({
  ...PageQuery(['created_at', 'name', 'alarm_type', 'severity', 'updated_at']),
  name: Type.Optional(Text(200)),
  alarm_type: Type.Optional({ ...OneOf(ALARM_TYPES), description: TYPE }),
  severity: Type.Optional({ ...OneOf(SEVERITIES), description: SEVERITY }),
  is_active: Type.Optional(Type.Boolean({ description: ACTIVE })),
  device_id: Type.Optional(Id),
  subregion_id: Type.Optional(Id),
})

/** The evaluated fields of a policy that need not exist, for the dry run. */
export const EvaluatedPolicy = Type.Object({ name: Type.Optional(Text(200)), ...evaluatedFields })

export type CreatePolicy = Static<typeof CreatePolicy>
export type UpdatePolicy = Static<typeof UpdatePolicy>
export type PolicyQuery = Static<typeof PolicyQuery>
export type EvaluatedPolicy = Static<typeof EvaluatedPolicy>
