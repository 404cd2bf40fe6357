import { DAY_MS } from './time.ts'

/** A reservation keeps a connector for so long at most. */
export const RESERVATION_AHEAD_MAX_MS = 30 * DAY_MS
/** Reservations that one round of the clock ends. */
export const RESERVATIONS_DUE_AT_ONCE = 1_000
/** Letters of an id tag in OCPP 1.6. */
export const ID_TAG_LENGTH_16 = 20

/** Tags on the list of one station. */
export const LOCAL_LIST_ENTRIES_MAX = 5_000
/** Of one piece, where the station does not say how many it takes. */
export const LOCAL_LIST_PIECE = 100
/** How long a piece waits for its station. */
export const LOCAL_LIST_WAIT_MS = DAY_MS

/** Periods of a charging profile; OCPP 2.0.1 takes as many. */
export const PROFILE_PERIODS_MAX = 1_024
export const PROFILE_STACK_LEVEL_MAX = 100
/** The numbers below are of profiles of our own; the table's own begin with it. */
export const PROFILE_NUMBER_FIRST = 100
/** Of a composite schedule, seconds. */
export const COMPOSITE_SECONDS_MAX = 7 * 24 * 3600
/** Watts or amperes of a limit. */
export const PROFILE_LIMIT_MAX = 10_000_000
