import { DAY_MS } from '../../../kernel/time.ts'

/** Longest time that an incident can be snoozed for, milliseconds; a longer one is refused with 422. */
export const SNOOZE_MAX_MS = 30 * DAY_MS
/**
 * Longest note that an acknowledgement, snooze or closing can carry, characters; a longer one is refused with
 * 422.
 */
export const INCIDENT_NOTE_MAX = 1_000
/** Incidents that the minutely job wakes in one statement; it repeats the statement until fewer are due. */
export const WAKE_BATCH = 1_000
