import { DAY_MS } from '../../../kernel/time.ts'

/** Random bytes of a gateway's MQTT secret; 24 bytes are 32 characters in base64url. */
export const MQTT_SECRET_BYTES = 24
/** Random bytes of the key id, the public part of the secret; 9 bytes are 12 characters in base64url. */
export const MQTT_KEY_BYTES = 9
/** Gateways of a deactivated tenant that one statement reads, to close their sessions. */
export const GATEWAYS_DISCONNECTED_AT_ONCE = 1000
/** Devices of one gateway whose messages are accepted; further devices (the newest) are unknown to MQTT. */
export const MQTT_DEVICES_PER_GATEWAY_MAX = 10_000

/**
 * Ranges of received message numbers that are stored per gateway; beyond it the oldest gaps are given up and
 * counted.
 */
export const SEQUENCE_RANGES_MAX = 500

/** Dead letters of one tenant; the oldest are removed and counted. */
export const DEAD_LETTERS_PER_TENANT_MAX = 10_000
/** Payload bytes of the dead letters of one tenant; the oldest are removed and counted. */
export const DEAD_LETTER_BYTES_PER_TENANT_MAX = 64 * 1024 * 1024
/** Ms for which a dead letter is stored; older ones are removed by the daily job. */
export const DEAD_LETTER_RETENTION_MS = 90 * DAY_MS
/** Dead letters that are replayed for one gateway in a row when a device appears; the job continues with the rest. */
export const DEAD_LETTER_REPLAY_MAX = 2_000
/** Older dead letters are not replayed when their device appears, ms. */
export const DEAD_LETTER_REPLAY_AGE_MS = 7 * DAY_MS
/** Dead letters of a replay whose samples are stored together. */
export const DEAD_LETTER_REPLAY_PAGE = 20
/** Gateways that the job of replays lists with one statement. */
export const REPLAY_GATEWAYS_PAGE = 500
/** The job of replays includes devices that appeared up to this long before its last run, ms. */
export const REPLAY_OVERLAP_MS = 10 * 60_000
