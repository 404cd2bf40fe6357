export interface MessageRate {
  /** Counts a message and returns the milliseconds until it may be handled. `now` is of the monotonic clock. */
  take(now: number): number
}

/** A token bucket: `burst` messages may be handled at once, and `perSecond` in the long run. */
export function makeMessageRate({ perSecond, burst }: { perSecond: number; burst: number }): MessageRate {
  let tokens = burst
  let refilledAt: number | undefined
  return {
    take(now) {
      const elapsedMs = now - (refilledAt ?? now)
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * perSecond) - 1
      refilledAt = now
      return Math.max(0, (-tokens / perSecond) * 1000)
    },
  }
}
