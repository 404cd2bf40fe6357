/**
 * Bytes of one notification of PostgreSQL, which accepts fewer than 8,000; a message that is longer, even compressed,
 * is sent in parts.
 */
export const LINK_NOTIFICATION_BYTES_MAX = 7_900
/** Bytes of a message between processes, uncompressed, above those of an MQTT packet; a larger one is refused. */
export const LINK_MESSAGE_BYTES_MAX = 1.25 * 1024 * 1024
/** Bytes from which a message between processes is compressed. */
export const LINK_COMPRESSED_FROM_BYTES = 2 * 1024
/** Bytes of messages between processes that wait to be sent; further messages are refused. */
export const LINK_WAITING_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of messages between processes that one statement sends. */
export const LINK_STATEMENT_BYTES_MAX = 512 * 1024
/** Incomplete messages of other processes that are kept; the oldest is dropped. */
export const LINK_INCOMPLETE_MAX = 16
/** Milliseconds before the connection between processes is opened again after it broke. */
export const LINK_RECONNECT_MS = 500
/** Milliseconds between two checks of the connection between processes; a check that takes as long breaks it. */
export const LINK_CHECK_MS = 10_000
