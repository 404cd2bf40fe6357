import type { Rule } from './types.ts'

/** Last-resort supply (SKTT): no source provides the actual supply of consumers yet. */
export const r008: Rule = {
  code: 'R008',
  severity: 'info',
  isBlocking: false,
  check: () => ({
    status: 'not_checked',
    reasonCode: 'NO_DATA_SOURCE',
    message:
      'Not checked: no source tells whether the consumers are on the last-resort supply tariff (SKTT).',
  }),
}
