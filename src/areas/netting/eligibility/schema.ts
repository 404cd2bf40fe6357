import { type Static, Type } from 'typebox'
import { RULES } from '../../../core/netting/eligibility/all-rules.ts'
import {
  BillingPeriod,
  described,
  Id,
  Instant,
  Nullable,
  Parameters,
  Word,
} from '../../../platform/http/fields.ts'
import { TextOrMessage } from '../../../platform/http/message-texts.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import { CORRECTION_REASON_MAX_LENGTH, CORRECTION_REASON_MIN_LENGTH } from '../limits.ts'
import { EligibilityStatus } from '../shared/index.ts'

const RuleResult = Type.Object(
  {
    code: described(Word(RULES.map(({ code }) => code)), 'Code of the rule.'),
    status: described(
      Word(['pass', 'fail', 'not_checked', 'not_applicable']),
      'not_checked: the input of the rule is unknown; not_applicable: the rule does not apply to this ' +
        'group.',
    ),
    severity: described(Word(['info', 'warning', 'error']), 'Severity of a fail or not_checked result.'),
    is_blocking: Type.Boolean({
      description:
        'Whether the rule is blocking: a blocking fail sets the group to blocked, a blocking not_checked ' +
        'prevents valid.',
    }),
    reason_code: Type.Optional(
      Type.String({ description: 'Machine-readable reason; absent where the status is sufficient.' }),
    ),
    message: Type.String({
      description: 'Human-readable reason with the names of the facilities concerned.',
    }),
    message_code: Type.String({ description: 'Code of the message.' }),
    parameters: Parameters,
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Findings of the rule, with the ids.' }),
    ),
  },
  { title: 'EligibilityRuleResult' },
)

const PERIOD_TEXT = 'first day of a Turkey-local month; any date of it, or YYYY-MM, is truncated.'

const origin = {
  billing_period: Nullable(
    described(
      BillingPeriod,
      'Period that was over when it was evaluated; null: the evaluation is of the period in which it was made.',
    ),
  ),
  triggered_by: Nullable(
    described(
      Word(['schedule', 'request', 'tariff_approval', 'calculation', 'correction', 'period_request']),
      'Trigger of the evaluation: the timetable, a request, the approval of prices; of a period that was over: ' +
        'its calculation, its correction, or the request of a superuser. null before the first evaluation.',
    ),
  ),
  reason: Nullable(TextOrMessage('Reason of the correction or of the superuser; otherwise null.')),
  kept_from_run_id: Nullable(
    described(
      Id,
      'Evaluation from which the results of R001 and R013 were kept: rules about acts of persons keep the ' +
        'result of the end of the period. null: these rules were evaluated too.',
    ),
  ),
}

export const Eligibility = Type.Object(
  {
    eligibility_run_id: Nullable(described(Id, 'Id of the evaluation in the log; null before the first.')),
    group_id: Id,
    eligibility_status: described(
      EligibilityStatus,
      'Eligibility of the group; not_checked before the first evaluation.',
    ),
    evaluated_at: Nullable(described(Instant, 'Time of the latest evaluation; null before the first.')),
    ...origin,
    rules: Type.Array(RuleResult, {
      description:
        'Results of the 13 rules in the latest evaluation, in the order of the rules; empty before the first.',
    }),
    correction_required: Type.Optional(
      Type.Boolean({
        description:
          'Only with a billing_period: whether current results of the period were calculated with the other ' +
          'outcome (blocked or not). Request a correction of the period; a month whose settlement is not final ' +
          'is also calculated again by the schedule.',
      }),
    ),
  },
  { title: 'Eligibility' },
)

export const EligibilityQuery = Type.Object({
  billing_period: Type.Optional(
    described(
      BillingPeriod,
      `Period: ${PERIOD_TEXT} The response is the latest evaluation of the period after its end; before there ` +
        'is one, the last evaluation made before its end. Default: the latest evaluation of the present.',
    ),
  ),
})

export const EvaluationQuery = Type.Object({
  ...ListQuery(),
  billing_period: Type.Optional(
    described(BillingPeriod, `Only evaluations of this period after its end: ${PERIOD_TEXT}`),
  ),
})

export const PeriodEvaluationBody = Type.Object(
  {
    billing_period: described(BillingPeriod, `Period that is over: ${PERIOD_TEXT}`),
    reason: Type.String({
      minLength: CORRECTION_REASON_MIN_LENGTH,
      maxLength: CORRECTION_REASON_MAX_LENGTH,
      description: 'Reason; stored with the evaluation.',
    }),
  },
  { title: 'EvaluatePeriod' },
)

export type Eligibility = Static<typeof Eligibility>
export type EvaluationQuery = Static<typeof EvaluationQuery>
export type PeriodEvaluationBody = Static<typeof PeriodEvaluationBody>
