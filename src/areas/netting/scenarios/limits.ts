/** Groups of one scenario. More are refused with 422. */
export const SCENARIO_GROUPS_MAX = 20
/** Months of one scenario. A longer range is refused with 422. */
export const SCENARIO_MONTHS_MAX = 24
/** Months times groups of one scenario. More are refused with 422. */
export const SCENARIO_GROUP_MONTHS_MAX = 120
/** Changes of one scenario. A longer list is refused with 400. */
export const SCENARIO_CHANGES_MAX = 50
/** Characters of the name of a scenario. */
export const SCENARIO_NAME_MAX_LENGTH = 200
/** Values of one profile: each hour of 24 months. */
export const SCENARIO_PROFILE_VALUES_MAX = 17_568
/** Scenarios of a tenant that are not finished; the next one is refused with 409. */
export const SCENARIOS_OPEN_MAX = 10
/** Scenarios kept for a tenant; the next one is refused with 409 until one is deleted. */
export const SCENARIOS_KEPT_MAX = 500
/** Scenarios side by side in one comparison. More are refused with 422. */
export const SCENARIOS_COMPARED_MAX = 20
/** Memory of the thread that computes a scenario, in MiB. */
export const SCENARIO_THREAD_HEAP_MB = 1_024
/** Time, milliseconds, after which the computation of one scenario is ended as failed. */
export const SCENARIO_TIMEOUT_MS = 15 * 60_000
/** Size of the decompressed hours of a month, in bytes, far above that of 744 hours. */
export const SCENARIO_HOURS_BYTES_MAX = 4 * 1024 * 1024
