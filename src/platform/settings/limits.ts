/** The limits of firmware and of updates over the air; like limits.ts, named once. */

export const FIRMWARE_BYTES_DEFAULT = 64 * 1024 * 1024
export const FIRMWARE_BYTES_MAX = 512 * 1024 * 1024

/** The market transparency platform. One call of it, and how often it is tried. */
export const MARKET_CALL_TIMEOUT_S = 15
export const OCPP_HEARTBEAT_S = 300
