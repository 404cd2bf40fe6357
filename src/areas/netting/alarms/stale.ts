import { type BillingPeriod, periodOf } from '../../../kernel/time.ts'
import type { StalePeriod } from '../stale/index.ts'
import { closeAlarm, type NettingAlarm } from './alarm.ts'
import { ALARM_TEXTS } from './messages.ts'

/**
 * Returns the stale closed months of a group as one alarm, which names the earliest of them. A change that the
 * job has not checked yet opens no alarm, because its input may turn out to be equal. The current month is
 * calculated again every night and needs no alarm.
 */
export function staleAlarm(groupId: string, stale: readonly StalePeriod[], now: number): NettingAlarm {
  const key = { policy: 'netting_results_stale', subject: { groupId } } as const
  const closed = stale.filter(
    ({ billingPeriod, noticedAt }) => isClosed(billingPeriod, now) && noticedAt !== null,
  )
  const [first] = closed
  if (!first) return closeAlarm(key, ALARM_TEXTS.END_CLOSED_MONTHS_CURRENT())
  const hours = closed.reduce((sum, period) => sum + period.hours, 0)
  return {
    ...key,
    isOpen: true,
    text: ALARM_TEXTS.ALARM_RESULTS_STALE({ hours, period: first.billingPeriod }),
    lastValue: String(hours),
    details: {
      billing_period: first.billingPeriod,
      billing_periods: closed.map(({ billingPeriod }) => billingPeriod),
      stale_reasons: [...new Set(closed.flatMap(({ reasons }) => reasons))].sort(),
    },
  }
}

export const isClosed = (billingPeriod: BillingPeriod, now: number): boolean => billingPeriod < periodOf(now)
