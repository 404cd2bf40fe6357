import { DAY_MS } from '../../kernel/time.ts'

/** Facilities that the message of an eligibility rule names. Its details carry the ids of all of them. */
export const ELIGIBILITY_NAMES_MAX = 5

/**
 * Length of the range of one calculation or rebuild request, in milliseconds. A longer range is refused with
 * 422.
 */
export const CALCULATION_WINDOW_MAX_MS = 7 * DAY_MS
