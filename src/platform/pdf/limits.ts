/** Rows of a table in a PDF that are drawn before the event loop serves other requests. */
export const PDF_ROWS_AT_ONCE = 5
