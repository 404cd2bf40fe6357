import { DAY_MS } from '../../../kernel/time.ts'

/**
 * Samples in a response of GET /api/measurements/devices/:device_id/samples; a larger `limit` is answered
 * with 422.
 */
export const SAMPLES_READ_MAX = 2_000
/** Range of samples that is read without `from`, milliseconds. */
export const SAMPLES_READ_DEFAULT_MS = DAY_MS

/** Devices in a request of GET /api/measurements/latest: a page of devices, whose ids fit into a request line. */
export const LATEST_DEVICES_MAX = 200
/** Devices of a page of GET /api/measurements/latest, which needs no list of ids. */
export const LATEST_PAGE_MAX = 1_000
/** Newest samples of each device in which GET /api/measurements/latest looks for the newest value of each metric. */
export const LATEST_SAMPLES_PER_DEVICE = 50
/**
 * Age of a sample that GET /api/measurements/latest looks for first, milliseconds; devices without one are searched
 * once more. The fewer samples of a device are in the range, the less of its index is read.
 */
export const LATEST_NEAR_MS = 30 * 60_000
/**
 * How far a sample of GET /api/measurements/latest may be ahead, milliseconds, so that months after it are not
 * searched. A sample is stored up to SAMPLE_FUTURE_MAX_MS ahead; the clocks of processes may differ.
 */
export const LATEST_AHEAD_MAX_MS = DAY_MS
/**
 * Sets of metrics that the newest samples of the devices of GET /api/measurements/latest do not have, for each of which
 * one statement looks for older samples that have them. The samples of devices with other sets are compared one by one.
 */
export const LATEST_GROUPS_MAX = 8
/** Age of a value of GET /api/measurements/latest, seconds, when the request names none. */
export const LATEST_AGE_DEFAULT_S = DAY_MS / 1000
/** Largest age of a value of GET /api/measurements/latest, seconds. */
export const LATEST_AGE_MAX_S = (31 * DAY_MS) / 1000
/** Metrics that a request of GET /api/measurements/latest may name. */
export const LATEST_METRICS_MAX = 50
