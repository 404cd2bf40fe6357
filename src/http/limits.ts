/**
 * Calls of the broker's webhooks per second and address, on average; high, as whole fleets reconnect at once.
 * 429 beyond it.
 */
export const WEBHOOKS_PER_SECOND = 1_000
/** Calls of the broker's webhooks that one address may make at once; 429 beyond it. */
export const WEBHOOKS_BURST = 10_000
/**
 * Attempts per minute and address to redeem the code of a Zigbee gateway, so that codes cannot be guessed;
 * 429 beyond it.
 */
export const ZIGBEE_REDEEM_PER_MINUTE = 10
/**
 * Logins of one address that are checked at the same time, as each one costs a password hash; 429 beyond it.
 */
export const LOGIN_IN_FLIGHT_MAX = 3
/**
 * Keys of rate limits, mostly client addresses, that are kept in memory; beyond it the least recently used
 * one is forgotten.
 */
export const RATE_KEYS_MAX = 50_000
