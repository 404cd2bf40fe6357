import { DAY_MS } from '../../kernel/time.ts'

/** Facilities that the message of a rule names; its details carry all their ids. */
export const ELIGIBILITY_NAMES_MAX = 5

export const CALCULATION_WINDOW_MAX_MS = 7 * DAY_MS
