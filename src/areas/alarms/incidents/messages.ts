import { isSilenceRule, type Operator, type Rule, type Violation } from '../../../core/alarms/rule.ts'
import { unitOf } from '../../../core/register-map/units.ts'
import { type Message, textOf } from '../../../kernel/messages.ts'
import { iso, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import { END_REASONS } from './end-reasons.ts'

/** Facts of an incident. The API returns it unchanged, so its keys are snake_case. */
export type AlarmPayload = Readonly<Record<string, unknown>>

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'alarm_incident.payload': AlarmPayload
  }
}

/** The policy and device of an incident, with the names that its payload keeps. */
export interface IncidentSource {
  readonly policyName: string
  readonly deviceName: string
  readonly gatewayId: string | null
  readonly gatewayName: string | null
  readonly subregionId: string | null
  readonly subregionName: string | null
}

const COMPARISONS: Readonly<Record<Operator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
  eq: 'which is',
  ne: 'other than',
}

const numberText = (value: number): string => String(Number(value.toPrecision(9)))

function quantity(value: number | null, metric: string | null): string {
  const unit = metric === null ? null : unitOf(metric)
  // The unit of the power factor is 1, which is not shown.
  return `${numberText(value ?? 0)}${unit === null || unit === '1' ? '' : ` ${unit}`}`
}

/** Turkey-local, to the second. */
const clockText = (at: number): string =>
  iso(at + TURKEY_OFFSET_MS)
    .slice(0, 19)
    .replace('T', ' ')

function spanText(ms: number): string {
  const seconds = ms / 1000
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** The English message of an incident, with value and limit. */
export function messageOf(rule: Rule, { value, since }: Violation, { deviceName }: IncidentSource): string {
  const { metric } = rule
  const level = `${COMPARISONS[rule.operator]} ${quantity(rule.threshold, metric)}`
  const per = rule.ratePerMs === 60_000 ? 'a minute' : 'an hour'
  switch (rule.kind) {
    case 'threshold':
      return `${deviceName}: ${metric} is ${quantity(value, metric)}, ${level}`
    case 'rate_of_change':
      return `${deviceName}: ${metric} changes by ${quantity(value, metric)} ${per}, ${level}`
    case 'counter_reset':
      return `${deviceName}: ${metric} fell by ${quantity(Math.abs(value ?? 0), metric)}`
    case 'no_data':
    case 'offline':
      return `${deviceName} has sent ${metric === null ? 'nothing' : `no ${metric}`} since ${clockText(since)}, \
longer than ${spanText(rule.silenceMs)}`
  }
}

/** The reason of an incident that the service closes, because its condition no longer holds. */
export function endReason(rule: Rule, last: number | null): Message {
  if (rule.kind === 'no_data' || rule.kind === 'offline') return END_REASONS.INCIDENT_END_SENDING()
  const { metric } = rule
  if (rule.kind === 'counter_reset') return END_REASONS.INCIDENT_END_COUNTING({ metric })
  if (rule.kind === 'rate_of_change') return END_REASONS.INCIDENT_END_CHANGE({ metric })
  const unit = metric === null ? null : unitOf(metric)
  const value = numberText(last ?? 0)
  return unit === null || unit === '1'
    ? END_REASONS.INCIDENT_END_LEVEL_WITHOUT_UNIT({ metric, value })
    : END_REASONS.INCIDENT_END_LEVEL({ metric, value, unit })
}

/** The reason of an incident that late samples withdraw. */
export const withdrawnReason = ({ kind }: Rule): Message =>
  kind === 'no_data' || kind === 'offline'
    ? END_REASONS.INCIDENT_WITHDRAWN_SILENCE()
    : END_REASONS.INCIDENT_WITHDRAWN()

/** A reason as part of the details of an event: its English text, and its content for other languages. */
export const reasonDetails = (reason: Message) => ({
  reason: textOf(reason),
  reason_code: reason.code,
  reason_parameters: reason.parameters,
})

const LAST_VALUE_MAX = 1e12

/** Returns a decimal text for the column; null when there is no value or when it does not fit. */
export const decimalOf = (value: number | null): string | null =>
  value === null || Math.abs(value) >= LAST_VALUE_MAX ? null : value.toFixed(6)

/**
 * The payload of an incident. It contains all facts of `messageOf`, so that the message can be written in
 * other languages.
 */
export const payloadOf = (rule: Rule, spell: Violation, source: IncidentSource): AlarmPayload => ({
  alarm_type: rule.kind,
  policy_name: source.policyName,
  device_name: source.deviceName,
  gateway_id: source.gatewayId,
  gateway_name: source.gatewayName,
  subregion_id: source.subregionId,
  subregion_name: source.subregionName,
  metric: rule.metric,
  unit: rule.metric === null ? null : unitOf(rule.metric),
  ...beginPayload(spell),
  ...((rule.kind === 'threshold' || rule.kind === 'rate_of_change') && {
    operator: rule.operator,
    threshold: rule.threshold,
    clear_threshold: rule.clearThreshold,
  }),
  ...(rule.kind === 'rate_of_change' && { rate_per: rule.ratePerMs === 60_000 ? 'minute' : 'hour' }),
  ...(isSilenceRule(rule) && { silence_s: rule.silenceMs / 1000 }),
  ...endPayload(spell),
})

export const beginPayload = ({ since, value }: Violation): AlarmPayload => ({
  since: iso(since),
  ...(value !== null && { value }),
})

/** The part of the payload that is known at the end of an incident. */
export const endPayload = ({ to, peak }: Violation): AlarmPayload =>
  to === null || peak === null ? {} : { peak }
