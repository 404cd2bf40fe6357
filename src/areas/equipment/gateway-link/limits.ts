import { DAY_MS } from '../../../kernel/time.ts'

export const MQTT_SECRET_BYTES = 24
export const MQTT_KEY_BYTES = 9
export const MQTT_DEVICES_PER_GATEWAY_MAX = 10_000

/** The numbering of a gateway's messages. Ranges kept; beyond it the oldest gaps are given up. */
export const SEQUENCE_RANGES_MAX = 500

/** Dead letters of a tenant; the oldest fall out and are counted. */
export const DEAD_LETTERS_PER_TENANT_MAX = 10_000
export const DEAD_LETTER_BYTES_PER_TENANT_MAX = 64 * 1024 * 1024
export const DEAD_LETTER_RETENTION_MS = 90 * DAY_MS
