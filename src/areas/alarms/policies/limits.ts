/** User-defined alarm policies of a tenant; the next one is refused with 409 STATE_CONFLICT. */
export const ALARM_POLICIES_MAX = 20_000
/**
 * Policies of a tenant that watch more than one device; beyond it 409 STATE_CONFLICT. Each of them is
 * evaluated for every device in its scope.
 */
export const ALARM_WIDE_POLICIES_MAX = 100
/** Windows in the schedule of a policy; more are refused with 422. */
export const SCHEDULE_WINDOWS_MAX = 20
/**
 * Shortest `delay_on_s` of a no_data policy, seconds. A shorter silence is the normal time between two
 * samples of many devices.
 */
export const NO_DATA_MIN_S = 60
/** Devices of a new or changed policy whose newest samples are searched for its metric. */
export const ALARM_METRIC_DEVICES_MAX = 500
/** Newest samples of each of these devices that are searched. */
export const ALARM_METRIC_SAMPLES = 20
