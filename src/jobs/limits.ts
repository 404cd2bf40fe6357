import { DAY_MS } from '../kernel/time.ts'

export const PARTITIONS_AHEAD_MONTHS = 3
export const JOBS_AT_ONCE = 3
/** Facilities or groups that a job takes from the database at once. */
export const JOB_PAGE = 100
/** How far back the first slot after a downtime takes on what was not done. */
export const JOB_MAKE_UP_MAX_MS = 31 * DAY_MS
/**
 * Until this day of the month the one before is calculated again each night: then its settlement is final.
 */
export const SETTLEMENT_FINAL_DAY = 15
/** Months that a monthly close makes up for. */
export const CLOSE_MONTHS_MAX = 12
