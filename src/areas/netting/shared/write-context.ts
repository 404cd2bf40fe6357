import type { Clock } from '../../../platform/clock.ts'

/** Who writes, and when. */
export interface Actor {
  /** The user; null for a loader that acts for nobody. */
  readonly by: string | null
  readonly at: number
}

/**
 * The right to enter what lies in the past: held by the loaders of a customer's history, by no route. Where it is
 * given, the rule against backdating does not apply and the record names its origin.
 */
export interface HistoryRight {
  /** Such as `demo`, or `import: <file>`. */
  readonly origin: string
}

/** `history` has to be said, so that nobody holds the right by leaving it out. */
export interface WriteContext extends Actor {
  readonly history: HistoryRight | undefined
}

/** What a route may: act as its user, now, without the right to the past. */
export const routeContext = ({ id }: { readonly id: string }, clock: Clock): WriteContext => ({
  by: id,
  at: clock.now(),
  history: undefined,
})
