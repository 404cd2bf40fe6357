import { DAY_MS } from './time.ts'

/** The limits of everything that comes and goes over MQTT; like limits.ts, named once. */

/** The embedded broker: connections, and what one of them may ask for. */
export const MQTT_CONNECTIONS_MAX = 10_000
export const MQTT_SESSIONS_PER_GATEWAY_MAX = 20
export const MQTT_SUBSCRIPTIONS_PER_SESSION_MAX = 200
/** One packet, header included: a canonical message of 10,000 readings fits. */
export const MQTT_PACKET_BYTES_MAX = 1024 * 1024
/** Before a login: CONNECT with its will. */
export const MQTT_CONNECT_BYTES_MAX = 64 * 1024
export const MQTT_TOPIC_LENGTH_MAX = 500
/** Topics of a session of which it is remembered where they lie. */
export const MQTT_PLACES_REMEMBERED_MAX = 100
export const MQTT_CLIENT_ID_LENGTH_MAX = 200
export const MQTT_CONNECT_TIMEOUT_MS = 10_000
export const MQTT_LOGIN_TIMEOUT_MS = 8_000
/** A subscriber that takes nothing for so long is disconnected. */
export const MQTT_DRAIN_TIMEOUT_MS = 10_000
/** What waits to be sent to one session; one that takes less is disconnected at once. A gateway's retained messages fit. */
export const MQTT_OUTGOING_BYTES_MAX = 4 * 1024 * 1024
/** Packets that a client may send before its login is answered. */
export const MQTT_EARLY_PACKETS_MAX = 50
/** Messages and bytes of one session that are received and not yet acknowledged; beyond it its socket is not read. */
export const MQTT_WINDOW_MESSAGES = 500
export const MQTT_WINDOW_BYTES = 1024 * 1024
/** And of all sessions together. */
export const MQTT_IN_FLIGHT_BYTES_MAX = 64 * 1024 * 1024
export const MQTT_KEEPALIVE_REFRESH_MS = 5_000
/** Retained messages below one gateway's root; beyond it they are delivered and not kept. */
export const MQTT_RETAINED_PER_GATEWAY_MAX = 500
export const MQTT_RETAINED_BYTES_PER_GATEWAY_MAX = 2 * 1024 * 1024
/** Until a gateway without any session counts as disconnected: a takeover leaves none for a moment. */
export const MQTT_OFFLINE_AFTER_MS = 1_000
/** At the stop: how long received messages may take to be stored and acknowledged. */
export const MQTT_STOP_MAX_MS = 3_000

/** Logins: failures of one address in a minute, after which only remembered logins are let in. */
export const MQTT_LOGIN_FAILURES_PER_MINUTE = 20
export const MQTT_LOGINS_REMEMBERED_MAX = 20_000
export const MQTT_LOGIN_REMEMBERED_MS = 10 * 60_000
export const MQTT_ADDRESSES_REMEMBERED_MAX = 20_000
export const MQTT_SECRET_BYTES = 24
export const MQTT_KEY_BYTES = 9

/** The link to an outside broker. */
export const MQTT_LINK_WINDOW_MESSAGES = 4_000
export const MQTT_LINK_WINDOW_BYTES = 32 * 1024 * 1024
export const MQTT_LINK_KEEPALIVE_S = 30
export const MQTT_LINK_RECONNECT_MS = 1_000
/** How long the broker keeps messages for a process that is away. */
export const MQTT_LINK_SESSION_S = 7 * 24 * 3600
/** Processes that may share the messages of one installation. */
export const MQTT_LINK_SLOTS_MAX = 64

/** The lanes before ingest. Blocks of one tenant that are being stored at once, and samples of a block. */
export const MQTT_LIVE_BLOCKS_PER_TENANT = 2
export const MQTT_LIVE_BLOCKS_MAX = 64
export const MQTT_LIVE_BLOCK_SAMPLES = 2_000
export const MQTT_BACKFILL_BLOCK_SAMPLES = 500
/** While live samples wait, one block of old ones goes after so many blocks of live ones. */
export const MQTT_BACKFILL_EVERY = 8
/** A message whose newest sample is older waits in the backfill lane. */
export const MQTT_BACKFILL_AGE_MS = 10 * 60_000
/** Until a block that could not be stored is tried again. */
export const MQTT_RETRY_MS = 200

export const MQTT_READINGS_PER_MESSAGE_MAX = 10_000

/** Names of devices that are remembered, and for how long; a name that is missing is asked for again at once. */
export const MQTT_DIRECTORY_TTL_MS = 5_000
export const MQTT_DIRECTORY_GATEWAYS_MAX = 20_000
export const MQTT_DEVICES_PER_GATEWAY_MAX = 10_000
/** A gateway whose messages name unknown devices does not make us ask more often than this. */
export const MQTT_DIRECTORY_MISS_MS = 1_000

export const DECODER_MEMORY_KEYS_MAX = 2_000
export const DECODER_MEMORY_GATEWAYS_MAX = 10_000
/** How messages of a gateway look, so that the next ones are read faster; of larger messages nothing is remembered. */
export const SHAPES_PER_GATEWAY_MAX = 4
export const SHAPE_BYTES_MAX = 4 * 1024
export const SHAPE_READINGS_MAX = 32
export const SHAPE_SLOTS_MAX = 300

/** The numbering of a gateway's messages. Ranges kept; beyond it the oldest gaps are given up. */
export const SEQUENCE_RANGES_MAX = 500
export const SEQUENCE_GATEWAYS_MAX = 20_000
export const SEQUENCE_FLUSH_MS = 1_000
export const SEQUENCE_FLUSH_GATEWAYS = 500
/** Gaps listed in an acknowledgement. */
export const SEQUENCE_MISSING_TOLD_MAX = 20
/** A gap that stays open so long is told in /readiness. */
export const SEQUENCE_GAP_TOLD_MS = 60_000
/** Acknowledgements of a gateway are put together over this time. */
export const SEQUENCE_ACK_MS = 20
/** How often /readiness looks for gaps. */
export const SEQUENCE_NOTE_MS = 15_000

/** Clocks: the median over so many messages. */
export const CLOCK_SKEW_MESSAGES = 32
/** A smaller change is not written. */
export const CLOCK_SKEW_STEP_MS = 100

/** Dead letters of a tenant; the oldest fall out and are counted. */
export const DEAD_LETTERS_PER_TENANT_MAX = 10_000
export const DEAD_LETTER_BYTES_PER_TENANT_MAX = 64 * 1024 * 1024
export const DEAD_LETTER_KEPT_MS = 90 * DAY_MS
export const DEAD_LETTERS_AT_ONCE = 200
/** After so many new ones of a tenant its list is cut to the limits. */
export const DEAD_LETTERS_TRIM_EVERY = 500

/** Messages of our own that the outside broker has not confirmed yet. */
export const MQTT_LINK_PUBLISHES_MAX = 5_000
/** How often a process looks for a slot that nobody serves. */
export const MQTT_LINK_SLOTS_EVERY_MS = 15_000
/** A session that is to end has handed over what it kept when nothing has come for so long. */
export const MQTT_LINK_QUIET_MS = 2_000
