import { DAY_MS } from '../../../kernel/time.ts'

/** Maintenance windows of a tenant that have not ended; the next one is refused with 409 STATE_CONFLICT. */
export const MAINTENANCE_WINDOWS_MAX = 1_000
/** Longest maintenance window, milliseconds: a leap year. A longer one is refused with 422. */
export const MAINTENANCE_MAX_MS = 366 * DAY_MS
