import { type Operator, RULE_KINDS, type Rule, type RuleKind } from '../../../core/alarms/rule.ts'
import { makeSchedule } from '../../../core/alarms/schedule.ts'
import type { AppError } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { isRegister } from '../../../kernel/metrics.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { NO_DATA_MIN_S } from './limits.ts'
import { POLICY_TEXTS } from './messages.ts'
import type { PolicySchedule } from './schema.ts'

/** The fields of a policy that evaluation depends on. Levels are decimal texts or numbers. */
export interface PolicyFields {
  readonly alarm_type: string
  readonly device_id: string | null
  readonly subregion_id: string | null
  readonly metric: string | null
  readonly operator: string | null
  readonly threshold: string | number | null
  readonly clear_threshold: string | number | null
  readonly rate_per: string | null
  readonly delay_on_s: number
  readonly delay_off_s: number
  readonly schedule: PolicySchedule | null
}

const LEVELS = ['operator', 'threshold'] as const
const FIELDS_OF: Readonly<Record<RuleKind, readonly (keyof PolicyFields)[]>> = {
  threshold: ['metric', 'operator', 'threshold', 'clear_threshold', 'delay_off_s'],
  rate_of_change: ['metric', 'operator', 'threshold', 'clear_threshold', 'rate_per', 'delay_off_s'],
  counter_reset: ['metric', 'delay_off_s'],
  no_data: ['metric'],
  offline: [],
}
const ALL = ['metric', ...LEVELS, 'clear_threshold', 'rate_per', 'delay_off_s'] as const

/** The name of a metric or of an extra value: any printable characters, without spaces around them. */
const METRIC_NAME = /^(?!\s)(?!__proto__$)[^\p{C}]+(?<!\s)$/u

const isKind = (type: string): type is RuleKind => (RULE_KINDS as readonly string[]).includes(type)
/** A delay of 0 counts as absent; a level of 0 does not. */
const isGiven = (fields: PolicyFields, field: keyof PolicyFields): boolean =>
  fields[field] !== null && !(field === 'delay_off_s' && fields[field] === 0)

/**
 * Checks the rules across fields; throws a 422 that names the field. `at` is the path of the policy in the
 * request.
 */
export function checkPolicy(fields: PolicyFields, at: readonly string[] = ['body']): RuleKind {
  const refuse = (field: keyof PolicyFields, content: Message): AppError =>
    invalidInput([...at, field], content)
  const { alarm_type: type, operator, metric } = fields
  if (!isKind(type))
    throw refuse('alarm_type', POLICY_TEXTS.POLICY_TYPE_OF_SERVICE({ kinds: RULE_KINDS.join(', '), type }))
  if (fields.device_id !== null && fields.subregion_id !== null)
    throw refuse('subregion_id', POLICY_TEXTS.POLICY_SUBREGION_WITH_DEVICE())
  const foreign = ALL.find((field) => !FIELDS_OF[type].includes(field) && isGiven(fields, field))
  if (foreign) throw refuse(foreign, POLICY_TEXTS.POLICY_FIELD_UNUSED({ type }))
  if (metric !== null && !METRIC_NAME.test(metric))
    throw refuse('metric', POLICY_TEXTS.POLICY_METRIC_SYNTAX())
  if (type === 'no_data' && fields.delay_on_s < NO_DATA_MIN_S)
    throw refuse('delay_on_s', POLICY_TEXTS.POLICY_SILENCE_TOO_SHORT({ min: NO_DATA_MIN_S }))
  if (type === 'offline' || type === 'no_data') return type
  if (metric === null) throw refuse('metric', POLICY_TEXTS.POLICY_FIELD_REQUIRED({ type }))
  if (type === 'counter_reset') {
    if (!isRegister(metric)) throw refuse('metric', POLICY_TEXTS.POLICY_METRIC_NOT_REGISTER())
    return type
  }
  const missing = LEVELS.find((field) => fields[field] === null)
  if (missing) throw refuse(missing, POLICY_TEXTS.POLICY_FIELD_REQUIRED({ type }))
  checkLevels(fields, operator, refuse)
  return type
}

type Refuse = (field: keyof PolicyFields, content: Message) => AppError

function checkLevels(fields: PolicyFields, operator: string | null, refuse: Refuse): void {
  const isEquality = operator === 'eq' || operator === 'ne'
  if (isEquality && fields.alarm_type === 'rate_of_change')
    throw refuse('operator', POLICY_TEXTS.POLICY_OPERATOR_OF_RATE())
  if (fields.clear_threshold === null) return
  if (isEquality) throw refuse('clear_threshold', POLICY_TEXTS.POLICY_CLEAR_UNUSED({ operator }))
  const [trip, clear] = [Number(fields.threshold), Number(fields.clear_threshold)]
  const isAbove = operator === 'gt' || operator === 'gte'
  if (isAbove ? clear > trip : clear < trip)
    throw refuse(
      'clear_threshold',
      isAbove ? POLICY_TEXTS.POLICY_CLEAR_ABOVE() : POLICY_TEXTS.POLICY_CLEAR_BELOW(),
    )
}

/** The rule of a checked policy for a device. */
export function ruleOf(fields: PolicyFields, device: { readonly offlineThresholdS: number }): Rule {
  const kind = fields.alarm_type as RuleKind
  const windows = fields.schedule?.windows
  const silenceS = fields.delay_on_s + (kind === 'offline' ? device.offlineThresholdS : 0)
  return {
    kind,
    metric: fields.metric,
    operator: (fields.operator ?? 'gt') as Operator,
    threshold: Number(fields.threshold ?? 0),
    clearThreshold: Number(fields.clear_threshold ?? fields.threshold ?? 0),
    delayOnMs: fields.delay_on_s * 1000,
    delayOffMs: fields.delay_off_s * 1000,
    ratePerMs: fields.rate_per === 'hour' ? HOUR_MS : HOUR_MS / 60,
    silenceMs: silenceS * 1000,
    schedule: windows && makeSchedule(windows),
  }
}
