import { DAY_MS } from '../../../kernel/time.ts'

/** Lifetime of the link of a signup, ms; a later use is refused with 400. The mail names 24 hours. */
export const SIGNUP_TTL_MS = DAY_MS
/** Signups that wait for the verification of their address; beyond it the oldest ones are deleted. */
export const PENDING_SIGNUPS_MAX = 10_000
/** Characters of a tenant's slug; a longer one is refused with 422. 63 is the length of a DNS label. */
export const SLUG_MAX_LENGTH = 63
