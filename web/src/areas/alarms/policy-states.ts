/** Enumerations of alarm policies, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { States } from '../../ui/states.tsx'
import { POLICY_TEXTS } from './policy-texts.ts'
import { ALARM_TEXTS } from './texts.ts'

export type Policy = ListItem<'/api/alarms'>
export type Operator = NonNullable<Policy['operator']>

export const POLICY_KINDS: States<Policy['alarm_type']> = {
  threshold: { text: POLICY_TEXTS.POLICIES_THRESHOLD_KIND },
  rate_of_change: { text: POLICY_TEXTS.POLICIES_RATE },
  offline: { text: POLICY_TEXTS.POLICIES_OFFLINE },
  no_data: { text: POLICY_TEXTS.POLICIES_NO_DATA },
  counter_reset: { text: POLICY_TEXTS.POLICIES_COUNTER_RESET },
  limit: { text: POLICY_TEXTS.POLICIES_LIMIT },
  custom: { text: POLICY_TEXTS.POLICIES_CUSTOM },
}

export const POLICY_STATES: States<'active' | 'inactive'> = {
  active: { text: POLICY_TEXTS.POLICIES_ACTIVE, tone: 'success' },
  inactive: { text: POLICY_TEXTS.POLICIES_INACTIVE },
}

export const SEVERITIES: States<Policy['severity']> = {
  info: { text: ALARM_TEXTS.ALARMS_INFO },
  warning: { text: ALARM_TEXTS.ALARMS_WARNING, tone: 'warning' },
  critical: { text: ALARM_TEXTS.ALARMS_CRITICAL, tone: 'danger' },
}

export const OPERATORS: States<Operator> = {
  gt: { text: POLICY_TEXTS.POLICIES_GT },
  gte: { text: POLICY_TEXTS.POLICIES_GTE },
  lt: { text: POLICY_TEXTS.POLICIES_LT },
  lte: { text: POLICY_TEXTS.POLICIES_LTE },
  eq: { text: POLICY_TEXTS.POLICIES_EQ },
  ne: { text: POLICY_TEXTS.POLICIES_NE },
}
