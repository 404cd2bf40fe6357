import { DAY_MS } from '../../kernel/time.ts'

/**
 * Default and maximum number of rows of one page of hourly rows, about 83 days. A larger `limit` is refused
 * with 422.
 */
export const HOURLY_LIST_LIMIT_MAX = 2000

/**
 * The longest range of hourly energy that the request of a change derives again itself; a job derives longer ones.
 */
export const REBUILD_IN_REQUEST_MS = 31 * DAY_MS

/** Inverters of one `inverter-type/apply` request. A longer list is refused with 422. */
export const INVERTER_APPLY_ITEMS_MAX = 500

/** Groups read per page when an approved tariff triggers a new evaluation. More groups take more pages. */
export const REEVALUATION_BATCH = 100

/** Percent of the initial limit. An account with less remaining opens `netting_limit_low`. */
export const LIMIT_LOW_ALARM_PCT = 10
/** Percent of a period's production. More free energy than this opens `netting_bedelsiz_risk`. */
export const BEDELSIZ_RISK_ALARM_PCT = 1
/**
 * Calculated hours of a period. With fewer hours the free share opens no alarm, because it is not
 * representative.
 */
export const BEDELSIZ_RISK_HOURS_MIN = 24
/** Length of the span that the alarms about hourly facts cover: the span that the nightly build repairs. */
export const FACTS_ALARM_SPAN_MS = 3 * DAY_MS
/**
 * Length of the last part of that span, in which missing hours count. Partly covered hours count in the rest.
 */
export const FACTS_MISSING_ALARM_SPAN_MS = DAY_MS
/**
 * Missing hours that open `netting_facts_missing`. Fewer missing hours usually come from a late device or a
 * short outage.
 */
export const FACTS_MISSING_ALARM_HOURS = 3
/** Partly covered hours that open `netting_facts_partial`. */
export const FACTS_PARTIAL_ALARM_HOURS = 3

/** Characters that the reason of a correction must have. A shorter reason is refused with 422. */
export const CORRECTION_REASON_MIN_LENGTH = 5
/** Characters that the reason of a correction may have. A longer reason is refused with 422. */
export const CORRECTION_REASON_MAX_LENGTH = 2000
/**
 * Months between a corrected period and the current one. An older period is corrected with a warning (DUY
 * 133/5).
 */
export const CORRECTION_AGE_WARNING_MONTHS = 12

/** Ranges of stale hours in a response. `stale_hours` counts all of them. */
export const STALE_RANGES_MAX = 100
/** Shortest quiet period, minutes, before an automatic correction. */
export const CORRECTION_QUIET_MIN_MINUTES = 5
/** Longest quiet period, minutes: a week. */
export const CORRECTION_QUIET_MAX_MINUTES = 7 * 24 * 60
/** Time, milliseconds, after which a stopped automatic correction is tried again. */
export const CORRECTION_RETRY_MS = DAY_MS / 24

/** Groups of one bulk request. A longer list is refused with 422. */
export const BULK_GROUPS_MAX = 1000
/** Unfinished bulk requests of a tenant. A further one is refused with 409. */
export const BULK_OPEN_MAX = 5
/** Bulk requests kept for a tenant; the oldest finished ones are deleted. */
export const BULK_KEPT_MAX = 100

/** First year of the key figures of a month and of the comparison. An earlier year is refused with 422. */
export const DASHBOARD_YEAR_MIN = 2000
/** Last year of the key figures of a month. A later year is refused with 422. */
export const DASHBOARD_YEAR_MAX = 2100

/** Files in an audit package that `audit replay` reads, two for each run. A package with more is refused. */
export const AUDIT_ENTRIES_MAX = 5_000
/**
 * Total size of an unpacked audit package, in bytes. It bounds the memory of the replay; a larger package is
 * refused.
 */
export const AUDIT_UNPACKED_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Size of an uploaded report of a supplier or of the market operator, in bytes. A larger file is refused with
 * 413.
 */
export const RECONCILE_FILE_BYTES_MAX = 2 * 1024 * 1024
/** Rows of figures in a report. A month by the hour has 744. More rows are refused with 422. */
export const RECONCILE_ROWS_MAX = 10_000
/** Rows of titles and totals that a report may have in addition. */
export const RECONCILE_OTHER_ROWS_MAX = 100
/** Columns of a report. A wider table is refused with 422. */
export const RECONCILE_COLUMNS_MAX = 100
/** Characters of one cell of a report. A longer cell is refused with 422. */
export const RECONCILE_CELL_LENGTH_MAX = 1_000
/** Total size of an unpacked XLSX report, in bytes. A larger one is refused with 413. */
export const RECONCILE_UNPACKED_BYTES_MAX = 24 * 1024 * 1024
/** Files inside an XLSX report. A workbook with more is refused. */
export const RECONCILE_ENTRIES_MAX = 500
/** Differing lines that an objection lists; the others are counted. */
export const OBJECTION_LINES_MAX = 200
/**
 * Days from the receipt of an invoice in which its content can be disputed: Turkish Commercial Code (Law 6102), article
 * 21(2). The default of an objection.
 */
export const OBJECTION_DAYS = 8
/** Days before the last day of an objection on which its reminder begins. The default of a tenant. */
export const OBJECTION_REMINDER_DAYS = 3
/** Largest value of both as settings of a tenant. A contract may agree on a longer term. */
export const OBJECTION_DAYS_SETTING_MAX = 365
/** Elements of an e-Fatura, without its signature and attachments; one with more is refused with 422. */
export const E_FATURA_ELEMENTS_MAX = 500_000
/** Characters of one element of an e-Fatura. A longer one is refused with 422. */
export const E_FATURA_TEXT_LENGTH_MAX = 10_000
/** Entries of each list of the reconciliation report. The counts still cover all entries. */
export const RECONCILE_REPORTED_MAX = 2_000

/** Movements of a limit ledger that one statement of a report reads. */
export const REPORT_LEDGER_PAGE_ROWS = 2_000

/** Facilities of a comparison or forecast on readings alone. More facilities are refused with 422. */
export const READINGS_FACILITIES_MAX = 20
/** Months of a comparison on readings alone. A longer range is refused with 422. */
export const READINGS_MONTHS_MAX = 12
/**
 * Percent of the hours of the previous year that must be known, so that twice its consumption is taken as the limit
 * of a facility without an account.
 */
export const PREVIOUS_YEAR_KNOWN_PCT = 95
