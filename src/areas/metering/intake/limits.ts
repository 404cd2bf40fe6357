/** Failures that one refused request lists; further failures are left out of the list. */
export const SAMPLE_FAILURES_MAX = 1_000
/**
 * Bytes of the body of `POST /api/measurements`; a larger body is refused with 413. 10,000 samples of 40 metrics fit.
 */
export const SAMPLES_BODY_BYTES_MAX = 24 * 1024 * 1024
/** Layouts of samples that one body may have to be decoded from its bytes; with more it is parsed as JSON. */
export const SAMPLE_LAYOUTS_MAX = 8
/** The `Retry-After` of 503 SERVICE_OVERLOADED, seconds. */
export const INGEST_RETRY_AFTER_S = 2

/** Connections that write batches side by side. More would compete for the processors of the database. */
export const INGEST_CONNECTIONS = 2
/** Samples of a batch; a larger request is written in several batches. */
export const INGEST_BATCH_ROWS_MAX = 5_000
/** A smaller batch waits INGEST_LINGER_MS for further samples while another batch is being written. */
export const INGEST_BATCH_ROWS_MIN = 500
/** How long a small batch waits for further samples, milliseconds. */
export const INGEST_LINGER_MS = 3
/** Samples that one tenant gets into a batch before the next tenant has its turn; also the size of a shared block. */
export const INGEST_TURN_SAMPLES = 2_000
/** Samples of a backfill batch. It is small because live samples wait for it. */
export const INGEST_BACKFILL_BATCH_SAMPLES = 500
/** While live samples wait, one backfill batch is written after this many turns of live samples. */
export const INGEST_BACKFILL_EVERY = 8
/** Samples for which a new shared block reserves memory; it grows beyond. */
export const INGEST_BLOCK_ROOM = 64
/** Samples of a request that shares a block with others; a larger request has a block of its own. */
export const INGEST_SHARED_SAMPLES_MAX = 64

/** Samples of requests that wait in the queue; beyond it further requests wait for room. */
export const INGEST_WAITING_SAMPLES_MAX = 100_000
/** Requests that wait for room; further requests are refused with 503 at once. */
export const INGEST_WAITING_REQUESTS_MAX = 100
/**
 * The deadline of a request from its arrival to its commit, milliseconds; beyond it the request is refused with 503.
 */
export const INGEST_WAIT_MAX_MS = 10_000
/**
 * How long a stop waits for the queue to be written, milliseconds; what is left then is refused. Below the limit of the
 * service for a stop of this part.
 */
export const INGEST_DRAIN_MAX_MS = 4_000
/** Pause before a batch is written again after the connection was lost, milliseconds. */
export const INGEST_RECONNECT_MS = 200
/** The timeout of a statement, milliseconds. Six statements of this length stay well below ROLLUP_SETTLE_MS. */
export const INGEST_STATEMENT_TIMEOUT_MS = 20_000
/**
 * How long a connection reads the stored rows before it writes a batch, after one contained samples that were stored
 * already, milliseconds.
 */
export const INGEST_READS_MS = 10_000
/**
 * How long a batch may read and compare stored rows before it is tried again later, milliseconds. With the statements
 * that follow it stays well below ROLLUP_SETTLE_MS.
 */
export const INGEST_BATCH_MAX_MS = 60_000
/**
 * How long a batch may return compressed days to the rows, milliseconds. The days that are rows by then are committed,
 * and the batch is tried again.
 */
export const INGEST_REOPEN_MAX_MS = 3_000
/** Refusals in a row, because of time, after which the resubmission of samples of an opened month fails. */
export const RESUBMIT_REFUSALS_MAX = 60
/** The busy share is an average whose weight falls to 1/e over this time, milliseconds. */
export const INGEST_BUSY_MEMORY_MS = 200

/** Devices whose keys are cached; the one that sent least recently is forgotten. */
export const DEVICE_KEYS_CACHED_MAX = 100_000
/** Lifetime of a cached device key, milliseconds. A deleted device may be accepted for this long. */
export const DEVICE_KEY_TTL_MS = 5_000

/** Interval at which the counts of samples are written and quotas are read again, milliseconds. */
export const QUOTA_REFRESH_MS = 5_000
/** Tenants whose quotas a process keeps; the samples of further ones are counted but not refused. */
export const QUOTA_TENANTS_MAX = 50_000
/** The `Retry-After` of samples that are refused because the storage of the tenant is used up, seconds. */
export const STORAGE_QUOTA_RETRY_AFTER_S = 3_600
