import type { BillingPeriod } from '../../kernel/time.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { HOURLY_NETTING_FROM, isMonthlyInForce } from './in-force.ts'
import { WARNING_TEXTS } from './messages.ts'
import type { Scenario } from './types.ts'

export interface CalculatedMonth {
  readonly groupId: string
  readonly groupName: string
  readonly billingPeriod: BillingPeriod
  readonly scenario: Scenario
}

/** The warnings that follow from the scenario of a month, so that its stored figures carry them as its run does. */
export function warningsOfMonth({ groupId, groupName, billingPeriod, scenario }: CalculatedMonth): Warning[] {
  const where = { group: groupName, period: billingPeriod }
  const warnings: Warning[] = []
  if (scenario === 'invalid_group_bedelsiz') {
    const message = WARNING_TEXTS.GROUP_BLOCKED_BEDELSIZ(where)
    warnings.push({ code: 'GROUP_BLOCKED_BEDELSIZ', subject: groupId, message })
  }
  if (scenario !== 'mesken_monthly' && isMonthlyInForce(scenario, billingPeriod)) {
    const message = WARNING_TEXTS.HOURLY_NETTING_NOT_IN_FORCE({ ...where, since: HOURLY_NETTING_FROM })
    warnings.push({ code: 'HOURLY_NETTING_NOT_IN_FORCE', subject: groupId, message })
  }
  return warnings
}
