/** Size of one file of an import of history, in bytes. A larger file is refused with 413. */
export const HISTORY_FILE_BYTES_MAX = 4 * 1024 * 1024
/** Files of one import of history: one workbook, or a CSV file for each kind. More are refused with 400. */
export const HISTORY_FILES_MAX = 16
/** Rows of all sheets of one import of history, without headers. More rows are refused with 422. */
export const HISTORY_ROWS_MAX = 5_000
/** Columns of a sheet of history. A wider sheet is refused with 422. */
export const HISTORY_COLUMNS_MAX = 60
/** Characters of one cell of history. A longer cell is refused with 422. */
export const HISTORY_CELL_LENGTH_MAX = 5_000
/** Total size of an unpacked workbook of history, in bytes. A larger one is refused with 413. */
export const HISTORY_UNPACKED_BYTES_MAX = 32 * 1024 * 1024
/** Files inside a workbook of history. A workbook with more is refused. */
export const HISTORY_ENTRIES_MAX = 500
/** Errors of rows that the report of an import lists; `error_count` counts all. */
export const HISTORY_ERRORS_MAX = 500
/** Months of one calculation of history. A longer range is refused with 422. */
export const HISTORY_MONTHS_MAX = 120
/** Months times groups of one calculation of history. More are refused with 422. */
export const HISTORY_STEPS_MAX = 10_000
/** Calculations of history of a tenant that are not finished; the next one is refused with 409. */
export const HISTORY_CALCULATIONS_OPEN_MAX = 5
/** Calculations of history of a tenant that are kept; older finished ones are deleted. */
export const HISTORY_CALCULATIONS_KEPT_MAX = 50
