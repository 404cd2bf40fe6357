import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import { type Language, textOf } from '../../../kernel/messages.ts'
import type { RuleRow } from './log-store.ts'
import type { Eligibility } from './schema.ts'

export const ruleRow = ({ isBlocking, reasonCode, details, ...rest }: RuleResult): RuleRow => ({
  ...rest,
  is_blocking: isBlocking,
  ...(reasonCode !== undefined && { reason_code: reasonCode }),
  ...(details !== undefined && { details }),
})

/** The inverse of `ruleRow`, for results of the log. */
export const resultOf = ({ is_blocking, reason_code, ...rest }: RuleRow): RuleResult =>
  ({
    ...rest,
    isBlocking: is_blocking,
    ...(reason_code !== undefined && { reasonCode: reason_code }),
  }) as RuleResult

/** The response of an evaluation without the texts of its rules. */
export type EvaluationView = Omit<Eligibility, 'rules'> & { readonly rules: readonly RuleRow[] }

/** The response of an evaluation, with the messages of the rules in a language. */
export const toResponse = ({ rules, ...evaluation }: EvaluationView, language: Language): Eligibility => ({
  ...evaluation,
  rules: rules.map(({ message, ...rule }) => ({
    ...rule,
    message: textOf(message, language),
    message_code: message.code,
    parameters: message.parameters,
  })),
})
