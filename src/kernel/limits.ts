import { DAY_MS, HOUR_MS } from './time.ts'

/** The numbers of the interface's section Limits and of the house rule "put a limit on everything", named once. */
export const ACCESS_TOKEN_TTL_S = 30 * 60
export const REFRESH_TOKEN_TTL_S = 7 * 24 * 3600
export const INVITATION_TTL_MS = 7 * DAY_MS
export const SECRET_KEY_MIN_LENGTH = 32
export const PASSWORD_MIN_LENGTH = 12
export const PASSWORD_MAX_LENGTH = 128
export const LOGIN_IN_FLIGHT_MAX = 3
/** PBKDF2-SHA256 rounds, as OWASP advises (2023). */
export const PASSWORD_ITERATIONS = 600_000
/** Half of the thread pool, so that files and name lookups are not starved by sign-ins. */
export const PASSWORD_HASHES_AT_ONCE = 2
export const PASSWORD_HASHES_WAITING_MAX = 100
/** Random bytes of a reset or invitation token. */
export const LINK_TOKEN_BYTES = 32
export const EMAIL_MAX_LENGTH = 254
export const ROLES_PER_USER_MAX = 50
export const SLUG_MAX_LENGTH = 63
/** Background work of requests (mails, last_login_at): at once, and waiting. */
export const BACKGROUND_AT_ONCE = 4
export const BACKGROUND_WAITING_MAX = 1000

export const PAGE_LIMIT_DEFAULT = 50
export const PAGE_LIMIT_MAX = 200
export const LIST_LIMIT_DEFAULT = 100
export const LIST_LIMIT_MAX = 500
export const HOURLY_LIST_LIMIT_MAX = 2000

export const INVERTER_APPLY_ITEMS_MAX = 500

/** Facilities that the message of a rule names; its details carry all their ids. */
export const ELIGIBILITY_NAMES_MAX = 5
/** System alarms. Less of its initial limit than this is left of an account. */
export const LIMIT_LOW_ALARM_PCT = 10
/** More of a period's production than this earns nothing, once so many of its hours are calculated. */
export const BEDELSIZ_RISK_ALARM_PCT = 1
export const BEDELSIZ_RISK_HOURS_MIN = 24
/** Facts are judged over the span that the nightly build heals; missing hours over its last part alone. */
export const FACTS_ALARM_SPAN_MS = 3 * DAY_MS
export const FACTS_MISSING_ALARM_SPAN_MS = DAY_MS
/** Fewer hours are a device that is late, or a line that was down for a moment. */
export const FACTS_MISSING_ALARM_HOURS = 3
export const FACTS_PARTIAL_ALARM_HOURS = 3

/** Groups taken from the database at once when an approved tariff evaluates those that lacked one. */
export const REEVALUATION_BATCH = 100

export const CALCULATION_WINDOW_MAX_MS = 7 * DAY_MS
/** Audit packages, as `audit replay` reads them: far above those of a month of 1,000 facilities. */
export const AUDIT_PACKAGE_BYTES_MAX = 256 * 1024 * 1024
export const AUDIT_ENTRIES_MAX = 5_000
export const AUDIT_UNPACKED_BYTES_MAX = 1024 * 1024 * 1024

/** Uploaded figures of a supplier or market operator. */
export const RECONCILE_FILE_BYTES_MAX = 2 * 1024 * 1024
export const RECONCILE_ROWS_MAX = 10_000
/** Titles and totals around the rows of a report. */
export const RECONCILE_OTHER_ROWS_MAX = 100
export const RECONCILE_COLUMNS_MAX = 100
export const RECONCILE_CELL_LENGTH_MAX = 1_000
export const RECONCILE_UNPACKED_BYTES_MAX = 24 * 1024 * 1024
export const RECONCILE_ENTRIES_MAX = 500
/** Entries of each list of the report; the counts are whole. */
export const RECONCILE_REPORTED_MAX = 2_000

