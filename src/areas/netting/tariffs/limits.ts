/** Size of an uploaded tariff file, in bytes. A larger file is refused with 413. */
export const TARIFF_IMPORT_BYTES_MAX = 2 * 1024 * 1024
/** Price rows of one import; the interface sets this limit. More rows are refused with 422. */
export const TARIFF_IMPORT_ROWS_MAX = 10_000
/** Blank rows that a file may have between its price rows. */
export const TARIFF_IMPORT_BLANK_ROWS_MAX = 1_000
/** Columns of an import. A wider table is refused with 422. */
export const TARIFF_IMPORT_COLUMNS_MAX = 50
/** Characters of one cell of an import. A longer cell is refused with 422. */
export const TARIFF_IMPORT_CELL_LENGTH_MAX = 4_000
/** Total size of an unpacked XLSX import, in bytes. A larger one is refused with 422. */
export const TARIFF_IMPORT_UNPACKED_BYTES_MAX = 24 * 1024 * 1024
/** Files inside an XLSX import. A workbook with more is refused with 422. */
export const TARIFF_IMPORT_ENTRIES_MAX = 500
/** Row errors that the response lists. `error_count` still covers all of them. */
export const TARIFF_IMPORT_ERRORS_MAX = 1_000
