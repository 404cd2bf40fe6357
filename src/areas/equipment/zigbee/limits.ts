import { DAY_MS } from '../../../kernel/time.ts'

/** Zigbee claims. A code of 12 characters from 32 is 60 random bits. */
export const ZIGBEE_CODE_CHARACTERS = 12
export const ZIGBEE_CLAIM_TTL_MIN_MINUTES = 5
export const ZIGBEE_CLAIM_TTL_MINUTES = 24 * 60
export const ZIGBEE_CLAIM_TTL_MAX_MINUTES = 7 * 24 * 60
/** Open claims of a tenant. */
export const ZIGBEE_CLAIMS_PENDING_MAX = 50
/** Claims that are over are forgotten after so long. */
export const ZIGBEE_CLAIM_RETENTION_MS = 30 * DAY_MS
/** zigbee2mqtt lets devices join for at most so many seconds at a time. */
export const ZIGBEE_PERMIT_JOIN_MAX_S = 254
/** What a device is said to expose; more is not kept. */
export const ZIGBEE_EXPOSES_BYTES_MAX = 32 * 1024
/** Gateways whose devices wait to be written down, and how often that is tried. */
export const ZIGBEE_UPDATES_WAITING_MAX = 2_000
export const ZIGBEE_UPDATE_ATTEMPTS = 5
export const ZIGBEE_UPDATE_RETRY_MS = 1_000
