/** Readings of one JSON request; a leap year of hours fits. More readings are refused with 422. */
export const OSOS_READINGS_PER_REQUEST_MAX = 10_000
/** Size of an uploaded file of readings, in bytes. A larger file is refused with 413. */
export const OSOS_FILE_BYTES_MAX = 16 * 1024 * 1024
/** Readings of one file, about eleven installation-years. More rows are refused with 422. */
export const OSOS_FILE_ROWS_MAX = 100_000
/** Rows of titles, totals and blank rows that a file may have in addition. */
export const OSOS_FILE_OTHER_ROWS_MAX = 1_000
/** Rows at the beginning of a file in which its headers are searched. */
export const OSOS_HEADER_ROWS_MAX = 30
/** Columns of a file. A wider table is refused with 422. */
export const OSOS_COLUMNS_MAX = 100
/** Characters of one cell of a file. A longer cell is refused with 422. */
export const OSOS_CELL_LENGTH_MAX = 1_000
/** Total size of an unpacked XLSX file, in bytes. A larger one is refused with 413. */
export const OSOS_UNPACKED_BYTES_MAX = 64 * 1024 * 1024
/** Files inside an XLSX file. A workbook with more is refused. */
export const OSOS_ENTRIES_MAX = 500
/** Entries of each list of an import report. The counts still cover all entries. */
export const OSOS_REPORTED_MAX = 2_000
/**
 * Energy of one hour, in kWh; the largest plant of the country makes a quarter of it. A reading above it is
 * rejected.
 */
export const OSOS_HOUR_KWH_MAX = 10_000_000
/** Readings that one statement stores. A longer delivery takes several statements of the same transaction. */
export const OSOS_ROWS_AT_ONCE = 5_000
