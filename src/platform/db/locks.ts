import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant.ts'

/** Waits until no other transaction holds the lock of that name; it ends with this one. */
export async function lockResource({ db }: TenantTx | SystemTx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}
