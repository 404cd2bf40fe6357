/** Rows of a report of a list; a longer list is refused with 422 REPORT_ROWS_TOO_MANY. */
export const LIST_REPORT_ROWS_MAX = 50_000
/** Records whose lists can be in one report; more ids are refused with 422. */
export const LIST_REPORT_IDS_MAX = 100
/** Records of a list of which a report reads the names for columns of ids; ids of further ones stay. */
export const LIST_REPORT_NAMES_MAX = 2_000
/** Characters of a cell with a value that is no single text or number; a cell of XLSX holds at most 32,767. */
export const LIST_REPORT_CELL_LENGTH_MAX = 32_000
