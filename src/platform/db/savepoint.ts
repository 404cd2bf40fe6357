import { sql } from 'kysely'
import type { TenantTx } from './tenant.ts'

/**
 * Runs work that may fail without aborting the transaction: a failure rolls back to a savepoint, and
 * earlier writes are kept. Resolves with the error, or with undefined when the work succeeded. Calls must
 * not be nested.
 */
export async function failureOf({ db }: TenantTx, work: () => Promise<void>): Promise<Error | undefined> {
  await sql`savepoint attempt`.execute(db)
  try {
    await work()
    await sql`release savepoint attempt`.execute(db)
    return undefined
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(db)
    return error instanceof Error ? error : new Error(String(error))
  }
}
