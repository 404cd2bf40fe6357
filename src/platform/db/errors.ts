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
  diskFull: '53100',
  lockNotAvailable: '55P03',
  /** A statement that exceeded its time limit: the database is reachable and busy. */
  queryCanceled: '57014',
} as const
export type SqlState = (typeof SQLSTATE)[keyof typeof SQLSTATE]

/**
 * Errors of a distributed database that Citus reports as internal_error (XX000): of a node after COPY, with its text,
 * which is in English (lc_messages is C), and without its code; and of a node that was lost at the commit or before it.
 */
const TEXTS: readonly (readonly [text: RegExp, state: string])[] = [
  [/^duplicate key value violates unique constraint "/, '23505'],
  [/^(insert or update|update or delete) on table "[^"]+" violates foreign key constraint "/, '23503'],
  [/^new row for relation "[^"]+" violates check constraint "/, '23514'],
  [/^null value in column "[^"]+" of relation "[^"]+" violates not-null constraint/, '23502'],
  [/^conflicting key value violates exclusion constraint "/, '23P01'],
  [/^could not commit transaction for shard \d+ on at least one active node/, '08006'],
  [/^failure on connection marked as essential: /, '08006'],
  [
    /^(failed to complete COPY on|could not (connect to|establish) any |could not find an available connection)/,
    '08006',
  ],
  [/^server closed the connection unexpectedly/, '08006'],
]
const INTERNAL_ERROR = 'XX000'

/** The SQLSTATE of an error of the database, on a distributed one that of the node; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  if (error.code !== INTERNAL_ERROR) return error.code
  return TEXTS.find(([text]) => text.test(error.message))?.[1] ?? error.code
}

/** True for an error of the database with one of these codes. */
export const hasSqlState = (error: unknown, ...states: readonly SqlState[]): boolean =>
  (states as readonly unknown[]).includes(sqlStateOf(error))

/**
 * Errors after which a session cannot continue: the classes 08 (connection), 57P (shutdown) and 53
 * (resources).
 */
const SESSION_LOST = /^(08|57P|53)/
/**
 * The source files of the server that open and write the files of its data folder. When such a file is read-only, they
 * report insufficient_privilege (42501), as a missing right does; messages may be in any language.
 */
const STORAGE_SOURCE = /^(buffile|copydir|fd|md|relmapper|slru|smgr|snapmgr|timeline|xlog\w*)\.c$/

/** Returns whether the server cannot open or write a file of its data folder: read-only, or an error of the disk. */
export const isStorageRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '58030' || (error.code === '42501' && STORAGE_SOURCE.test(error.file ?? '')))

/** The driver's messages for a closed connection; these errors have no SQLSTATE. */
const CONNECTION_GONE = /connection|terminated|not queryable|ECONN|EPIPE|timeout/i

/**
 * Returns whether the database was unreachable, the connection was lost or the server cannot write its files; the same
 * work may succeed a moment later.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError)
    return SESSION_LOST.test(sqlStateOf(error) ?? '') || isStorageRefusal(error)
  if (!(error instanceof Error)) return false
  // When all of several addresses refuse, Node throws an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss)
  return ('syscall' in error && error.syscall === 'connect') || CONNECTION_GONE.test(error.message)
}

/**
 * Returns whether a node of a distributed database was lost, while the connection to the coordinator is usable: tenants
 * of other nodes are not affected.
 */
export const isNodeLoss = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (sqlStateOf(error) ?? '').startsWith('08')

/** Class 40: transaction rollback. */
const ROLLED_BACK = /^40/

/**
 * Returns whether a deadlock or serialization failure with another transaction rolled back this one
 * completely.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ROLLED_BACK.test(error.code ?? '')

/**
 * Returns whether the same work may succeed a moment later: 503, connection loss, transaction conflict or
 * statement timeout. Any other error is caused by the data itself.
 */
export const isTransient = (error: unknown): boolean =>
  (error instanceof AppError && error.status === 503) ||
  isConnectionLoss(error) ||
  isTransactionConflict(error) ||
  (error as { code?: unknown }).code === SQLSTATE.queryCanceled

/** Data exceptions (a number out of range, for example), and violations of check and key constraints. */
const INVALID_DATA = /^(22|235)/

/** Returns whether the values cannot be stored, so that a retry is useless. */
export const isInvalidData = (error: unknown): boolean => INVALID_DATA.test(sqlStateOf(error) ?? '')
