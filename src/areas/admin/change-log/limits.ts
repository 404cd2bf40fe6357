/** The longest range of an export of the change log, days. A longer one is 422. */
export const CHANGE_REPORT_DAYS_MAX = 366

/** Records that an export of the change log reads at once. */
export const CHANGE_REPORT_PAGE_ROWS = 1_000
