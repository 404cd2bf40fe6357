import pg from 'pg'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { type AppError, conflict } from '../../kernel/errors.ts'
import { hasSqlState, SQLSTATE, sqlStateOf } from './errors.ts'

/** The error for each named constraint. It is declared next to the store of the table. */
export type Constraints = Readonly<Record<string, () => AppError>>

/**
 * A shard of a distributed database has the name of its table, and of its constraints, with the number of the shard
 * behind it, from 102008 on. test/guards/distribution.test.ts refuses own names that end like that.
 */
export const SHARD_NUMBER = /_[1-9]\d{5,}$/
const withoutShard = (name: string): string => name.replace(SHARD_NUMBER, '')

/** A name in the text of an error: Citus passes on the text of a node's error, without its fields. */
const nameInText = ({ message }: pg.DatabaseError, pattern: RegExp): string | undefined =>
  pattern.exec(message)?.[1]

/** Returns the name of the violated constraint; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError && sqlStateOf(error)?.startsWith('23'))) return undefined
  const name = error.constraint ?? nameInText(error, / constraint "([^"]+)"/)
  return name === undefined ? undefined : withoutShard(name)
}

/** The table whose row still refers to a deleted one. */
const referringTable = (error: pg.DatabaseError): string | undefined => {
  const name = error.table ?? nameInText(error, / on table "([^"]+)"$/)
  return name === undefined ? undefined : withoutShard(name)
}

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
      const table = referringTable(error as pg.DatabaseError) ?? 'another record'
      throw conflict('STATE_CONFLICT', ERROR_TEXTS.RECORD_IN_USE({ what, table }))
    }
    throw error
  }
}
