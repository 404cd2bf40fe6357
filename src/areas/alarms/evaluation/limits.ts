/** Sample marks that one transaction deletes; the others stay for the next one. */
export const ALARM_MARKS_AT_ONCE = 1_000
/**
 * Marked devices that one transaction reads from its marks. Beyond ALARM_DEVICES_AT_ONCE they are marked
 * again.
 */
export const ALARM_MARKED_AT_ONCE = 20_000
/**
 * Devices that one transaction evaluates. A larger transaction would hold the alarm lock of the tenant for
 * longer.
 */
export const ALARM_DEVICES_AT_ONCE = 250
/** Samples in memory at once, over all devices of a transaction; they are read page by page. */
export const ALARM_ROWS_AT_ONCE = 20_000
/**
 * Samples of all devices after which one transaction ends; the rest is marked again, behind the marks of other
 * devices. It does not apply to late samples, whose incidents are only right once all samples since the
 * checkpoint are evaluated.
 */
export const ALARM_SAMPLES_PER_TURN = 20_000
/** Transactions of one tenant before another tenant has its turn. */
export const ALARM_TURNS_MAX = 10
/** Rounds over all tenants before evaluation waits for a quiet intake again. */
export const ALARM_ROUNDS_MAX = 50
/**
 * Debounce of live evaluation, milliseconds: new samples wait for others before they are evaluated together.
 */
export const ALARM_DEBOUNCE_MS = 50
/** How long a process caches which tenants have active policies, milliseconds. */
export const ALARM_WATCH_TTL_MS = 1_000
/** Pause after a failed evaluation, milliseconds; then it is tried again. */
export const ALARM_RETRY_MS = 5_000
/**
 * Exponentially weighted share of recent time spent on writing batches of samples above which the intake
 * counts as busy.
 */
export const ALARM_BUSY_SHARE = 0.12
/** Longest time that evaluation waits for a quiet intake before it begins, milliseconds. */
export const ALARM_DEFER_MAX_MS = 2_000
/**
 * Pause after a transaction while the intake is busy, as a multiple of the time that the transaction took.
 */
export const ALARM_REST_FACTOR = 2
/**
 * Time since the start of a run after which evaluation no longer pauses, milliseconds, so that alarms are not
 * delayed indefinitely.
 */
export const ALARM_BEHIND_MAX_MS = 30_000
/**
 * Time for which the devices of a new policy are marked again every minute, milliseconds. A transaction that
 * stored samples while the policy was created, and did not see it, has ended by then.
 */
export const ALARM_NEW_POLICY_REMARK_MS = 3 * 60_000
/**
 * Gap between two minutely runs, milliseconds, after which silence counts from the present: it may be the
 * service's own outage.
 */
export const ALARM_OUTAGE_MS = 3 * 60_000

/** Days back from the present that a dry run evaluates at most; also its default. */
export const PREVIEW_DAYS_MAX = 30
/**
 * Devices that a dry run evaluates, by name; beyond it the response is truncated with the reason `devices`.
 */
export const PREVIEW_DEVICES_MAX = 100
/** Samples that a dry run reads; beyond it the response is truncated with the reason `samples`. */
export const PREVIEW_SAMPLES_MAX = 500_000
/** Time that a dry run may take, milliseconds; beyond it the response is truncated with the reason `time`. */
export const PREVIEW_MAX_MS = 10_000
/**
 * Incidents that a dry run lists for a device; beyond it the response is truncated with the reason
 * `incidents`.
 */
export const PREVIEW_INCIDENTS_MAX = 100
