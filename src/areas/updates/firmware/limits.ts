/** Firmware versions of one tenant; a further upload is refused (409). */
export const FIRMWARE_VERSIONS_MAX = 2_000
/** Characters of a version (422 beyond). */
export const FIRMWARE_VERSION_MAX_LENGTH = 100
/** Characters of a `device_model` (422 beyond). */
export const FIRMWARE_MODEL_MAX_LENGTH = 200
/** Characters of the release notes (422 beyond). */
export const FIRMWARE_NOTES_MAX_LENGTH = 20_000
/** Characters kept of the name of an uploaded file; the rest is cut off. */
export const FIRMWARE_FILE_NAME_MAX_LENGTH = 200
/** Bytes of disk space that an upload leaves free (507 beyond): the database often lies on the same disk. */
export const FIRMWARE_DISK_FREE_MIN_BYTES = 1024 ** 3
/** Bytes of a firmware file when FIRMWARE_MAX_BYTES is not set. */
export const FIRMWARE_BYTES_DEFAULT = 64 * 1024 * 1024
/** The highest allowed FIRMWARE_MAX_BYTES; beyond it the service does not start. */
export const FIRMWARE_BYTES_MAX = 512 * 1024 * 1024
