/** In characters, not in bytes. */
export const GATEWAY_NAME_MAX_LENGTH = 200
export const METADATA_KEYS_MAX = 200
