import { DAY_MS, HOUR_MS } from './time.ts'

// Limits that several areas share. A limit with one owner is in the `limits.ts` of that owner.

// Accounts.

/** Characters of SECRET_KEY; with fewer the service does not start. */
export const SECRET_KEY_MIN_LENGTH = 32
/** Characters of BROKER_WEBHOOK_SECRET; with fewer the service does not start. */
export const BROKER_SECRET_MIN_LENGTH = 16
/** Characters of the name of a tenant or a person; 422 beyond it. */
export const DISPLAY_NAME_MAX_LENGTH = 200
/** Fewest characters (code points) of a password; 422 below it. */
export const PASSWORD_MIN_LENGTH = 12
/** Most characters (code points) of a password; 422 beyond it. */
export const PASSWORD_MAX_LENGTH = 128
/** Characters of an e-mail address (RFC 5321); 422 beyond it. */
export const EMAIL_MAX_LENGTH = 254

// Requests and calls.

/** Records of a plain list; a higher limit is refused with 422. */
export const LIST_LIMIT_MAX = 500
/** Milliseconds in which a request must have arrived on routes that take large files; 408 beyond it. */
export const REQUEST_ARRIVAL_LONG_MAX_MS = 10 * 60_000
/** Milliseconds of one call of another system; then it counts as failed. */
export const OUTGOING_CALL_TIMEOUT_MS = 15_000

// Samples.

/** Samples of one request or message; refused beyond it. */
export const SAMPLES_PER_REQUEST_MAX = 10_000
/** Values of one sample; refused beyond it. */
export const SAMPLE_METRICS_MAX = 64
/** Characters of the name of a metric; refused beyond it. */
export const METRIC_NAME_MAX_LENGTH = 100
/**
 * Milliseconds that a sample may lie in the future, as clocks differ; beyond it the sample is quarantined.
 */
export const SAMPLE_FUTURE_MAX_MS = 5 * 60_000
/** Samples before this instant come from a clock that was never set (1970, 2000), and are quarantined. */
export const SAMPLE_EPOCH_FLOOR_MS = Date.UTC(2010, 0, 1)
/** Milliseconds between two writes of last_seen of the same device or gateway. */
export const LAST_SEEN_EVERY_MS = 15_000

/**
 * First instant that the range of an aggregated response may have: any bucket must have a start that can be
 * written.
 */
export const AGGREGATE_FIRST_MS = Date.UTC(1900, 0, 1)
/**
 * Last instant that the range of an aggregated response may have: any bucket must have an end that can be
 * written.
 */
export const AGGREGATE_LAST_MS = Date.UTC(3000, 0, 1)
/** The longest range of an aggregated response, milliseconds, by its interval; 422 beyond it. */
export const AGGREGATE_RANGE_MAX_MS = {
  hourly: 400 * DAY_MS,
  daily: 1_500 * DAY_MS,
  monthly: 7_400 * DAY_MS,
} as const
/** The range of an aggregated response when the request names none, milliseconds back from now. */
export const AGGREGATE_RANGE_DEFAULT_MS = {
  hourly: DAY_MS,
  daily: 31 * DAY_MS,
  monthly: 366 * DAY_MS,
} as const

// Netting.

/** Milliseconds before a night whose facts are built again in that night. */
export const FACTS_BACKFILL_MS = 72 * HOUR_MS
/**
 * Age of an hour, milliseconds, from which a late sample may miss the next nightly build; the hour is then
 * marked as late.
 */
export const LATE_AFTER_MS = FACTS_BACKFILL_MS - DAY_MS
/** The first billing period of all: no meter of this service was read before. */
export const FIRST_BILLING_PERIOD = '2000-01-01'

// Field.

/** Characters of the id of a charging station; the specification's 48 is too short for some fleets. */
export const CPID_LENGTH_MAX = 100
/** Registers of one Modbus request (Application Protocol 1.1b3). */
export const MODBUS_WORDS_MAX = 125
/** Coils or discrete inputs of one Modbus request (Application Protocol 1.1b3: 2,000). */
export const MODBUS_BITS_MAX = 2_000
/** Devices of one Zigbee gateway; a longer inventory cannot be decoded and becomes a dead letter. */
export const ZIGBEE_DEVICES_MAX = 500
/** Bytes of one MQTT packet, header included; a canonical message of 10,000 readings fits. */
export const MQTT_PACKET_BYTES_MAX = 1024 * 1024
/** Dead letters that are stored in one statement; further ones follow in the next. */
export const DEAD_LETTERS_AT_ONCE = 200
/**
 * Milliseconds without a write after which a partial upload is abandoned; above REQUEST_ARRIVAL_LONG_MAX_MS.
 */
export const FIRMWARE_PART_OLD_MS = 15 * 60_000

// At the stop of the service.

/**
 * Milliseconds that running jobs have to pause; then they are given back and another process repeats them.
 */
export const JOBS_STOP_MS = 1_500
/** Milliseconds that samples read over Modbus have to be stored; then they are given up. */
export const MODBUS_STOP_MS = 2_000
/**
 * Milliseconds that received MQTT messages have to be stored and acknowledged; then their senders repeat
 * them.
 */
export const MQTT_STOP_MAX_MS = 3_000
