import { DAY_MS } from '../kernel/time.ts'

/** Months after the current one whose partitions exist ahead of time. */
export const PARTITIONS_AHEAD_MONTHS = 3
/** Jobs that one process runs at the same time; further ones wait in the database. */
export const JOBS_AT_ONCE = 3
/** Facilities, groups or devices that a job reads from the database in one page. */
export const JOB_PAGE = 100
/**
 * The longest range, milliseconds, that the first slot after a downtime makes up for; older hours are left
 * out.
 */
export const JOB_MAKE_UP_MAX_MS = 31 * DAY_MS
/**
 * Day of the month up to which the previous month is calculated again each night: then its settlement is
 * final.
 */
export const SETTLEMENT_FINAL_DAY = 15
/** Months that the monthly close makes up for after a downtime; older ones stay open. */
export const CLOSE_MONTHS_MAX = 12
/** Time, milliseconds, after which the job for stale results begins no further group in a slot. */
export const STALE_SLOT_MAX_MS = 45_000
