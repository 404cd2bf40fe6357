import pg from 'pg'
import { type AppError, conflict } from '../../kernel/errors.ts'
import { hasSqlState, SQLSTATE } from './errors.ts'

/** What each named constraint means to the caller; stands beside the table's store. */
export type Constraints = Readonly<Record<string, () => AppError>>

/** The name of the constraint that refused a statement, if that is what the error is. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/**
 * Turns a named constraint violation into the error that the API promises; anything else is rethrown as it
 * came.
 */
export async function refusing<T>(constraints: Constraints, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const name = violatedConstraint(error)
    const known = name === undefined ? undefined : constraints[name]
    throw known ? known() : error
  }
}

/** For a delete: a row that others still refer to stays, and the caller receives 409. */
export async function unlessReferred<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (hasSqlState(error, SQLSTATE.foreignKeyViolation)) {
      const { table = 'another record' } = error as pg.DatabaseError
      throw conflict('STATE_CONFLICT', `the ${what} is still in use (${table})`)
    }
    throw error
  }
}
