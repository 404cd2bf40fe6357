import { DAY_MS } from '../../../kernel/time.ts'

/** Points of one session, and locks that it may ever have: those that were taken away stay in its record. */
export const LOTO_POINTS_MAX = 50
export const LOTO_LOCKS_MAX = 1_000
export const LOTO_NAME_MAX = 200
export const LOTO_TEXT_MAX = 1_000
export const LOTO_LOCK_NUMBER_MAX = 50

/** A reading that is older shows nothing about a point that is to be applied now. */
export const LOTO_READING_AGE_MAX_MS = 5 * 60_000
/** A device that measured power or a current within this time is a meter, whatever its type. */
export const LOTO_METER_LOOK_BACK_MS = DAY_MS
/** Samples of one device that are looked at for the newest value of each metric. */
export const LOTO_SAMPLES_MAX = 200
/** What still counts as no power and no current: the noise of current transformers, kW and A. */
export const LOTO_ZERO_POWER_KW = 0.05
export const LOTO_ZERO_CURRENT_A = 0.2
/** Events that a printed record tells. */
export const LOTO_RECORD_EVENTS_MAX = 500
/** Rows of a record that are drawn before other requests have their turn. */
export const LOTO_RECORD_ROWS_AT_ONCE = 5
