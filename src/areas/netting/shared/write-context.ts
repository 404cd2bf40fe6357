import type { Clock } from '../../../platform/runtime/clock.ts'

/** The user and the time of a write. */
export interface Actor {
  /** The user; null for a loader that acts for no user. */
  readonly by: string | null
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * The right to enter records that begin in the past (ADR 0014). Only the loaders of a customer's history have
 * it, no route does. With it the rule against backdating does not apply, and the record stores its origin.
 */
export interface HistoryRight {
  /** Such as `demo`, or `import: <file>`. */
  readonly origin: string
}

/** `history` is a required field, so that no caller obtains the right by omitting it. */
export interface WriteContext extends Actor {
  readonly history: HistoryRight | undefined
}

/** The context of a route: its user, the current time, and no right to enter the past. */
export const routeContext = ({ id }: { readonly id: string }, clock: Clock): WriteContext => ({
  by: id,
  at: clock.now(),
  history: undefined,
})
