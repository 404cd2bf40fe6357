import { sql } from 'kysely'
import type { TenantTx } from './tenant.ts'

/**
 * Work that may fail without taking the transaction with it: what it has written until then is undone, what
 * was written before stays. Resolves to the error, undefined when there was none. Not for use inside itself.
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
