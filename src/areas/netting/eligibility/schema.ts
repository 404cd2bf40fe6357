import { Type } from 'typebox'
import { RULES } from '../../../core/netting/eligibility/all-rules.ts'
import { described, Id, Instant, Nullable, Word } from '../../../platform/http/fields.ts'
import { EligibilityStatus } from '../shared/index.ts'

const RuleResult = Type.Object({
  code: described(Word(RULES.map(({ code }) => code)), 'The rule.'),
  status: described(
    Word(['pass', 'fail', 'not_checked', 'not_applicable']),
    'not_checked: what the rule looks at is not known; not_applicable: it does not ask this group.',
  ),
  severity: described(Word(['info', 'warning', 'error']), 'How grave a fail or an open question is.'),
  is_blocking: Type.Boolean({
    description: 'A blocking fail makes the group blocked, a blocking not_checked keeps it from being valid.',
  }),
  reason_code: Type.Optional(
    Type.String({ description: 'Why, for programs; absent where the status says it all.' }),
  ),
  message: Type.String({ description: 'Why, for people; names the facilities concerned.' }),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'What the rule found, with the ids.' }),
  ),
})

export const Eligibility = Type.Object({
  group_id: Id,
  eligibility_status: described(EligibilityStatus, 'not_checked before the first evaluation.'),
  evaluated_at: Nullable(described(Instant, 'Null before the first evaluation.')),
  rules: Type.Array(RuleResult, {
    description:
      'The 13 results of the latest evaluation, in the order of the rules; empty before the first.',
  }),
})
