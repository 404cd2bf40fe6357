/** The limits of everything that comes and goes over MQTT; like limits.ts, named once. */

/** The embedded broker: connections, and what one of them may ask for. */
export const MQTT_CONNECTIONS_MAX = 10_000
export const MQTT_SESSIONS_PER_GATEWAY_MAX = 20
export const MQTT_SUBSCRIPTIONS_PER_SESSION_MAX = 200
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

/** Logins: failures of one address in a minute, after which only remembered logins are let in. */
export const MQTT_LOGIN_FAILURES_PER_MINUTE = 20
export const MQTT_LOGINS_REMEMBERED_MAX = 20_000
export const MQTT_LOGIN_REMEMBERED_MS = 10 * 60_000
export const MQTT_ADDRESSES_REMEMBERED_MAX = 20_000

/** The link to an outside broker. */
export const MQTT_LINK_WINDOW_MESSAGES = 4_000
export const MQTT_LINK_WINDOW_BYTES = 32 * 1024 * 1024
export const MQTT_LINK_KEEPALIVE_S = 30
export const MQTT_LINK_RECONNECT_MS = 1_000
/** How long the broker keeps messages for a process that is away. */
export const MQTT_LINK_SESSION_S = 7 * 24 * 3600

/** Messages of our own that the outside broker has not confirmed yet. */
export const MQTT_LINK_PUBLISHES_MAX = 5_000
/** A session that is to end has handed over what it kept when nothing has come for so long. */
export const MQTT_LINK_QUIET_MS = 2_000
