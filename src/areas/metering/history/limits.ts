import { DAY_MS } from '../../../kernel/time.ts'
import { READ_LAG_MAX_S } from '../../../platform/db/limits.ts'

/**
 * Age from which a day may be compressed at the earliest, milliseconds. Reads that are bounded to newer samples
 * never meet a chunk, and batches of newer samples need not look for days to reopen.
 */
export const COMPRESSED_AGE_MIN_MS = 32 * DAY_MS
/**
 * Time from the publication of a chunk to the deletion of its rows, milliseconds. It is far longer than a read
 * takes, so a read that has not seen the chunk still sees the rows; also a read that has looked for chunks on the most
 * backward replica and continues on the primary.
 */
export const ROWS_KEPT_MS = READ_LAG_MAX_S * 1000 + 10 * 60_000
/** Time after which one run of the job starts no further device-day, milliseconds; the next run continues. */
export const COMPRESS_RUN_MAX_MS = 5 * 60_000
/** Tenants and devices of one page of the job. */
export const COMPRESS_KEYS_AT_ONCE = 500
/** Device-days of a tenant after which it is the turn of the next one. */
export const COMPRESS_TURN_DAYS = 20
/** The job rests after a device-day for its duration times this factor. */
export const COMPRESS_REST_FACTOR = 1
/** Share of recent time spent on writing samples above which the job waits before the next device-day. */
export const COMPRESS_BUSY_SHARE = 0.12
/** The longest wait for intake before a device-day, milliseconds: with busy intake the job is slow, but continues. */
export const COMPRESS_DEFER_MAX_MS = 1_000
/** Time between two looks at whether intake is still busy, milliseconds. */
export const COMPRESS_DEFER_STEP_MS = 50
/** Rows of a device-day from which on it is compressed in a thread; fewer take some milliseconds on the event loop. */
export const COMPRESS_THREAD_ROWS_MIN = 1_000
/** Heap of the thread that compresses, MB: a day with CHUNK_SAMPLES_MAX samples of all metrics. */
export const COMPRESS_THREAD_HEAP_MB = 1_024
/** The longest time for a device-day in the thread, milliseconds. */
export const COMPRESS_DAY_MAX_MS = 5 * 60_000
/** Device-days that cannot be compressed and are reported once in the life of a process. */
export const COMPRESS_REPORTS_MAX = 1_000
/** Chunks that a count of instants, or a search for the newest extra value, decodes at once. */
export const CHUNKS_AT_ONCE = 30
/** Repetitions of a read that found days changed meanwhile, before it decodes all chunks. */
export const SUMMARY_TRIES_MAX = 3
/** Chunks that a reader of raw samples looks up and decodes at once. */
export const LEADING_CHUNKS_MAX = 16
/** Rows of a device-day that are read at once to be exported to files or compared with them. */
export const READ_ROWS_AT_ONCE = 50_000
