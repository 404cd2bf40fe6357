/** Official readings. A leap year of hours fits a request; a file may have eleven installation-years. */
export const OSOS_READINGS_PER_REQUEST_MAX = 10_000
export const OSOS_FILE_BYTES_MAX = 16 * 1024 * 1024
export const OSOS_FILE_ROWS_MAX = 100_000
/** Titles, totals and blank rows around the readings. */
export const OSOS_FILE_OTHER_ROWS_MAX = 1_000
export const OSOS_COLUMNS_MAX = 100
export const OSOS_CELL_LENGTH_MAX = 1_000
export const OSOS_UNPACKED_BYTES_MAX = 64 * 1024 * 1024
export const OSOS_ENTRIES_MAX = 500
/** Entries of each list of an import's report; the counts are whole. */
export const OSOS_REPORTED_MAX = 2_000
/** Energy of one hour in kWh; the largest plant of the country makes a quarter of it. */
export const OSOS_HOUR_KWH_MAX = 10_000_000
/** Readings that one statement stores. */
export const OSOS_ROWS_AT_ONCE = 5_000
