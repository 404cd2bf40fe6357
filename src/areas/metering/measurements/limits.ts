import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/** A map. What it shows of a device is not older than this. */
export const MAP_DEVICES_MAX = 2_000
export const MAP_SUBREGIONS_MAX = 1_000
export const MAP_POWER_AGE_MAX_MS = HOUR_MS
/** Meters of one subregion whose reactive energy is added up. */
export const REACTIVE_METERS_MAX = 50
/** A share of a limit of the reactive tariff at which a warning is given. */
export const REACTIVE_WARNING_SHARE = 0.9

export const SAMPLES_READ_MAX = 2_000
export const SAMPLES_READ_DEFAULT_MS = DAY_MS

/** Roll-ups. An hour is left alone until so long after its end: by then whatever arrived in time is committed. */
export const ROLLUP_SETTLE_MS = 10 * 60_000
export const ROLLUP_CHUNK_MS = 31 * DAY_MS
/** Samples of a device in memory at once: a month of one that reports every second would take two gigabytes. */
export const ROLLUP_SAMPLES_AT_ONCE = 50_000
export const ROLLUP_DEVICES_PER_PORTION = 100
/** How long one run of the minutely job goes on taking portions. */
export const ROLLUP_RUN_MAX_MS = 50_000
