import pg from 'pg'
import { AppError } from '../../kernel/errors.ts'

/**
 * Classification of database errors: is the connection gone, was another transaction in the way, is the data
 * to blame? The codes are those of PostgreSQL's manual, appendix "PostgreSQL Error Codes".
 */

/** The SQLSTATE codes that the service handles individually. */
export const SQLSTATE = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
  /** A statement that exceeded its time limit: the database is reachable and busy. */
  queryCanceled: '57014',
} as const
export type SqlState = (typeof SQLSTATE)[keyof typeof SQLSTATE]

/** True for an error of the database with one of these codes. */
export const hasSqlState = (error: unknown, ...states: readonly SqlState[]): boolean =>
  error instanceof pg.DatabaseError && (states as readonly unknown[]).includes(error.code)

/**
 * Errors after which a session cannot go on: the classes 08 (connection), 57P (shut down) and 53 (resources).
 */
const SESSION_LOST = /^(08|57P|53)/
/** The driver's own messages for a connection that is gone; they have no SQLSTATE. */
const CONNECTION_GONE = /connection|terminated|not queryable|ECONN|EPIPE|timeout/i

/** The database was out of reach, or went away in mid-work: the same work may succeed a moment later. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return SESSION_LOST.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // When several addresses all refuse, Node makes an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss)
  return ('syscall' in error && error.syscall === 'connect') || CONNECTION_GONE.test(error.message)
}

/** Class 40: transaction rollback. */
const ROLLED_BACK = /^40/

/**
 * Deadlock or serialization failure: another transaction was in the way, and all of this one was rolled back.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ROLLED_BACK.test(error.code ?? '')

/**
 * The same work may succeed a moment later: 503, connection loss, transaction conflict or statement timeout.
 * Any other error is caused by the data itself.
 */
export const isTransient = (error: unknown): boolean =>
  (error instanceof AppError && error.status === 503) ||
  isConnectionLoss(error) ||
  isTransactionConflict(error) ||
  (error as { code?: unknown }).code === SQLSTATE.queryCanceled

/**
 * Data exceptions (a number out of range, for example), and values that a check or a key of the schema
 * forbids.
 */
const INVALID_DATA = /^(22|235)/

/** The values cannot be stored, however often it is tried. */
export const isInvalidData = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && INVALID_DATA.test(error.code ?? '')
