/** A connector that charges, and what it would take. Watts are whole, so that sums are exact. */
export interface Claim {
  readonly key: string
  /** Below this it is paused: it gets nothing. */
  readonly minW: number
  /** What it would use, as far as that is known; at most `maxW`. */
  readonly needW: number
  readonly maxW: number
}

/**
 * Shares a limit out to claims that stand in the order of their arrival. Whoever fits in with the minimum is
 * let in; what is left goes in equal parts up to the needs, and what no need takes, up to the maxima. The
 * shares add up to the limit or to all maxima that were let in, whichever is less.
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
 * Raises shares by equal parts until each is full or nothing is left; whole watts that do not divide go to
 * the first.
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
