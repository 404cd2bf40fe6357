import { DAY_MS } from '../../../kernel/time.ts'

/**
 * Samples in a response of GET /api/measurements/devices/:device_id/samples; a larger `limit` is answered
 * with 422.
 */
export const SAMPLES_READ_MAX = 2_000
/** Range of samples that is read without `from`, milliseconds. */
export const SAMPLES_READ_DEFAULT_MS = DAY_MS
