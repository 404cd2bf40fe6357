import { DAY_MS } from '../../../kernel/time.ts'

/**
 * Time after the end of an hour before it is rolled up, milliseconds: samples that arrived in time are
 * committed by then.
 */
export const ROLLUP_SETTLE_MS = 10 * 60_000
/** Length of a range that is computed at once, milliseconds, so that a year of samples is never in memory. */
export const ROLLUP_CHUNK_MS = 31 * DAY_MS
/**
 * Samples of a device in memory; a range with more is split. A month at one sample a second would take two
 * gigabytes.
 */
export const ROLLUP_SAMPLES_AT_ONCE = 50_000
/** The distance from a range within which its neighbour readings are searched first, milliseconds. */
export const NEIGHBOURS_NEAR_MS = 3 * DAY_MS
/** Devices that the jobs read at once; also the number of failing devices at which a run ends. */
export const ROLLUP_DEVICES_PER_PORTION = 100
/** Time after which one run of the minutely job reads no further devices, milliseconds. */
export const ROLLUP_RUN_MAX_MS = 50_000
