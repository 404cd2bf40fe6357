export const CHARGER_REPORT_PARTS_MAX = 10_000
/** Connectors whose device is remembered. */
export const OCPP_CONNECTORS_CACHED_MAX = 50_000
/** Kinds of values whose meaning is remembered, of all stations. */
export const OCPP_MEASURANDS_CACHED_MAX = 2_000
/** Kinds of values that could not be read and are noted, of one station. */
export const OCPP_UNREADABLE_KINDS_MAX = 20

/** Of one message of a station. A list of some hundred configuration keys or certificates stays well below it. */
export const OCPP_MESSAGE_BYTES_MAX = 256 * 1024
/** Payloads that are nested deeper mean nothing. */
export const OCPP_DEPTH_MAX = 32
/** Of a message's id; the specification asks for 36. */
export const OCPP_MESSAGE_ID_LENGTH_MAX = 255
/** Messages of a station that wait for the one before them: beyond the first it is not read, beyond the second it is cut. */
export const OCPP_QUEUE_PAUSE = 8
export const OCPP_QUEUE_MAX = 1_000
/** Of one station in any second; a faster one is read more slowly. */
export const OCPP_MESSAGES_PER_SECOND = 200
/** Of the code and of the description of an error that a station answers. */
export const OCPP_ERROR_LENGTH_MAX = 1_000
/** So many malformed messages without a good one between them close the socket. */
export const OCPP_MALFORMED_MAX = 50
/** Messages that were refused and are noted among a station's events, in a minute. */
export const OCPP_REFUSALS_RECORDED_PER_MINUTE = 10
/** Properties that are not of OCPP: so many are named of one message, and so many kinds of messages with them are noted of a socket. */
export const OCPP_UNKNOWN_NAMES_MAX = 20
export const OCPP_UNKNOWN_RECORDED_MAX = 20

/** How long a call of ours waits for its answer, and how many wait for their turn. */
export const OCPP_CALL_TIMEOUT_MS = 30_000
export const OCPP_CALLS_QUEUED_MAX = 32
/** Between two pings; a station that says nothing for OCPP_PINGS_MISSED_MAX of them is cut. */
export const OCPP_PING_EVERY_MS = 60_000
export const OCPP_PINGS_MISSED_MAX = 3
/** How often it is looked for pings that are due, and what was heard is written down. */
export const OCPP_CONNECTION_CHECK_MS = 2_000
/** Stations that are written down at a look: with 5,000 each is at most 20 seconds behind. */
export const OCPP_ACTIVITY_WRITES_PER_CHECK = 500
/** Stations of one statement that asks whether they are still held here. */
export const OCPP_CONNECTIONS_PER_QUERY = 1_000
/** Takeovers that wait to be noted; further ones are not counted. */
export const OCPP_TAKEOVERS_QUEUED_MAX = 200
/** At the stop: how long answers that are being made may take. */
export const OCPP_STOP_MS = 2_000

/** Wrong logins are counted in any so many minutes. */
export const OCPP_FAILURES_WINDOW_MS = 5 * 60_000
/** An address as a whole, and a cpid from everywhere, may fail so many times as often as a cpid from one address. */
export const OCPP_FAILURES_FACTOR = 10
/** Handshakes of an address at once: so many seconds' worth. */
export const OCPP_HANDSHAKE_BURST_S = 10
/** Handshakes of one cpid from one address that are being decided at a time. */
export const OCPP_HANDSHAKE_CONCURRENCY = 3
/** Stretched passwords are checked one after the other, with so many waiting, so that people can still sign in. */
export const OCPP_PASSWORD_CHECKS_QUEUED_MAX = 12
/** Logins that were right: an address under lock-out is still let in with them, and they are not stretched again. */
export const OCPP_LOGINS_REMEMBERED_MAX = 20_000
export const OCPP_LOGINS_REMEMBERED_MS = 24 * 3_600_000
/** How often the certificates of the TLS listener are read anew. */
export const OCPP_TLS_RELOAD_EVERY_MS = 60_000
/** How often it is looked for commands that other processes took on, and that wait for a station of ours. */
export const OCPP_COMMAND_POLL_MS = 1_000
/** Seconds between the heartbeats of a station when OCPP_HEARTBEAT_SECONDS is not set. */
export const OCPP_HEARTBEAT_S = 300
