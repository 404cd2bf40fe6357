import { DAY_MS } from '../../../kernel/time.ts'

/** Isolation points of one session; more are refused with 422. */
export const LOTO_POINTS_MAX = 50
/**
 * Locks that a session may have over its life, removed ones included; the next one is refused with 409
 * STATE_CONFLICT.
 */
export const LOTO_LOCKS_MAX = 1_000
/** Longest name of a point and title of a session, characters; longer ones are refused with 422. */
export const LOTO_NAME_MAX = 200
/** Longest free text (reason, note, method, location), characters; a longer one is refused with 422. */
export const LOTO_TEXT_MAX = 1_000
/** Longest lock number, characters; a longer one is refused with 422. */
export const LOTO_LOCK_NUMBER_MAX = 50

/** Age beyond which a reading does not verify a point, milliseconds; the meter counts as silent then. */
export const LOTO_READING_AGE_MAX_MS = 5 * 60_000
/**
 * A device that measured power or a current within this time, milliseconds, counts as a meter, whatever its
 * type.
 */
export const LOTO_METER_LOOK_BACK_MS = DAY_MS
/** Newest samples of a device that are searched for the newest value of each metric. */
export const LOTO_SAMPLES_MAX = 200
/** Power that still counts as none, kW: the noise of current transformers. */
export const LOTO_ZERO_POWER_KW = 0.05
/** Current that still counts as none, A: the noise of current transformers. */
export const LOTO_ZERO_CURRENT_A = 0.2
/** Events in a printed record; it says when the trail has more. */
export const LOTO_RECORD_EVENTS_MAX = 500
