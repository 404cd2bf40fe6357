/** Months of one pull by hand. */
export const MARKET_PULL_MONTHS_MAX = 240
/** Audit packages, as `audit replay` reads them: far above those of a month of 1,000 facilities. */
export const AUDIT_PACKAGE_BYTES_MAX = 256 * 1024 * 1024
