import type { Parameter } from '../../../kernel/messages.ts'
import { addMonths, type BillingPeriod, periodOf } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { CORRECTION_AGE_WARNING_MONTHS } from '../limits.ts'
import { CORRECTION_TEXTS } from './messages.ts'

/**
 * DUY 133/5 limits how far back a settlement may be corrected: at most 12 full months before the current
 * month.
 */
export const ageWarnings = (billingPeriod: BillingPeriod, now: number): Warning[] =>
  billingPeriod >= addMonths(periodOf(now), -CORRECTION_AGE_WARNING_MONTHS)
    ? []
    : [
        {
          code: 'DUY_133_5_PERIOD_TOO_OLD',
          subject: billingPeriod,
          message: CORRECTION_TEXTS.DUY_133_5_PERIOD_TOO_OLD({ period: billingPeriod }),
        },
      ]

export const stopWarning = (
  period: BillingPeriod,
  reason: Parameter = CORRECTION_TEXTS.CASCADE_STOPPED_WITHOUT_REASON(),
): Warning => ({
  code: 'CASCADE_STOPPED',
  subject: period,
  message: CORRECTION_TEXTS.CASCADE_STOPPED({ period, reason }),
})
