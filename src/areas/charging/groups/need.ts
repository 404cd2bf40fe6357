import { NEED_FULL_PART, NEED_ON_TOP_PART, NEED_SETTLE_MS, SHARE_STEP_W } from '../limits.ts'

interface Draw {
  /** The newest reading of the connector; null: none that is fresh. */
  readonly drawnW: number | null
  /** When that was, epoch milliseconds. */
  readonly drawnAt: number
  /** What the connector may draw. */
  readonly shareW: number
  /** When that was last raised: a share that was lowered to the need leaves the need as it was. */
  readonly sharedSince: number
}

/**
 * What a car needs, as far as it shows: one that leaves a part of its share needs what it draws and something
 * on top; of any other nobody knows how much it would take. In steps, so that small changes change nothing.
 */
export function needOf({ drawnW, drawnAt, shareW, sharedSince }: Draw): number {
  if (drawnW === null || drawnAt < sharedSince + NEED_SETTLE_MS) return Number.MAX_SAFE_INTEGER
  if (drawnW >= shareW * NEED_FULL_PART) return Number.MAX_SAFE_INTEGER
  const neededW = Math.max(0, drawnW) * NEED_ON_TOP_PART + SHARE_STEP_W
  return Math.ceil(neededW / SHARE_STEP_W) * SHARE_STEP_W
}
