/** More failures of one request are not listed. */
export const SAMPLE_FAILURES_MAX = 1_000
export const INGEST_CONNECTIONS = 2
export const INGEST_BATCH_ROWS_MIN = 500
/** Samples that one tenant gets into a batch before the next tenant has its turn; also the size of a shared block. */
export const INGEST_TURN_SAMPLES = 2_000
/** Samples of a batch from the stores of gateways. */
export const INGEST_BACKFILL_BATCH_SAMPLES = 500
/** While live samples wait, one backfill batch is written after this many turns of live samples. */
export const INGEST_BACKFILL_EVERY = 8
/** Samples for which a new shared block reserves memory. */
export const INGEST_BLOCK_ROOM = 64
/** Larger requests have a block of their own. */
export const INGEST_SHARED_SAMPLES_MAX = 64
/** How long a small batch waits for company while another connection is writing. */
export const INGEST_LINGER_MS = 3
export const INGEST_WAITING_SAMPLES_MAX = 100_000
/** Requests that wait for room in the buffer. */
export const INGEST_WAITING_REQUESTS_MAX = 100
/** A request that is not stored by then is told to come again. */
export const INGEST_WAIT_MAX_MS = 10_000
export const INGEST_RECONNECT_MS = 200
export const DEVICE_KEYS_CACHED_MAX = 100_000
/** How long a deleted device may still be taken for an existing one. */
export const DEVICE_KEY_TTL_MS = 5_000
/** 10,000 samples of 40 metrics fit the body. */
export const SAMPLES_BODY_BYTES_MAX = 24 * 1024 * 1024
export const INGEST_RETRY_AFTER_S = 2
/** Six statements of this length stay well below ROLLUP_SETTLE_MS. */
export const INGEST_STATEMENT_TIMEOUT_MS = 20_000
/** How long a connection stages its batches after one has met samples that were stored already. */
export const INGEST_STAGES_MS = 10_000
export const INGEST_BATCH_ROWS_MAX = 5_000
/** The busy share is an average whose weight falls to 1/e over this time. */
export const INGEST_BUSY_MEMORY_MS = 200
