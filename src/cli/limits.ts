/** Months of one `market pull`; a longer range is refused as a usage error. */
export const MARKET_PULL_MONTHS_MAX = 240
/**
 * Bytes of an audit package that `audit replay` reads; far above a month of 1,000 facilities. A larger file
 * is refused.
 */
export const AUDIT_PACKAGE_BYTES_MAX = 256 * 1024 * 1024
/** Bytes of the file of `audit replay --public-key`; an Ed25519 key in PEM has 113. A larger file is refused. */
export const PUBLIC_KEY_BYTES_MAX = 16 * 1024
/** Size of a file of meter data that the command line imports, in bytes. A larger file is refused. */
export const READINGS_FILE_BYTES_MAX = 16 * 1024 * 1024
