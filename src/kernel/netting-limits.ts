import { DAY_MS, HOUR_MS } from './time.ts'

export const INVERTER_APPLY_ITEMS_MAX = 500

/** Facilities that the message of a rule names; its details carry all their ids. */
export const ELIGIBILITY_NAMES_MAX = 5
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

export const CALCULATION_WINDOW_MAX_MS = 7 * DAY_MS
/** Audit packages, as `audit replay` reads them: far above those of a month of 1,000 facilities. */
export const AUDIT_PACKAGE_BYTES_MAX = 256 * 1024 * 1024
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

/** Official readings. A leap year of hours fits a request; a file may have eleven installation-years. */
export const OSOS_READINGS_PER_REQUEST_MAX = 10_000
export const OSOS_FILE_BYTES_MAX = 16 * 1024 * 1024
export const OSOS_FILE_ROWS_MAX = 100_000
/** Titles, totals and blank rows around the readings. */
export const OSOS_FILE_OTHER_ROWS_MAX = 1_000
export const OSOS_COLUMNS_MAX = 100
export const OSOS_CELL_LENGTH_MAX = 1_000
export const OSOS_UNPACKED_BYTES_MAX = 64 * 1024 * 1024
export const OSOS_ENTRIES_MAX = 500
/** Entries of each list of an import's report; the counts are whole. */
export const OSOS_REPORTED_MAX = 2_000
/** Energy of one hour in kWh; the largest plant of the country makes a quarter of it. */
export const OSOS_HOUR_KWH_MAX = 10_000_000
/** Readings that one statement stores. */
export const OSOS_ROWS_AT_ONCE = 5_000

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

export const CORRECTION_REASON_MIN_LENGTH = 5
export const CORRECTION_REASON_MAX_LENGTH = 2000
/** Months between a corrected period and the current one beyond which the answer warns (DUY 133/5). */
export const CORRECTION_AGE_WARNING_MONTHS = 12
/** No meter of this service was read before. */
export const FIRST_BILLING_PERIOD = '2000-01-01'
export const DASHBOARD_YEAR_MIN = 2000
export const DASHBOARD_YEAR_MAX = 2100
export const IDEMPOTENCY_TTL_MS = 24 * HOUR_MS
