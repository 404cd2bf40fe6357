import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { EligibilityStatus } from '../../../core/netting/types.ts'
import { policyOfRule, SEVERITY_OF_RULE } from '../../alarms/system-alarms/index.ts'
import { closeAlarm, type NettingAlarm } from './alarm.ts'

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
      return closeAlarm(key, `the rule now has the status ${result.status}: ${result.message}`)
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
          text: `the group is blocked by ${codes.join(', ')}: all its surplus counts as free`,
          details: { rule_codes: codes },
        }
      : closeAlarm(key, `the group is ${status}`)
  // The morning scan opens this alarm. Either the scan or an evaluation closes it, depending on which one
  // first finds the price.
  const isPriced = results.some(({ code, status: found }) => code === 'R00T' && found !== 'fail')
  const tariff = tariffAlarm(groupId, { isMissing: false, message: '' })
  return [...rules, blocked, ...(isPriced ? [tariff] : [])]
}

interface TariffFinding {
  readonly isMissing: boolean
  readonly message: string
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
    : closeAlarm(key, 'approved prices exist')
}
