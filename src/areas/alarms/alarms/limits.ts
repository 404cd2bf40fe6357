import { DAY_MS } from '../../../kernel/time.ts'

/** Alarm policies of a tenant, those of them that watch more than a device, and the windows of a schedule. */
export const ALARM_POLICIES_MAX = 20_000
export const ALARM_WIDE_POLICIES_MAX = 100
export const SCHEDULE_WINDOWS_MAX = 20
/** Shorter silence is the time between two samples of many devices. */
export const NO_DATA_MIN_S = 60
/** Maintenance windows of a tenant that are not over, and how long one may be. */
export const MAINTENANCE_WINDOWS_MAX = 1_000
export const MAINTENANCE_MAX_MS = 366 * DAY_MS
/** Judging: marks and marked devices looked at in one transaction, devices that it judges, and samples in memory at once. */
export const ALARM_MARKS_AT_ONCE = 1_000
export const ALARM_MARKED_AT_ONCE = 20_000
export const ALARM_DEVICES_AT_ONCE = 250
export const ALARM_ROWS_AT_ONCE = 20_000
/** Samples that one device may have judged in a transaction before the rest waits for the next; not of late ones. */
export const ALARM_SAMPLES_PER_TURN = 20_000
/** Turns of one tenant before another one has its own, and how often one comes round to each before it begins anew. */
export const ALARM_TURNS_MAX = 10
export const ALARM_ROUNDS_MAX = 50
/** How long new samples wait for company before they are judged, and how long a process trusts who is watched. */
export const ALARM_LINGER_MS = 50
export const ALARM_WATCH_TTL_MS = 1_000
export const ALARM_RETRY_MS = 5_000
/** Judging is put off while batches are being written for more than this share of the time, but not for longer. */
export const ALARM_BUSY_SHARE = 0.12
export const ALARM_PUT_OFF_MAX_MS = 2_000
/** Between turns it rests for so many times the time that a turn took, until it is so far behind. */
export const ALARM_REST_FACTOR = 2
export const ALARM_BEHIND_MAX_MS = 30_000
/** A transaction that stored samples while a policy came into being is over by then; its devices are looked at again. */
export const ALARM_NEW_POLICY_AGAIN_MS = 3 * 60_000
/** The clock was not looked at for so long: silence of that time is our own. */
export const ALARM_BLIND_MS = 3 * 60_000
/** A dry run. */
export const PREVIEW_DAYS_MAX = 30
export const PREVIEW_DEVICES_MAX = 100
export const PREVIEW_SAMPLES_MAX = 500_000
export const PREVIEW_MAX_MS = 10_000
export const PREVIEW_INCIDENTS_MAX = 100

/** Incidents. The longest time that one can be put off for, and what may be said with it. */
export const SNOOZE_MAX_MS = 30 * DAY_MS
export const INCIDENT_NOTE_MAX = 1_000
/** Incidents that the job wakes in one statement. */
export const WAKE_BATCH = 1_000
