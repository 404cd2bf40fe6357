import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { EligibilityStatus } from '../../../core/netting/types.ts'
import { policyOfRule, SEVERITY_OF_RULE } from '../../alarms/system-alarms/index.ts'
import { closeAlarm, type NettingAlarm } from './alarm.ts'

interface GroupEvaluation {
  readonly groupId: string
  readonly status: EligibilityStatus
  readonly results: readonly RuleResult[]
}

/** An evaluation of a group as alarms: one for each rule, and one for the group that is blocked. */
export function evaluationAlarms({ groupId, status, results }: GroupEvaluation): NettingAlarm[] {
  const subject = { groupId }
  const rules = results.map((result): NettingAlarm => {
    const about = { policy: policyOfRule(result.code), subject }
    if (result.status !== 'fail')
      return closeAlarm(about, `the rule answers ${result.status}: ${result.message}`)
    return {
      ...about,
      isOpen: true,
      text: result.message,
      severity: SEVERITY_OF_RULE[result.severity],
      ruleCode: result.code,
      details: { ...(result.reasonCode && { reason_code: result.reasonCode }), ...result.details },
    }
  })
  const failed = results.filter((result) => result.isBlocking && result.status === 'fail')
  const codes = failed.map(({ code }) => code)
  const about = { policy: 'netting_group_blocked', subject } as const
  const blocked: NettingAlarm =
    status === 'blocked'
      ? {
          ...about,
          isOpen: true,
          text: `the group is blocked by ${codes.join(', ')}: all its surplus counts as free`,
          details: { rule_codes: codes },
        }
      : closeAlarm(about, `the group is ${status}`)
  // Opened by the scan in the morning; whichever sees the price first closes it.
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
 * The alarm about missing approved prices of a group now. Its cause differs from that of unpriced quantities
 * in a period.
 */
export function tariffAlarm(groupId: string, { isMissing, message, details }: TariffFinding): NettingAlarm {
  const about = { policy: 'netting_tariff_missing', subject: { groupId } } as const
  return isMissing
    ? { ...about, isOpen: true, text: message, ...(details && { details }) }
    : closeAlarm(about, 'approved prices exist')
}
