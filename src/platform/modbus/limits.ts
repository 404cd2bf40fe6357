/** Registers of one write request (Modbus Application Protocol 1.1b3, 6.12); more throw a RangeError. */
export const MODBUS_WORDS_WRITTEN_MAX = 123
/** Coils of one write request (Modbus Application Protocol 1.1b3, 6.11); more throw a RangeError. */
export const MODBUS_BITS_WRITTEN_MAX = 1_968

/** Time for opening a connection, milliseconds; then the attempt fails with `connect`. */
export const MODBUS_CONNECT_TIMEOUT_MS = 5_000
/** Buffer into which a connection reads, bytes; a response has at most 260. */
export const MODBUS_READ_BYTES = 1_024
/** Requests that wait for their turn on one connection; one more fails with `connect`. */
export const MODBUS_WAITING_MAX = 32
/**
 * First pause between failed attempts to connect, milliseconds; doubled each time, less up to half of it by
 * jitter.
 */
export const MODBUS_RECONNECT_FIRST_MS = 500
/** Longest pause between failed attempts to connect, milliseconds. */
export const MODBUS_RECONNECT_MAX_MS = 30_000
/** Consecutive requests without a single received byte after which the connection counts as dead. */
export const MODBUS_SILENT_REQUESTS_MAX = 5
/**
 * Frames between two requests that answer none; more than late responses can explain, so the connection is
 * closed.
 */
export const MODBUS_UNSOLICITED_MAX = 32
