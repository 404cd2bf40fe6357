import pg from 'pg'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { type AppError, conflict } from '../../kernel/errors.ts'
import { hasSqlState, SQLSTATE } from './errors.ts'

/** The error for each named constraint. It is declared next to the store of the table. */
export type Constraints = Readonly<Record<string, () => AppError>>

/** Returns the name of the violated constraint; undefined for any other error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/**
 * Converts the violation of a named constraint into the error of the API; rethrows any other error
 * unchanged.
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

/** Runs a delete. A row that others still refer to is kept, and the client receives 409. */
export async function unlessReferred<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (hasSqlState(error, SQLSTATE.foreignKeyViolation)) {
      const { table = 'another record' } = error as pg.DatabaseError
      throw conflict('STATE_CONFLICT', ERROR_TEXTS.RECORD_IN_USE({ what, table }))
    }
    throw error
  }
}
