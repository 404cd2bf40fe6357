/** Brokers tell of whole fleets that reconnect at once. */
export const WEBHOOKS_PER_SECOND = 1_000
export const WEBHOOKS_BURST = 10_000
export const ZIGBEE_REDEEM_PER_MINUTE = 10
export const LOGIN_IN_FLIGHT_MAX = 3

/** Client addresses whose recent calls are remembered; beyond that the least recently seen is forgotten. */
export const RATE_KEYS_MAX = 50_000
