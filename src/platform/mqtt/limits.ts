/** Connections to each listener of the embedded broker; further ones are closed at once. */
export const MQTT_CONNECTIONS_MAX = 10_000
/** Sessions of one gateway with different client ids; a further login is answered with `server unavailable`. */
export const MQTT_SESSIONS_PER_GATEWAY_MAX = 20
/** Filters that one session may subscribe to; further ones are refused in SUBACK. */
export const MQTT_SUBSCRIPTIONS_PER_SESSION_MAX = 200
/** Filters that a session of a Home Assistant is subscribed to: one for each device, and those of its discovery. */
export const MQTT_SUBSCRIPTIONS_PER_READER_MAX = 500
/** Bytes of a packet before the login (CONNECT with its will); a larger one ends the connection. */
export const MQTT_CONNECT_BYTES_MAX = 64 * 1024
/** Characters of a topic or filter below the root of a gateway; a longer one is refused. */
export const MQTT_TOPIC_LENGTH_MAX = 500
/** Topics of a session whose resolution is cached; beyond it the cache is emptied. */
export const MQTT_TOPICS_CACHED_MAX = 100
/** Characters of a client id; a longer one is refused. */
export const MQTT_CLIENT_ID_LENGTH_MAX = 200
/**
 * How long a new connection may take until CONNECT, milliseconds; also the timeout of a connection to an outside
 * broker.
 */
export const MQTT_CONNECT_TIMEOUT_MS = 10_000
/** How long a TLS handshake may take, milliseconds; microcontrollers need several seconds for it. */
export const MQTT_TLS_HANDSHAKE_TIMEOUT_MS = 20_000
/** How long the check of a login may take, milliseconds; beyond it the login is answered with `server unavailable`. */
export const MQTT_LOGIN_TIMEOUT_MS = 8_000
/** A subscriber that reads nothing for this long is disconnected, milliseconds. */
export const MQTT_DRAIN_TIMEOUT_MS = 10_000
/**
 * Bytes that wait to be sent to one session; beyond it the session is disconnected. The retained messages of a gateway
 * fit.
 */
export const MQTT_OUTGOING_BYTES_MAX = 4 * 1024 * 1024
/** Packets that a client may send before its login is answered; a further one ends the connection. */
export const MQTT_EARLY_PACKETS_MAX = 50
/** Messages of one session that are not acknowledged yet; beyond it its socket is not read. */
export const MQTT_WINDOW_MESSAGES = 500
/** Bytes of one session that are not acknowledged yet; beyond it its socket is not read. */
export const MQTT_WINDOW_BYTES = 1024 * 1024
/** Bytes of all sessions that are not acknowledged yet; beyond it no socket is read. */
export const MQTT_IN_FLIGHT_BYTES_MAX = 64 * 1024 * 1024
/** How often the keep-alive timers of sessions that are not read are restarted, milliseconds. */
export const MQTT_KEEPALIVE_REFRESH_MS = 5_000
/** Retained messages below the root of one gateway; further ones are delivered and not retained. */
export const MQTT_RETAINED_PER_GATEWAY_MAX = 500
/** Bytes of the retained messages below the root of one gateway; further ones are delivered and not retained. */
export const MQTT_RETAINED_BYTES_PER_GATEWAY_MAX = 2 * 1024 * 1024
/**
 * How long a gateway has no session until it counts as disconnected, milliseconds: a takeover leaves none for a moment.
 */
export const MQTT_OFFLINE_AFTER_MS = 1_000

/** Failed logins of one address in a minute; beyond it only logins that were right before are accepted. */
export const MQTT_LOGIN_FAILURES_PER_MINUTE = 20
/** Successful logins that are cached; the oldest is evicted. */
export const MQTT_LOGINS_CACHED_MAX = 20_000
/** How long a successful login is cached, milliseconds. */
export const MQTT_LOGIN_TTL_MS = 10 * 60_000
/** Addresses whose failed logins are counted; the oldest is evicted. */
export const MQTT_ADDRESSES_CACHED_MAX = 20_000

/** Messages of an outside broker that are not acknowledged yet; beyond it the socket is not read. */
export const MQTT_LINK_WINDOW_MESSAGES = 4_000
/** Bytes of an outside broker that are not acknowledged yet; beyond it the socket is not read. */
export const MQTT_LINK_WINDOW_BYTES = 32 * 1024 * 1024
/** The keep-alive interval of a connection to an outside broker, seconds. */
export const MQTT_LINK_KEEPALIVE_S = 30
/** Pause before a lost connection to an outside broker is opened again, milliseconds. */
export const MQTT_LINK_RECONNECT_MS = 1_000
/** How long an outside broker retains the session of a process that is away, seconds. */
export const MQTT_LINK_SESSION_S = 7 * 24 * 3600

/** Published messages that an outside broker has not confirmed yet; further ones are rejected. */
export const MQTT_LINK_PUBLISHES_MAX = 5_000
/** A session that is to be ended counts as emptied when nothing has arrived for this long, milliseconds. */
export const MQTT_LINK_QUIET_MS = 2_000

/** How often a process tries to take over the gateways of the embedded broker from another process, milliseconds. */
export const MQTT_OWNERSHIP_POLL_MS = 500
