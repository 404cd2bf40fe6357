import { Type } from 'typebox'
import { RULES } from '../../../core/netting/eligibility/all-rules.ts'
import { described, Id, Instant, Nullable, Word } from '../../../platform/http/fields.ts'
import { EligibilityStatus } from '../shared/index.ts'

const RuleResult = Type.Object({
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
  message: Type.String({ description: 'Human-readable reason with the names of the facilities concerned.' }),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Findings of the rule, with the ids.' }),
  ),
})

export const Eligibility = Type.Object({
  group_id: Id,
  eligibility_status: described(
    EligibilityStatus,
    'Eligibility of the group; not_checked before the first evaluation.',
  ),
  evaluated_at: Nullable(described(Instant, 'Time of the latest evaluation; null before the first.')),
  rules: Type.Array(RuleResult, {
    description:
      'Results of the 13 rules in the latest evaluation, in the order of the rules; empty before the first.',
  }),
})
