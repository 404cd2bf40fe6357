/** Rows of the table of a report in PDF. A report with more is refused with 422; XLSX and CSV have all rows. */
export const REPORT_PRINTED_ROWS_MAX = 2_000
