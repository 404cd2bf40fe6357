import { type Static, Type } from 'typebox'
import { BillingPeriod, described, Nullable, Warnings } from '../../../platform/http/fields.ts'
import { Run } from '../calculation/index.ts'
import { CORRECTION_REASON_MAX_LENGTH, CORRECTION_REASON_MIN_LENGTH } from '../limits.ts'

export const CorrectionBody = Type.Object({
  billing_period: described(
    BillingPeriod,
    'The Turkey-local month to correct, by its first day; any date of it, or YYYY-MM, is ' +
      'truncated to it. Not in the future.',
  ),
  reason: Type.String({
    minLength: CORRECTION_REASON_MIN_LENGTH,
    maxLength: CORRECTION_REASON_MAX_LENGTH,
    description:
      'Why; kept with the correction and with what it books on the limits. Part of what makes a request the same.',
  }),
})

export const CorrectionResult = Type.Object({
  billing_period: described(BillingPeriod, 'The month that was asked for.'),
  runs: Type.Array(Run, {
    description: 'The runs made, one for each period, in time order; not those of an earlier attempt.',
  }),
  periods_corrected: Type.Array(BillingPeriod, { description: 'The periods of these runs.' }),
  cascade_incomplete: Type.Boolean({
    description:
      'True when the cascade stopped. The same request again, under no or a new Idempotency-Key, goes on.',
  }),
  failed_period: Nullable(described(BillingPeriod, 'Where it stopped; null when it is complete.')),
  ...Warnings,
})

export type CorrectionBody = Static<typeof CorrectionBody>
export type CorrectionResult = Static<typeof CorrectionResult>
