import { HOUR_MS } from '../../../kernel/time.ts'

/** Devices in a response of GET /api/measurements/map-data; beyond it `is_truncated` is true. */
export const MAP_DEVICES_MAX = 2_000
/** Subregions in a response of GET /api/measurements/map-data; beyond it `is_truncated` is true. */
export const MAP_SUBREGIONS_MAX = 1_000
/** Maximum age of the power that a map shows, milliseconds; an older value is null. */
export const MAP_POWER_AGE_MAX_MS = HOUR_MS
