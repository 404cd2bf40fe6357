import { NEED_FULL_PART, NEED_ON_TOP_PART, NEED_SETTLE_MS, SHARE_STEP_W } from '../limits.ts'

/** The claim of a charging connector. Watts are integers, so that sums are exact. */
export interface Claim {
  readonly key: string
  /** The share below which it is paused, which means 0. */
  readonly minW: number
  /** The estimated need; at most `maxW`. */
  readonly needW: number
  readonly maxW: number
}

/**
 * Divides a limit among claims in the order of arrival. A claim is admitted where its minimum fits. The rest
 * goes in equal parts up to the needs, and what no need takes, up to the maxima. The shares add up to the
 * limit or to all admitted maxima, whichever is less.
 */
export function shareOut(limitW: number, claims: readonly Claim[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let rest = Math.max(0, Math.floor(limitW))
  const admitted: Claim[] = []
  for (const claim of claims) {
    const minW = Math.min(claim.minW, claim.maxW)
    const fits = minW <= rest
    shares.set(claim.key, fits ? minW : 0)
    if (!fits) continue
    rest -= minW
    admitted.push(claim)
  }
  rest = raiseEvenly(shares, rest, admitted, ({ needW, maxW }) => Math.min(needW, maxW))
  raiseEvenly(shares, rest, admitted, ({ maxW }) => maxW)
  return shares
}

/**
 * Raises shares by equal parts until each is full or nothing is left. Watts that cannot be divided go to the
 * first. Returns the rest.
 */
function raiseEvenly(
  shares: Map<string, number>,
  limitW: number,
  claims: readonly Claim[],
  fullAt: (claim: Claim) => number,
): number {
  let rest = limitW
  const missing = (claim: Claim) => fullAt(claim) - (shares.get(claim.key) ?? 0)
  let open = claims.filter((claim) => missing(claim) > 0)
  while (rest > 0 && open.length > 0) {
    const part = Math.max(1, Math.floor(rest / open.length))
    for (const claim of open) {
      const more = Math.min(part, rest, Math.floor(missing(claim)))
      shares.set(claim.key, (shares.get(claim.key) ?? 0) + more)
      rest -= more
    }
    open = open.filter((claim) => Math.floor(missing(claim)) > 0)
  }
  return rest
}

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
