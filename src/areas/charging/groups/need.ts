import { NEED_FULL_PART, NEED_ON_TOP_PART, NEED_SETTLE_MS, SHARE_STEP_W } from '../limits.ts'

interface Draw {
  /** The newest reading of the connector; null where there is no recent one. */
  readonly drawnW: number | null
  /** The time of the reading, epoch milliseconds. */
  readonly drawnAt: number
  /** The share of the connector. */
  readonly shareW: number
  /**
   * The time of the last raise, epoch milliseconds. A share that was lowered to the need does not change the
   * need.
   */
  readonly sharedSince: number
}

/**
 * Estimates the need of a car. One that leaves a part of its share needs its draw and a margin; the need of
 * any other is unknown, which means unlimited. Rounded up to SHARE_STEP_W, so that small changes change
 * nothing.
 */
export function needOf({ drawnW, drawnAt, shareW, sharedSince }: Draw): number {
  if (drawnW === null || drawnAt < sharedSince + NEED_SETTLE_MS) return Number.MAX_SAFE_INTEGER
  if (drawnW >= shareW * NEED_FULL_PART) return Number.MAX_SAFE_INTEGER
  const neededW = Math.max(0, drawnW) * NEED_ON_TOP_PART + SHARE_STEP_W
  return Math.ceil(neededW / SHARE_STEP_W) * SHARE_STEP_W
}
