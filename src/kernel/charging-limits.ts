import { DAY_MS } from './time.ts'

/** A session that is told of so long after it began was charged offline. */
export const SESSION_LATE_MS = 5 * 60_000
/** How long after a remote start was sent a session may be what came of it: somebody has to plug in the car. */
export const REMOTE_START_MATCH_MS = 15 * 60_000
/** Of a longer session no cost is computed, and the curve ends there: no car charges for a month, its end was lost. */
export const SESSION_PRICED_MAX_MS = 31 * DAY_MS
/** Readings of intervals that are kept apart of a session, so that one sent again counts once: a day of minutes. Older ones are a sum. */
export const SESSION_INTERVALS_MAX = 1_500
export const CURVE_POINTS_MAX = 2_000
export const CURVE_POINTS_DEFAULT = 500
/** Connectors whose device is remembered. */
export const OCPP_CONNECTORS_CACHED_MAX = 50_000
/** Kinds of values whose meaning is remembered, of all stations. */
export const OCPP_KINDS_CACHED_MAX = 2_000
/** Kinds of values that could not be read and are noted, of one station. */
export const OCPP_REFUSED_KINDS_MAX = 20
