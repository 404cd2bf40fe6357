import { DAY_MS, HOUR_MS } from './time.ts'

/** The specification's 48 is too short for some fleets. */
export const CPID_LENGTH_MAX = 100

/** Modbus: what one request may read or write (Application Protocol 1.1b3), and how patient we are. */
export const MODBUS_WORDS_MAX = 125
export const MODBUS_BITS_MAX = 2_000

/** Dialects of MQTT. Devices of one Zigbee gateway. */
export const ZIGBEE_DEVICES_MAX = 500
/** At the stop: how long samples that were read may take to be stored. */
export const MODBUS_STOP_MS = 2_000
/**
 * What has not been written to for so long belongs to no upload: one may take REQUEST_ARRIVAL_LONG_MAX_MS.
 */
export const FIRMWARE_PART_OLD_MS = 15 * 60_000

/**
 * The numbers of the interface's section Limits and of the house rule "put a limit on everything", named
 * once.
 */
export const ACCESS_TOKEN_TTL_S = 30 * 60
export const SECRET_KEY_MIN_LENGTH = 32
export const PASSWORD_MIN_LENGTH = 12
export const PASSWORD_MAX_LENGTH = 128
export const EMAIL_MAX_LENGTH = 254
export const LIST_LIMIT_MAX = 500
export const SAMPLES_PER_REQUEST_MAX = 10_000
export const SAMPLE_METRICS_MAX = 64
export const SAMPLE_FUTURE_MAX_MS = 5 * 60_000
/** Samples before this instant carry a clock that was never set (1970, 2000). */
export const SAMPLE_EPOCH_FLOOR_MS = Date.UTC(2010, 0, 1)
export const OUTGOING_CALL_TIMEOUT_MS = 15_000
/** On routes that take large files. */
export const REQUEST_ARRIVAL_LONG_MAX_MS = 10 * 60_000
export const METRIC_NAME_MAX_LENGTH = 100
export const LAST_SEEN_EVERY_MS = 15_000
/** At the stop: how long running jobs may take to come to a pause; then they are given back. */
export const JOBS_STOP_MS = 1_500
/** Facts of so many hours are built again each night. */
export const FACTS_BACKFILL_MS = 72 * HOUR_MS
/**
 * Samples of hours that end so long before them may miss the next night's build: their hours are noted down.
 */
export const LATE_AFTER_MS = FACTS_BACKFILL_MS - DAY_MS

/**
 * Where the ranges of aggregated answers may lie: wherever a bucket has a start and an end that can be
 * written.
 */
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
/** One packet, header included: a canonical message of 10,000 readings fits. */
export const MQTT_PACKET_BYTES_MAX = 1024 * 1024
/** At the stop: how long received messages may take to be stored and acknowledged. */
export const MQTT_STOP_MAX_MS = 3_000
export const DEAD_LETTERS_AT_ONCE = 200
/** No meter of this service was read before. */
export const FIRST_BILLING_PERIOD = '2000-01-01'
