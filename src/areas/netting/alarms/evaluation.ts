import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { EligibilityStatus } from '../../../core/netting/types.ts'
import type { Message } from '../../../kernel/messages.ts'
import { policyOfRule, SEVERITY_OF_RULE } from '../../alarms/system-alarms/index.ts'
import { closeAlarm, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

interface GroupEvaluation {
  readonly groupId: string
  readonly status: EligibilityStatus
  readonly results: readonly RuleResult[]
}

/** Returns an evaluation of a group as alarms: one for each rule, and one for a blocked group. */
export function evaluationAlarms({ groupId, status, results }: GroupEvaluation): NettingAlarm[] {
  const subject = { groupId }
  const rules = results.map((result): NettingAlarm => {
    const key = { policy: policyOfRule(result.code), subject }
    if (result.status !== 'fail')
      return closeAlarm(key, ALARM_TEXTS.END_RULE_STATUS({ status: result.status, message: result.message }))
    return {
      ...key,
      isOpen: true,
      text: result.message,
      severity: SEVERITY_OF_RULE[result.severity],
      ruleCode: result.code,
      details: { ...(result.reasonCode && { reason_code: result.reasonCode }), ...result.details },
    }
  })
  const failed = results.filter((result) => result.isBlocking && result.status === 'fail')
  const codes = failed.map(({ code }) => code)
  const key = { policy: 'netting_group_blocked', subject } as const
  const blocked: NettingAlarm =
    status === 'blocked'
      ? {
          ...key,
          isOpen: true,
          text: ALARM_TEXTS.ALARM_GROUP_BLOCKED({ rules: codes }),
          details: { rule_codes: codes },
        }
      : closeAlarm(key, ALARM_TEXTS.END_GROUP_STATUS({ status }))
  // The morning scan opens this alarm. Either the scan or an evaluation closes it, depending on which one
  // first finds the price.
  const isPriced = results.some(({ code, status: found }) => code === 'R00T' && found !== 'fail')
  const tariff = tariffAlarm(groupId, { isMissing: false, message: ALARM_TEXTS.END_APPROVED_PRICES() })
  return [...rules, blocked, ...(isPriced ? [tariff] : [])]
}

interface TariffFinding {
  readonly isMissing: boolean
  readonly message: Message
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The alarm key missing approved prices of a group now. Its cause differs from that of unpriced quantities
 * in a period.
 */
export function tariffAlarm(groupId: string, { isMissing, message, details }: TariffFinding): NettingAlarm {
  const key = { policy: 'netting_tariff_missing', subject: { groupId } } as const
  return isMissing
    ? { ...key, isOpen: true, text: message, ...(details && { details }) }
    : closeAlarm(key, ALARM_TEXTS.END_APPROVED_PRICES())
}
