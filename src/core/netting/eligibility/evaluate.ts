import type { EligibilityStatus } from '../types.ts'
import { RULES } from './all-rules.ts'
import type { EligibilityInput, Evaluation, Rule, RuleResult } from './types.ts'

/**
 * Every registered rule on one group, always all of them. For a period that is over, `earlier` contains the
 * results at its end, which the rules about acts of persons keep.
 */
export function evaluate(input: EligibilityInput, earlier: readonly RuleResult[] = []): Evaluation {
  const keptResult = ({ code, dependsOnAct }: Rule) =>
    dependsOnAct && earlier.find((result) => result.code === code)
  const results = RULES.map((rule) => keptResult(rule) || applyRule(rule, input))
  return { status: statusOf(results), results }
}

/** The result keeps the rule's severity and class unless the verdict has its own. */
const applyRule = ({ code, severity, isBlocking, check }: Rule, input: EligibilityInput): RuleResult => ({
  code,
  severity,
  isBlocking,
  ...check(input),
})

/** A blocking fail blocks the group; otherwise a blocking not_checked keeps it from being valid. */
export function statusOf(results: readonly Pick<RuleResult, 'isBlocking' | 'status'>[]): EligibilityStatus {
  const blocking = results.filter((result) => result.isBlocking)
  if (blocking.some(({ status }) => status === 'fail')) return 'blocked'
  return blocking.some(({ status }) => status === 'not_checked') ? 'not_checked' : 'valid'
}
