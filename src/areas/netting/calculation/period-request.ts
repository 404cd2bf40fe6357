import type { BillingPeriod, Range } from '../../../kernel/time.ts'
import type { Reason } from '../../../platform/db/reason-columns.ts'
import type { Stage } from './run-store.ts'
import type { Trigger } from './schema.ts'

export interface PeriodRequest {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Whole hours inside the period; none of them is in the future. */
  readonly window: Range
  readonly triggeredBy: Trigger
  /** The user; null for the schedule and for loaders. */
  readonly startedBy: string | null
  /** Present in a step of a correction; see the modes above. */
  readonly correction?: CorrectionStep
  /** The stage of the schedule that started the run; stored with it. */
  readonly stage?: Stage
}

export interface CorrectionStep {
  /** The first run of the correction chain; null when this is the first. */
  readonly rootRunId: string | null
  /** The reason of the correction; stored with its movements. */
  readonly reason: Reason
  /** Called with the error when the monthly summary fails. */
  readonly report: (failure: Error) => void
}
