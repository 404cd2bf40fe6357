import { DAY_MS } from '../../kernel/time.ts'

/**
 * Lifetime of an invitation link, ms; a later use is refused with 400. The mail and the API description name
 * 7 days.
 */
export const INVITATION_TTL_MS = 7 * DAY_MS
/** Roles that one user or invitation may name; more is refused with 422. */
export const ROLES_PER_USER_MAX = 50
