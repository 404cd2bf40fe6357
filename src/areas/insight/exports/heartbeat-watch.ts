/** The heartbeat of a running export as a process reads it. */
export interface Heartbeat {
  readonly id: string
  /** Epoch milliseconds of the clock of the process that makes the export. */
  readonly beatAt: number | undefined
}

/**
 * Detects processes that died while they made an export: their heartbeat stays the same for `deadMs` of our monotonic
 * clock. The heartbeat is not compared with the time of day, because a clock that is set forward would make every
 * process look dead, and one that is set back would keep a dead one alive.
 *
 * The returned function takes all running exports and `now` of the monotonic clock, and returns the dead ones.
 */
export function makeHeartbeatWatch(deadMs: number) {
  let seen = new Map<string, { readonly beatAt: number | undefined; readonly since: number }>()
  return <Each extends Heartbeat>(running: readonly Each[], now: number): Each[] => {
    const before = seen
    seen = new Map(
      running.map(({ id, beatAt }) => {
        const last = before.get(id)
        return [id, last && last.beatAt === beatAt ? last : { beatAt, since: now }]
      }),
    )
    return running.filter(({ id }) => now - (seen.get(id)?.since ?? now) >= deadMs)
  }
}
