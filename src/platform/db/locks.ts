import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant.ts'

/** Held alone by whoever changes the system-wide organizations, shared by whoever makes a tenant with them. */
export const SYSTEM_ORGANIZATIONS_LOCK = 'system organizations'

/** Waits until no other transaction holds the lock of that name; it ends with this one. */
export async function lockResource({ db }: TenantTx | SystemTx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** Waits for whoever holds the lock alone; many may share it. */
export async function shareResource({ db }: TenantTx | SystemTx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(db)
}