export const CORRECTION_REASON_MIN_LENGTH = 5
export const CORRECTION_REASON_MAX_LENGTH = 2000
/** Months between a corrected period and the current one beyond which the answer warns (DUY 133/5). */
export const CORRECTION_AGE_WARNING_MONTHS = 12
/** No meter of this service was read before. */
export const FIRST_BILLING_PERIOD = '2000-01-01'
export const DASHBOARD_YEAR_MIN = 2000
export const DASHBOARD_YEAR_MAX = 2100
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS

export const BODY_BYTES_MAX = 8 * 1024 * 1024
/** Free-form JSON of one record (config, extra_metadata, register_map), and the keys of extra_metadata. */
export const FREE_FORM_BYTES_MAX = 256 * 1024
export const METADATA_KEYS_MAX = 200
export const SAMPLES_PER_REQUEST_MAX = 10_000
export const SAMPLE_METRICS_MAX = 64
export const SAMPLE_FUTURE_MAX_MS = 5 * 60_000
/** Samples before this instant carry a clock that was never set (1970, 2000). */
export const SAMPLE_EPOCH_FLOOR_MS = Date.UTC(2010, 0, 1)

export const SHUTDOWN_MAX_MS = 10_000
export const DB_CONNECT_TIMEOUT_MS = 10_000
/** What a client is told to wait when the database is out of reach. */
export const RETRY_AFTER_OUTAGE_S = 5
/** And when two transactions wanted the same rows in opposite order. */
export const RETRY_AFTER_CLASH_S = 1
export const DB_STATEMENT_TIMEOUT_MS = 120_000
export const OUTGOING_CALL_TIMEOUT_MS = 15_000

/** The embedded PostgreSQL. Start includes crash recovery, which replays up to 2 GB of log. */
export const EMBEDDED_START_MAX_MS = 300_000
export const EMBEDDED_STOP_MAX_MS = 6_000
export const EMBEDDED_STOP_KILL_MS = 1_500
export const EMBEDDED_ORPHAN_STOP_MAX_MS = 30_000
export const EMBEDDED_ZOMBIE_MAX_MS = 10_000
export const EMBEDDED_TOOL_MAX_MS = 120_000
export const EMBEDDED_POLL_MS = 20
export const EMBEDDED_PROBE_MAX_MS = 1_000
export const EMBEDDED_HEARTBEAT_MS = 1_000
/** Longer than three heartbeats, so that a busy owner is not taken for dead. */
export const EMBEDDED_HEARTBEAT_WATCH_MS = 4_000
export const EMBEDDED_LOG_BYTES_MAX = 4 * 1024 * 1024
export const EMBEDDED_LOG_CHECK_MS = 30_000
/** sun_path without its closing zero: 108 bytes on Linux, 104 on macOS. */
export const UNIX_SOCKET_PATH_BYTES_MAX = 103

/** The HTTP server. A request must have arrived whole within the first; answering it may take longer. */
export const REQUEST_ARRIVAL_MAX_MS = 60_000
export const REQUEST_HEADERS_MAX_MS = 20_000
export const KEEP_ALIVE_MS = 72_000
/** At the stop: how long requests in flight may take; the rest of SHUTDOWN_MAX_MS belongs to the database. */
export const DRAIN_MAX_MS = 5_000
/** At the stop: nothing has been in flight for so long. */
export const DRAIN_QUIET_MS = 300
/** At the stop: any other part. */
export const CLOSE_MAX_MS = 1_000
export const READINESS_CHECK_MAX_MS = 2_000
export const PORT_TRIES_MAX = 100

/** Client addresses whose recent calls are remembered; beyond that the least recently seen is forgotten. */
export const RATE_KEYS_MAX = 50_000
export const REDIS_CALL_TIMEOUT_MS = 500
/** One warning in so many while Redis is away. */
export const REDIS_WARNING_EVERY_MS = 60_000
export const LOGIN_LEASE_MS = 60_000

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
/** A larger answer is not kept. */
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 1024 * 1024
/** A claim without an outcome this old belongs to a process that died. */
export const IDEMPOTENCY_CLAIM_MAX_MS = 10 * 60_000
export const IDEMPOTENCY_PURGE_ROWS = 100

export const OUTBOX_MAILS_MAX = 1_000

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
