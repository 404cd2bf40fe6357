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
