import { RULE_TEXTS } from './messages.ts'
import type { Rule } from './types.ts'

/** Facility transfer (devir): no source reports a pending change of owner yet. */
export const r011: Rule = {
  code: 'R011',
  severity: 'warning',
  isBlocking: false,
  check: () => ({
    status: 'not_checked',
    reasonCode: 'NO_DATA_SOURCE',
    message: RULE_TEXTS.R011_NO_DATA_SOURCE(),
  }),
}
