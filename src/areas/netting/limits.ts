import { DAY_MS } from '../../kernel/time.ts'

export const HOURLY_LIST_LIMIT_MAX = 2000

export const INVERTER_APPLY_ITEMS_MAX = 500
/** System alarms. Less of its initial limit than this is left of an account. */
export const LIMIT_LOW_ALARM_PCT = 10
/** More of a period's production than this earns nothing, once so many of its hours are calculated. */
export const BEDELSIZ_RISK_ALARM_PCT = 1
export const BEDELSIZ_RISK_HOURS_MIN = 24
/** Facts are judged over the span that the nightly build heals; missing hours over its last part alone. */
export const FACTS_ALARM_SPAN_MS = 3 * DAY_MS
export const FACTS_MISSING_ALARM_SPAN_MS = DAY_MS
/** Fewer hours are a device that is late, or a line that was down for a moment. */
export const FACTS_MISSING_ALARM_HOURS = 3
export const FACTS_PARTIAL_ALARM_HOURS = 3

/** Groups taken from the database at once when an approved tariff evaluates those that lacked one. */
export const REEVALUATION_BATCH = 100
export const AUDIT_ENTRIES_MAX = 5_000
export const AUDIT_UNPACKED_BYTES_MAX = 1024 * 1024 * 1024

/** Uploaded figures of a supplier or market operator. */
export const RECONCILE_FILE_BYTES_MAX = 2 * 1024 * 1024
export const RECONCILE_ROWS_MAX = 10_000
/** Titles and totals around the rows of a report. */
export const RECONCILE_OTHER_ROWS_MAX = 100
export const RECONCILE_COLUMNS_MAX = 100
export const RECONCILE_CELL_LENGTH_MAX = 1_000
export const RECONCILE_UNPACKED_BYTES_MAX = 24 * 1024 * 1024
export const RECONCILE_ENTRIES_MAX = 500
/** Entries of each list of the report; the counts are whole. */
export const RECONCILE_REPORTED_MAX = 2_000

export const CORRECTION_REASON_MIN_LENGTH = 5
export const CORRECTION_REASON_MAX_LENGTH = 2000
/** Months between a corrected period and the current one beyond which the answer warns (DUY 133/5). */
export const CORRECTION_AGE_WARNING_MONTHS = 12
export const DASHBOARD_YEAR_MIN = 2000
export const DASHBOARD_YEAR_MAX = 2100
