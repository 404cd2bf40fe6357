import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant.ts'

/**
 * Acquires the exclusive lock of that name and waits for any other holder. The lock ends with the
 * transaction.
 */
export async function lockResource({ db }: TenantTx | SystemTx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/**
 * Acquires the shared lock of that name and waits for an exclusive holder only. The lock ends with the
 * transaction.
 */
export async function shareResource({ db }: TenantTx | SystemTx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(db)
}
