import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/** Of one attempt, seconds: while it lasts a device has to get through. */
export const OTA_TIMEOUT_DEFAULT_S = DAY_MS / 1000
export const OTA_TIMEOUT_MIN_S = 60
export const OTA_TIMEOUT_MAX_S = (30 * DAY_MS) / 1000
export const OTA_RETRIES_DEFAULT = 2
export const OTA_RETRIES_MAX = 10
/** A download link lives so long, and never longer than its attempt. */
export const OTA_LINK_TTL_MS = 6 * HOUR_MS
/** Who was told and has not begun is told again. */
export const OTA_NOTIFY_AGAIN_MS = 5 * 60_000
/** A broker that is away must not hold the caller up. */
export const OTA_NOTIFY_CONCURRENCY = 8
export const OTA_BATCH_TARGETS_MAX = 1_000
export const OTA_WAVES_MAX = 50
export const OTA_UPDATES_PER_RUN = 500
export const OTA_ERROR_MAX_LENGTH = 500
export const OTA_EVENTS_RETURNED_MAX = 200
/** One piece over MQTT. */
export const OTA_CHUNK_BYTES_MAX = 128 * 1024
/** What a download over MQTT adds to the progress before it is written down, percent. */
export const OTA_PROGRESS_STEP_PCT = 5
