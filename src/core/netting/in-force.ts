import type { BillingPeriod } from '../../kernel/time.ts'
import type { Scenario } from './types.ts'

/** First period of hourly netting. Before it every group was netted by the month. */
export const HOURLY_NETTING_FROM: BillingPeriod = '2026-05-01'

/** True when the law prescribed netting by the month: always for homes, and for all groups before that period. */
export const isMonthlyInForce = (scenario: Scenario, billingPeriod: BillingPeriod): boolean =>
  scenario === 'mesken_monthly' || billingPeriod < HOURLY_NETTING_FROM
