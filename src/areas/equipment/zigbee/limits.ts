import { DAY_MS } from '../../../kernel/time.ts'

/** Random characters of a claim code; 12 characters of an alphabet of 32 are 60 random bits. */
export const ZIGBEE_CODE_CHARACTERS = 12
/** Shortest lifetime of a claim, minutes; a shorter one is refused with 422. */
export const ZIGBEE_CLAIM_TTL_MIN_MINUTES = 5
/** Lifetime of a claim when the request has none, minutes. */
export const ZIGBEE_CLAIM_TTL_MINUTES = 24 * 60
/** Longest lifetime of a claim, minutes; a longer one is refused with 422. */
export const ZIGBEE_CLAIM_TTL_MAX_MINUTES = 7 * 24 * 60
/** Pending claims of one tenant; another one is refused with 409. */
export const ZIGBEE_CLAIMS_PENDING_MAX = 50
/** Ms after its expiry for which a claim is stored; the creation of the next claim deletes older ones. */
export const ZIGBEE_CLAIM_RETENTION_MS = 30 * DAY_MS

/** Seconds for which one request lets devices join; the maximum of zigbee2mqtt. */
export const ZIGBEE_PERMIT_JOIN_MAX_S = 254
/** Characters of the `exposes` of a device as JSON; larger ones are not stored. */
export const ZIGBEE_EXPOSES_BYTES_MAX = 32 * 1024

/** Gateways with reports that wait to be stored; further gateways are ignored until they report again. */
export const ZIGBEE_UPDATES_WAITING_MAX = 2_000
/** Attempts to store the reports of a gateway; after that they are given up until it reports again. */
export const ZIGBEE_UPDATE_ATTEMPTS = 5
/** Pause between two attempts, ms. */
export const ZIGBEE_UPDATE_RETRY_MS = 1_000
