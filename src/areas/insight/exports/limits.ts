import { DAY_MS } from '../../../kernel/time.ts'

/** Rows of a file that is the response itself; a larger export is made in the background. */
export const EXPORT_DIRECT_ROWS_MAX = 50_000
/** Rows of an export; a larger one fails. */
export const EXPORT_ROWS_MAX = 20_000_000
/** Devices of an export; more are refused with 422. */
export const EXPORT_DEVICES_MAX = 100
/** Metrics that an export may name; more are refused with 422. */
export const EXPORT_METRICS_MAX = 64
/**
 * Rows that are read at once as text; few enough to be freed before the garbage collector moves them: 5,000 took a
 * third longer.
 */
export const EXPORT_PORTION_ROWS = 2_000
/** Rows that are read at once as numbers; each read is planned again. */
export const EXPORT_BLOCK_ROWS = 10_000
/**
 * Range of one statement that counts rows, milliseconds: a year of samples by the second is thirty million
 * rows.
 */
export const EXPORT_COUNT_SPAN_MS = 31 * DAY_MS
/** Exports of a tenant that wait or run; the next one is refused with 409 STATE_CONFLICT. */
export const EXPORTS_WAITING_MAX = 5
/** Exports of a tenant that are kept; the oldest finished one is deleted for a new one. */
export const EXPORTS_KEPT_MAX = 20
/** How long a finished export is kept, milliseconds. */
export const EXPORT_KEPT_MS = 7 * DAY_MS
/** Bytes of one file; a larger export fails. */
export const EXPORT_FILE_BYTES_MAX = 2 * 1024 * 1024 * 1024
/** Bytes of all files of a storage location; beyond it the oldest exports are deleted. */
export const EXPORT_FOLDER_BYTES_MAX = 20 * 1024 * 1024 * 1024
/**
 * Free bytes on the disk below which an export fails, at its start and while it is written: the database is often on
 * the same disk.
 */
export const EXPORT_DISK_FREE_MIN_BYTES = 2 * 1024 * 1024 * 1024
/** Bytes of a file after which the free disk is checked again. */
export const EXPORT_DISK_CHECK_BYTES = 16 * 1024 * 1024
/** Background exports that a process makes at once, each of another tenant. */
export const EXPORTS_AT_ONCE = 2
/** Attempts to make an export whose process dies; then it fails. */
export const EXPORT_ATTEMPTS = 2
/** Files that a process streams at once; beyond it 503 SERVICE_OVERLOADED. */
export const EXPORTS_DIRECT_AT_ONCE = 6
/** Files that a process streams at once for one tenant; beyond it 429 RATE_LIMITED. */
export const EXPORTS_DIRECT_PER_TENANT = 3
/** The Retry-After of these refusals, seconds. */
export const EXPORT_RETRY_AFTER_S = 2
/**
 * Time without progress after which a client that does not read its file is disconnected, milliseconds: it
 * holds a slot.
 */
export const EXPORT_STALLED_MS = 60_000
/** Interval of the heartbeat of a running export, milliseconds. */
export const EXPORT_HEARTBEAT_MS = 2_000
/**
 * Time for which a process sees the same heartbeat until the process of an export counts as dead, milliseconds of the
 * monotonic clock.
 */
export const EXPORT_DEAD_MS = 60_000
/** Interval at which a process polls for waiting exports, milliseconds. */
export const EXPORT_POLL_MS = 15_000
/** Time after which an export whose process has not returned fails, milliseconds. */
export const EXPORT_LOST_MS = DAY_MS
/** Days that a PDF lists one by one; a longer period is listed by month. */
export const EXPORT_PDF_DAYS_MAX = 62
/** Longest file name, characters, without its extension. */
export const EXPORT_FILE_NAME_MAX_LENGTH = 120

/** Milliseconds that an export waits for a read replica with everything that is committed at its start. */
export const EXPORT_REPLICA_WAIT_MS = 5_000
/** Milliseconds for which readiness notes that a file of other processes was requested. */
export const EXPORT_ELSEWHERE_NOTE_MS = DAY_MS
