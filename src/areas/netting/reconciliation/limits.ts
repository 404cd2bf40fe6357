/** Field mappings of invoices of a tenant. A further one is refused with 409. */
export const MAPPINGS_MAX = 500
/** Columns, and lines, of a field mapping. A longer list is refused with 422. */
export const MAPPING_ENTRIES_MAX = 200
/** Characters of a header, a path or the text of a line in a field mapping. */
export const MAPPING_TEXT_LENGTH_MAX = 500
/** Characters of the fingerprint of a layout. */
export const MAPPING_LAYOUT_LENGTH_MAX = 64
/** Characters of the tax number or name of a supplier. */
export const SUPPLIER_LENGTH_MAX = 200
/** Rows of a file that a preview shows. */
export const PREVIEW_ROWS_MAX = 20
/** Columns of a row that a preview shows. */
export const PREVIEW_COLUMNS_MAX = 30
/** Texts of lines that a report lists with what they are taken for. */
export const LINE_TEXTS_MAX = 200
/** Stored invoice checks of a tenant. A further one is refused with 409 until one is deleted. */
export const INVOICE_CHECKS_MAX = 5_000
/** Stored bytes of the files and reports of a tenant, compressed. A further check is refused with 409. */
export const INVOICE_CHECKS_BYTES_MAX = 512 * 1024 * 1024
/**
 * Years after which a stored check is deleted: that in which a merchant keeps invoices, Turkish Commercial Code (Law
 * 6102), article 82(5).
 */
export const INVOICE_CHECK_KEPT_YEARS = 10
/** Checks that one statement of the daily deletion deletes. */
export const INVOICE_CHECKS_DELETED_AT_ONCE = 500
/** Size of the decompressed report of a check, in bytes, far above that of the lines that a report keeps. */
export const INVOICE_REPORT_BYTES_MAX = 16 * 1024 * 1024
/** Steps of an objection: sent, answered, settled. A further one is refused with 409. */
export const OBJECTION_STEPS_MAX = 50
/** Characters of the note of a step. */
export const OBJECTION_NOTE_LENGTH_MAX = 1_000
