import pg from 'pg'

/** Errors after which a session cannot go on: the classes 08 (connection), 57P (shut down) and 53 (resources). */
const SESSION_LOST = /^(08|57P|53)/
/** The driver's own words for a connection that is gone have no class of error. */
const CONNECTION_GONE = /connection|terminated|not queryable|ECONN|EPIPE|timeout/i

/** The database was out of reach, or went away in mid-work: the same work may succeed a moment later. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return SESSION_LOST.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // Of several addresses that all refuse, Node makes an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss)
  return ('syscall' in error && error.syscall === 'connect') || CONNECTION_GONE.test(error.message)
}

/** Deadlock and serialization failure: another transaction stood in the way, and all of this one was undone. */
const PASSING = /^40/

export const isPassing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && PASSING.test(error.code ?? '')

/** Data exceptions (a number out of range, for example), and values that a check or a key of the schema forbids. */
const UNFIT = /^(22|235)/

/** What was to be written cannot be, however often it is tried. */
export const isUnfit = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && UNFIT.test(error.code ?? '')
