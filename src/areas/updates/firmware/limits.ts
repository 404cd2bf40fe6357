export const FIRMWARE_VERSIONS_MAX = 2_000
export const FIRMWARE_VERSION_MAX_LENGTH = 100
export const FIRMWARE_MODEL_MAX_LENGTH = 200
export const FIRMWARE_NOTES_MAX_LENGTH = 20_000
export const FIRMWARE_FILE_NAME_MAX_LENGTH = 200
/** The database lies on the same disk as often as not. */
export const FIRMWARE_DISK_FREE_MIN_BYTES = 1024 ** 3
/** Bytes of a firmware file when FIRMWARE_MAX_BYTES is not set. */
export const FIRMWARE_BYTES_DEFAULT = 64 * 1024 * 1024
/** The highest allowed FIRMWARE_MAX_BYTES; beyond it the service does not start. */
export const FIRMWARE_BYTES_MAX = 512 * 1024 * 1024
