import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

// Attempts

/** Seconds of one attempt when the request names no deadline. */
export const OTA_TIMEOUT_DEFAULT_S = DAY_MS / 1000
/** The shortest attempt in seconds; a nearer deadline is refused (422). */
export const OTA_TIMEOUT_MIN_S = 60
/** The longest attempt in seconds; a later deadline is refused (422). */
export const OTA_TIMEOUT_MAX_S = (30 * DAY_MS) / 1000
/** Automatic retries after a deadline when the request names none. */
export const OTA_RETRIES_DEFAULT = 2
/** The most automatic retries that a request may ask for (422 beyond). */
export const OTA_RETRIES_MAX = 10
/** Milliseconds for which a download link is valid; it never outlives its attempt. */
export const OTA_LINK_TTL_MS = 6 * HOUR_MS

// Notification

/** Milliseconds after which a device that was notified and has not begun is notified again. */
export const OTA_NOTIFY_AGAIN_MS = 5 * 60_000
/**
 * Devices that one call notifies at a time, so that an unreachable broker does not hold up the caller for
 * long.
 */
export const OTA_NOTIFY_CONCURRENCY = 8
/**
 * Updates, and batches, that one run of the watchdog takes up, and updates that a gateway is sent at once.
 */
export const OTA_UPDATES_PER_RUN = 500

// Batches

/** Updates of one batch; a larger one is refused (422). */
export const OTA_BATCH_TARGETS_MAX = 1_000
/** Waves whose size a request may name (422 beyond); the rest of the updates is one more. */
export const OTA_WAVES_MAX = 50

// Device messages

/** Characters stored of an error that a device reports; the rest is cut off. */
export const OTA_ERROR_MAX_LENGTH = 500
/** Events of the trail of an update that the API returns: the newest ones. */
export const OTA_EVENTS_RETURNED_MAX = 200
/** Bytes of one chunk over MQTT; a request for more is answered with an error. */
export const OTA_CHUNK_BYTES_MAX = 128 * 1024
/** Percent by which a download over MQTT must have advanced before its progress is written again. */
export const OTA_PROGRESS_STEP_PCT = 5
