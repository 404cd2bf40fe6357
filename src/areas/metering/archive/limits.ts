/** Rows after which a group of a Parquet file is written; one more device-day portion may be in it. */
export const GROUP_ROWS = 50_000
/** Samples that an import submits at once. */
export const IMPORT_SAMPLES_AT_ONCE = 5_000
/** Size of a manifest, bytes: 100,000 devices and all months. */
export const MANIFEST_BYTES_MAX = 64 * 1024 * 1024
/** Devices of one page when they are listed. */
export const DEVICES_AT_ONCE = 1_000
