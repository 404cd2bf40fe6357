export const MODBUS_WORDS_WRITTEN_MAX = 123
export const MODBUS_BITS_WRITTEN_MAX = 1_968
export const MODBUS_CONNECT_TIMEOUT_MS = 5_000
/** Requests that wait for their turn on one connection. */
export const MODBUS_WAITING_MAX = 32
/** Pauses between vain attempts to connect: doubled from the first to the longest, less up to half of it by chance. */
export const MODBUS_RECONNECT_FIRST_MS = 500
export const MODBUS_RECONNECT_MAX_MS = 30_000
/** So many requests in a row without a single byte from the other side, and the connection is taken for dead. */
export const MODBUS_SILENT_MAX = 5
/** Frames that answer no request, between two of them; answers that come too late are never so many. */
export const MODBUS_UNASKED_MAX = 32
