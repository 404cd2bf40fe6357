import { HOUR_MS } from '../../../kernel/time.ts'

/**
 * Meters in a response of GET /api/overview/power, the devices that one live socket can watch; beyond it
 * `is_truncated` is true.
 */
export const OVERVIEW_METERS_MAX = 1_000
/** Facilities that GET /api/overview/energy adds up; beyond it `is_truncated` is true. */
export const OVERVIEW_FACILITIES_MAX = 500
/** Facilities of GET /api/overview/energy that are read before other requests are served. */
export const OVERVIEW_FACILITIES_IN_TURN = 50
/** Age beyond which GET /api/overview/power shows no power, milliseconds. */
export const OVERVIEW_POWER_AGE_MAX_MS = HOUR_MS
/** A power is stale after this number of reporting intervals of its device. */
export const OVERVIEW_STALE_INTERVALS = 3
/** Shortest age of a stale power, seconds, for devices that send every few seconds. */
export const OVERVIEW_STALE_MIN_S = 30
/** Age of a stale power, seconds, of a device without a recorded reporting interval. */
export const OVERVIEW_STALE_DEFAULT_S = 300
