/** A share above the fallback is granted for so long, and renewed when half of it is over. */
export const SHARE_LEASE_MS = 15 * 60_000
/** A station's clock may be behind ours by so much: its share counts that much longer. */
export const SHARE_CLOCK_SLACK_MS = 2 * 60_000
/** Shares of a group that are all nearer than this to what was told stay as they are. */
export const SHARE_STEP_W = 500
/** A share is raised again after so long at the earliest, unless it is below the minimum. */
export const SHARE_RAISE_EVERY_MS = 30_000
/** A station that refused a profile, or did not answer, is asked again after so long. */
export const SHARE_REFUSED_PAUSE_MS = 60_000
/** Command that tells a share: not sent after this. */
export const SHARE_COMMAND_MAX_MS = 2 * 60_000
