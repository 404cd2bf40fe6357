import { DAY_MS } from '../../../kernel/time.ts'

/** Exports. More rows than the first are made in the background, more than the second not at all. */
export const EXPORT_DIRECT_ROWS_MAX = 50_000
export const EXPORT_ROWS_MAX = 20_000_000
export const EXPORT_DEVICES_MAX = 100
export const EXPORT_METRICS_MAX = 64
/** Few enough to be gone before the collector has to move them: 5,000 took a third longer. */
export const EXPORT_PORTION_ROWS = 2_000
/** The span of one statement that counts rows: a year of a device that reports every second is thirty million. */
export const EXPORT_COUNT_SPAN_MS = 31 * DAY_MS
/** How many of a tenant wait or run; how many are kept, and how long. The oldest finished one makes room. */
export const EXPORTS_WAITING_MAX = 5
export const EXPORTS_KEPT_MAX = 20
export const EXPORT_KEPT_MS = 7 * DAY_MS
export const EXPORT_FILE_BYTES_MAX = 2 * 1024 * 1024 * 1024
/** Of all files of one place together, and what an export leaves free on the disk. */
export const EXPORT_FOLDER_BYTES_MAX = 20 * 1024 * 1024 * 1024
export const EXPORT_DISK_FREE_MIN_BYTES = 2 * 1024 * 1024 * 1024
/** Made by one process at a time, of different tenants. */
export const EXPORTS_AT_ONCE = 2
export const EXPORT_ATTEMPTS = 2
/** Files that a process sends while it makes them, and how many of them for one tenant. */
export const EXPORTS_DIRECT_AT_ONCE = 6
export const EXPORTS_DIRECT_PER_TENANT = 3
export const EXPORT_RETRY_AFTER_S = 2
/** A client that takes nothing of its file for so long is given up: it holds a place. */
export const EXPORT_STALLED_MS = 60_000
/** How often a process says that it is still making an export, and when it is taken for dead. */
export const EXPORT_HEARTBEAT_MS = 2_000
export const EXPORT_DEAD_MS = 60_000
/** How often a process looks for exports that nobody makes. */
export const EXPORT_POLL_MS = 15_000
/** An export whose process has not come back for so long is given up. */
export const EXPORT_LOST_MS = DAY_MS
/** Days that a PDF shows one by one; a longer period is shown by month. */
export const EXPORT_PDF_DAYS_MAX = 62
export const EXPORT_FILE_NAME_MAX_LENGTH = 120
