import type { BillingPeriod } from '../../../kernel/time.ts'
import type { SystemPolicyName } from '../../alarms/system-alarms/index.ts'
import { closeAlarm, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

/** A stopped correction that was neither resumed nor superseded. */
export interface StoppedChain {
  readonly cause: 'request' | 'member_change' | 'stale'
  readonly billingPeriod: BillingPeriod
  readonly failedPeriod: BillingPeriod
  /** Number of periods that were corrected before the stop. */
  readonly donePeriods: number
}

/**
 * The policy for a change of a membership; for other causes it depends on whether the first step failed or a
 * later one.
 */
function policyOf({ cause, donePeriods }: StoppedChain): SystemPolicyName {
  if (cause === 'member_change') return 'netting_member_change_correction_failed'
  return donePeriods > 0 ? 'netting_cascade_stopped' : 'netting_correction_failed'
}

const POLICIES = [
  'netting_correction_failed',
  'netting_cascade_stopped',
  'netting_member_change_correction_failed',
] as const

/** Returns the stopped corrections of a group as alarms. Each alarm names the earliest period. */
export function correctionAlarms(groupId: string, stopped: readonly StoppedChain[]): NettingAlarm[] {
  const subject = { groupId }
  return POLICIES.map((policy) => {
    const periods = stopped
      .filter((chain) => policyOf(chain) === policy)
      .map(({ failedPeriod }) => failedPeriod)
      .sort()
    const [first] = periods
    if (first === undefined) return closeAlarm({ policy, subject }, ALARM_TEXTS.END_NO_STOPPED_CORRECTION())
    return {
      policy,
      subject,
      isOpen: true,
      text: ALARM_TEXTS.ALARM_CORRECTION_STOPPED({ period: first }),
      details: { billing_period: first, failed_periods: periods },
    }
  })
}
