/** A share above the fallback is granted for so long, and renewed when half of it is over. */
export const SHARE_LEASE_MS = 15 * 60_000
/** A station's clock may be behind ours by so much: its share counts that much longer. */
export const SHARE_CLOCK_SLACK_MS = 2 * 60_000
/** Shares of a group that are all nearer than this to what was told stay as they are. */
export const SHARE_STEP_W = 500
/** A share is raised again after so long at the earliest, unless it is below the minimum. */
export const SHARE_RAISE_EVERY_MS = 30_000
/** A station that refused a profile, or did not answer, is asked again after so long; one that never took any, less often. */
export const SHARE_REFUSED_PAUSE_MS = 60_000
export const SHARE_NEVER_TAKEN_PAUSE_MS = 15 * 60_000
/** Command that tells a share: not sent after this. */
export const SHARE_COMMAND_MAX_MS = 2 * 60_000
/** Chargers of one group, and characters of its name. */
export const CHARGING_GROUP_MEMBERS_MAX = 200
export const CHARGING_GROUP_NAME_MAX = 200
/** Of a group and of a charger. */
export const CHARGING_POWER_MAX_KW = 100_000
/** 6 A on one phase: below it no car charges. */
export const CONNECTOR_MIN_KW = 1.4
/** What amperes are counted with, for each phase: the nominal voltage, as fuses are. */
export const NOMINAL_VOLTAGE = 230
/** How often it is looked for groups that are due, and how many are taken at a time. */
export const GROUP_LOOK_EVERY_MS = 1_000
export const GROUPS_AT_ONCE = 20
/** When a group is looked at again by itself: one that shares by need, which readings change, and any other. */
export const GROUP_BY_NEED_EVERY_MS = 10_000
export const GROUP_AGAIN_MS = 30_000
/** A reading that is older does not tell what a car needs. */
export const NEED_READING_MAX_MS = 5 * 60_000
/** A car that draws this part of its share may want more; one that draws less needs its draw and something on top. */
export const NEED_FULL_PART = 0.9
export const NEED_ON_TOP_PART = 1.1
/** A share counts as not used only after so long: cars take their time. */
export const NEED_SETTLE_MS = 60_000
