import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { checkTransition, WHITELIST_STATUSES, type WhitelistStatus } from './whitelist.ts'

/** The table of the interface specification, written again by hand. */
const ALLOWED = [
  'not_started > spec_downloaded',
  'spec_downloaded > spec_sent',
  'spec_sent > ip_whitelisted',
  'ip_whitelisted > portal_account_created',
  'portal_account_created > application_created',
  'application_created > subscribed',
  'subscribed > active',
  'not_started > blocked',
  'spec_downloaded > blocked',
  'spec_sent > blocked',
  'ip_whitelisted > blocked',
  'portal_account_created > blocked',
  'application_created > blocked',
  'subscribed > blocked',
  'active > blocked',
  'blocked > not_started',
]

const outcome = (from: WhitelistStatus, to: WhitelistStatus): string => {
  try {
    checkTransition(from, to)
    return 'allowed'
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error)
  }
}

describe('whitelist state machine', () => {
  it('allows these 16 of its 81 transitions, and rejects every other with 409', () => {
    expect(WHITELIST_STATUSES).toHaveLength(9)
    const seen = WHITELIST_STATUSES.flatMap((from) =>
      WHITELIST_STATUSES.map((to) => [`${from} > ${to}`, outcome(from, to)] as const),
    )
    expect(seen).toHaveLength(81)
    for (const [transition, result] of seen)
      expect([transition, result]).toEqual([
        transition,
        ALLOWED.includes(transition) ? 'allowed' : '409 invalid_whitelist_transition',
      ])
    expect(seen.filter(([, result]) => result === 'allowed')).toHaveLength(16)
  })
})
