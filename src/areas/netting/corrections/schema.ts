import { type Static, Type } from 'typebox'
import { BillingPeriod, described, Nullable, Warnings } from '../../../platform/http/fields.ts'
import { Run } from '../calculation/index.ts'
import { CORRECTION_REASON_MAX_LENGTH, CORRECTION_REASON_MIN_LENGTH } from '../limits.ts'

export const CorrectionBody = Type.Object(
  {
    billing_period: described(
      BillingPeriod,
      'Month to correct: the first day of a Turkey-local month; any date of it, or YYYY-MM, is ' +
        'truncated. Not in the future.',
    ),
    reason: Type.String({
      minLength: CORRECTION_REASON_MIN_LENGTH,
      maxLength: CORRECTION_REASON_MAX_LENGTH,
      description:
        'Reason; stored with the correction and its limit movements. It is part of the identity of a request.',
    }),
  },
  { title: 'CorrectGroup' },
)

export const CorrectionResult = Type.Object(
  {
    billing_period: described(BillingPeriod, 'Requested month.'),
    runs: Type.Array(Run, {
      description: 'Created runs, one per period, in time order, without those of an earlier attempt.',
    }),
    periods_corrected: Type.Array(BillingPeriod, { description: 'Periods of these runs.' }),
    cascade_incomplete: Type.Boolean({
      description:
        'true if the cascade stopped. The same request, without or with a new Idempotency-Key, continues it.',
    }),
    failed_period: Nullable(
      described(BillingPeriod, 'Period at which the cascade stopped; null if it is complete.'),
    ),
    ...Warnings,
  },
  { title: 'CorrectionResult' },
)

export type CorrectionBody = Static<typeof CorrectionBody>
