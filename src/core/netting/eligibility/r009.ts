import type { Rule } from './types.ts'

/** Hourly production against installed power: no source confirms the installed power yet. */
export const r009: Rule = {
  code: 'R009',
  severity: 'warning',
  isBlocking: false,
  check: () => ({
    status: 'not_checked',
    reasonCode: 'NO_DATA_SOURCE',
    message: 'Not checked: no source confirms the installed power that hourly production is held against.',
  }),
}
