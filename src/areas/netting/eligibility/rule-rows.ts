import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { RuleRow } from './log-store.ts'

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
