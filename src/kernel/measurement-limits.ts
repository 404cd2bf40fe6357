import { DAY_MS, HOUR_MS } from './time.ts'

/** Ingest. 10,000 samples of 40 metrics fit the body. */
export const SAMPLES_BODY_BYTES_MAX = 24 * 1024 * 1024
export const METRIC_NAME_MAX_LENGTH = 100
/** More failures of one request are not listed. */
export const SAMPLE_FAILURES_MAX = 1_000
export const INGEST_CONNECTIONS = 2
export const INGEST_BATCH_ROWS_MIN = 500
export const INGEST_BATCH_ROWS_MAX = 5_000
/** How long a small batch waits for company while another connection is writing. */
export const INGEST_LINGER_MS = 3
export const INGEST_WAITING_SAMPLES_MAX = 100_000
/** Requests that wait for room in the buffer. */
export const INGEST_WAITING_REQUESTS_MAX = 100
/** A request that is not stored by then is told to come again. */
export const INGEST_WAIT_MAX_MS = 10_000
export const INGEST_RETRY_AFTER_S = 2
export const INGEST_RECONNECT_MS = 200
/** Six statements of this length stay well below ROLLUP_SETTLE_MS. */
export const INGEST_STATEMENT_TIMEOUT_MS = 20_000
export const DEVICE_KEYS_CACHED_MAX = 100_000
/** How long a deleted device may still be taken for an existing one. */
export const DEVICE_KEY_TTL_MS = 5_000
export const LAST_SEEN_EVERY_MS = 15_000
export const SAMPLES_READ_MAX = 2_000
export const SAMPLES_READ_DEFAULT_MS = DAY_MS

/** Roll-ups. An hour is left alone until so long after its end: by then whatever arrived in time is committed. */
export const ROLLUP_SETTLE_MS = 10 * 60_000
export const ROLLUP_CHUNK_MS = 31 * DAY_MS
/** Samples of a device in memory at once: a month of one that reports every second would take two gigabytes. */
export const ROLLUP_SAMPLES_AT_ONCE = 50_000
export const ROLLUP_DEVICES_PER_PORTION = 100
/** How long one run of the minutely job goes on taking portions. */
export const ROLLUP_RUN_MAX_MS = 50_000
export const PARTITIONS_AHEAD_MONTHS = 3
export const JOBS_AT_ONCE = 3
/** At the stop: how long running jobs may take to come to a pause; then they are given back. */
export const JOBS_STOP_MS = 1_500
/** How often a process looks how the jobs stand, and whether one that held a job has died. */
export const JOBS_BEAT_MS = 30_000
export const JOBS_RESTART_MS = 10_000
export const JOB_RUNS_KEPT = 100
/** /readiness names a job of which more slots than this are overdue. */
export const JOB_LAG_SLOTS = 2
/** Facilities or groups that a job takes from the database at once. */
export const JOB_PAGE = 100
/** How far back the first slot after a downtime takes on what was not done. */
export const JOB_MAKE_UP_MAX_MS = 31 * DAY_MS
/** Facts of so many hours are built again each night. */
export const FACTS_BACKFILL_MS = 72 * HOUR_MS
/** Samples of hours that end so long before them may miss the next night's build: their hours are noted down. */
export const LATE_AFTER_MS = FACTS_BACKFILL_MS - DAY_MS
/** Until this day of the month the one before is calculated again each night: then its settlement is final. */
export const SETTLEMENT_FINAL_DAY = 15
/** Months that a monthly close makes up for. */
export const CLOSE_MONTHS_MAX = 12

/** Where the ranges of aggregated answers may lie: wherever a bucket has a start and an end that can be written. */
export const AGGREGATE_FIRST_MS = Date.UTC(1900, 0, 1)
export const AGGREGATE_LAST_MS = Date.UTC(3000, 0, 1)
/** The longest range of an aggregated answer, by its interval. */
export const AGGREGATE_RANGE_MAX_MS = {
  hourly: 400 * DAY_MS,
  daily: 1_500 * DAY_MS,
  monthly: 7_400 * DAY_MS,
} as const
/** The range when the request names none, back from now. */
export const AGGREGATE_RANGE_DEFAULT_MS = {
  hourly: DAY_MS,
  daily: 31 * DAY_MS,
  monthly: 366 * DAY_MS,
} as const

/** Sealed months. How long after its end a month's samples and facts are closed to writing. */
export const SEAL_AFTER_MS = 500 * DAY_MS
/** How long a month that an operator has opened stays open. */
export const UNSEALED_FOR_MS = 7 * DAY_MS
/** How long one run of the daily job goes on taking months. */
export const SEAL_RUN_MAX_MS = 10 * 60_000
/** Copying a month of a large installation. */
export const SEAL_STATEMENT_TIMEOUT_MS = 3_600_000
/** Locks that keep others out are waited for only so long, well below PostgreSQL's deadlock_timeout, and tried again. */
export const SEAL_LOCK_TIMEOUT_MS = 500
export const SEAL_LOCK_PAUSE_MS = 2_000
export const SEAL_LOCK_TRIES = 20
/** How long a connection stages its batches after one has met samples that were stored already. */
export const INGEST_STAGES_MS = 10_000
