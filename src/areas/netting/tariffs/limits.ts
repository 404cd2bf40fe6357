/** Tariff import. The rows of the interface's limit, and blank ones between them. */
export const TARIFF_IMPORT_BYTES_MAX = 2 * 1024 * 1024
export const TARIFF_IMPORT_ROWS_MAX = 10_000
export const TARIFF_IMPORT_BLANK_ROWS_MAX = 1_000
export const TARIFF_IMPORT_COLUMNS_MAX = 50
export const TARIFF_IMPORT_CELL_LENGTH_MAX = 4_000
export const TARIFF_IMPORT_UNPACKED_BYTES_MAX = 24 * 1024 * 1024
export const TARIFF_IMPORT_ENTRIES_MAX = 500
/** Errors that the answer lists; it counts all of them. */
export const TARIFF_IMPORT_ERRORS_MAX = 1_000
