import { RULE_TEXTS } from './messages.ts'
import type { Rule } from './types.ts'

/** Agreement with the record of the market operator (LÜM): no source provides that record yet. */
export const r00l: Rule = {
  code: 'R00L',
  severity: 'info',
  isBlocking: false,
  check: () => ({
    status: 'not_checked',
    reasonCode: 'NO_DATA_SOURCE',
    message: RULE_TEXTS.R00L_NO_DATA_SOURCE(),
  }),
}
