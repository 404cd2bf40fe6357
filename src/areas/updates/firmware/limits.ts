export const FIRMWARE_VERSIONS_MAX = 2_000
export const FIRMWARE_VERSION_MAX_LENGTH = 100
export const FIRMWARE_MODEL_MAX_LENGTH = 200
export const FIRMWARE_NOTES_MAX_LENGTH = 20_000
export const FIRMWARE_FILE_NAME_MAX_LENGTH = 200
/** The database lies on the same disk as often as not. */
export const FIRMWARE_DISK_FREE_MIN_BYTES = 1024 ** 3
