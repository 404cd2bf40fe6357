// One message of a station

/**
 * Bytes of one message of a station; a longer one closes the socket (1009). Some hundred configuration keys
 * fit well.
 */
export const OCPP_MESSAGE_BYTES_MAX = 256 * 1024
/**
 * Nesting depth of a payload; a deeper one is refused with FormationViolation, since no OCPP message needs
 * it.
 */
export const OCPP_DEPTH_MAX = 32
/**
 * Characters of a message id, where the specification asks for 36; a longer one makes the frame malformed.
 */
export const OCPP_MESSAGE_ID_LENGTH_MAX = 255
/**
 * Characters stored of the code and of the description of a CALLERROR that a station sends; the rest is cut
 * off.
 */
export const OCPP_ERROR_LENGTH_MAX = 1_000

// The message queue of a socket

/** Messages of a station that wait behind the one being handled before its socket is no longer read. */
export const OCPP_QUEUE_PAUSE = 8
/**
 * Messages of a station that may wait at all; beyond this, which only one burst can reach, the socket is
 * closed (1008).
 */
export const OCPP_QUEUE_MAX = 1_000
/**
 * Messages handled of one station per second in the long run; a faster station is slowed down by back-pressure and
 * reported in the log.
 */
export const OCPP_MESSAGES_PER_SECOND = 50
/** Messages of one station handled without delay after a pause, such as those that it kept while it was offline. */
export const OCPP_MESSAGES_BURST = 500
/** Malformed messages in a row that a socket survives; one more closes it (1008). */
export const OCPP_MALFORMED_MAX = 50

// Our calls

/** Milliseconds that we wait for the response to a call; then the command times out. */
export const OCPP_CALL_TIMEOUT_MS = 30_000
/** Calls to one station that wait behind the one under way; a further one fails at once. */
export const OCPP_CALLS_QUEUED_MAX = 32

// Connections

/** Seconds between the heartbeats of a station when OCPP_HEARTBEAT_SECONDS is not set. */
export const OCPP_HEARTBEAT_S = 300
/** Milliseconds without a message after which a station is pinged. */
export const OCPP_PING_EVERY_MS = 60_000
/** Unanswered pings after which the socket is terminated. */
export const OCPP_PINGS_MISSED_MAX = 3
/**
 * Milliseconds between two checks of all connections: pings that are due, activity to be written, connections
 * replaced.
 */
export const OCPP_CONNECTION_CHECK_MS = 2_000
/**
 * Stations whose activity is written per check, the oldest first: with 5,000 stations each is at most 20 s
 * behind.
 */
export const OCPP_ACTIVITY_WRITES_PER_CHECK = 500
/** Connections per statement that asks which of them are still current. */
export const OCPP_CONNECTIONS_PER_QUERY = 1_000
/** Takeovers that wait to be recorded; further ones are not counted. */
export const OCPP_TAKEOVERS_QUEUED_MAX = 200
/** Milliseconds that a shutdown waits for responses that are being made. */
export const OCPP_STOP_MS = 2_000

// Handshakes

/** Milliseconds of the window in which wrong logins are counted. */
export const OCPP_FAILURES_WINDOW_MS = 5 * 60_000
/** Multiple of RATE_LIMIT_OCPP_FAILURES that an address as a whole, and a cpid from everywhere, may fail. */
export const OCPP_FAILURES_FACTOR = 10
/** Burst of handshakes of one address, in seconds' worth of RATE_LIMIT_OCPP_PER_SECOND; beyond it 429. */
export const OCPP_HANDSHAKE_BURST_S = 10
/** Handshakes of one cpid from one address that are checked at a time; a further one is answered 429. */
export const OCPP_HANDSHAKE_CONCURRENCY = 3
/**
 * Right logins that are remembered: they pass a lock-out and are not stretched again. The oldest are
 * forgotten first.
 */
export const OCPP_LOGINS_REMEMBERED_MAX = 20_000
/** Milliseconds for which a right login is remembered. */
export const OCPP_LOGINS_REMEMBERED_MS = 24 * 3_600_000

// Caches, and records of what was not understood

/** Connectors whose device is cached in a process; the oldest is forgotten first. */
export const OCPP_CONNECTORS_CACHED_MAX = 50_000
/**
 * Combinations of measurand, phase, location and unit whose resolution is cached; then the cache is emptied.
 */
export const OCPP_MEASURANDS_CACHED_MAX = 2_000
/** Kinds of unreadable values that are recorded as events of one station; further kinds are not. */
export const OCPP_UNREADABLE_KINDS_MAX = 20
/** Refused messages that are recorded as events of one station per minute; further ones are only answered. */
export const OCPP_REFUSALS_RECORDED_PER_MINUTE = 10
/** Unknown or truncated properties that are named in the event of one message. */
export const OCPP_UNKNOWN_NAMES_MAX = 20
/** Events of unknown or truncated properties that one connection causes; further combinations are not recorded. */
export const OCPP_UNKNOWN_RECORDED_MAX = 20
/** The highest number of a part of a report (`seqNo`); a message with a higher one is refused. */
export const CHARGER_REPORT_PARTS_MAX = 10_000
