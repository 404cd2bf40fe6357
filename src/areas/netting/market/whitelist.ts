import { conflict } from '../../../kernel/errors.ts'
import { MARKET_TEXTS } from './messages.ts'

/**
 * The transitions of `whitelist_status` of the interface, by state. They represent the steps until the
 * platform grants access.
 */
export const WHITELIST_TRANSITIONS = {
  not_started: ['spec_downloaded', 'blocked'],
  spec_downloaded: ['spec_sent', 'blocked'],
  spec_sent: ['ip_whitelisted', 'blocked'],
  ip_whitelisted: ['portal_account_created', 'blocked'],
  portal_account_created: ['application_created', 'blocked'],
  application_created: ['subscribed', 'blocked'],
  subscribed: ['active', 'blocked'],
  active: ['blocked'],
  blocked: ['not_started'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type WhitelistStatus = keyof typeof WHITELIST_TRANSITIONS
export const WHITELIST_STATUSES = Object.keys(WHITELIST_TRANSITIONS) as [
  WhitelistStatus,
  ...WhitelistStatus[],
]

/**
 * Throws 409 invalid_whitelist_transition for every transition that the table does not contain, including the
 * one to the same state.
 */
export function checkTransition(from: WhitelistStatus, to: WhitelistStatus): void {
  const allowed: readonly WhitelistStatus[] = WHITELIST_TRANSITIONS[from]
  if (allowed.includes(to)) return
  const transition = { from, to, allowed }
  throw conflict('invalid_whitelist_transition', MARKET_TEXTS.WHITELIST_TRANSITION(transition))
}
