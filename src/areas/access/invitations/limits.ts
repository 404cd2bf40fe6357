import { DAY_MS } from '../../../kernel/time.ts'

export const INVITATION_TTL_MS = 7 * DAY_MS
