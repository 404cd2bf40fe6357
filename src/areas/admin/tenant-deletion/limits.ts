/** Rows that one transaction of the deletion of a tenant deletes. */
export const DELETION_BATCH_ROWS = 2_000
/** Deletions of tenants that one slot of the job works on, oldest first; the others wait for the next slot. */
export const DELETIONS_AT_ONCE = 10
/**
 * Milliseconds after its start before which a deletion does not finish: connections and jobs that still worked for the
 * tenant have ended by then, and the last pass deletes what they stored.
 */
export const DELETION_SETTLE_MS = 2 * 60_000
