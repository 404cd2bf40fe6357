import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { updateRows } from '../../../platform/db/tenant-rows.ts'

interface PasswordColumns {
  readonly password_hash?: string | null
  readonly next_password_hash: string | null
  readonly password_changed_at?: Date
  /**
   * Null closes the socket of the station: its process detects that the connection is no longer the current
   * one.
   */
  readonly connection_id?: null
  readonly disconnected_at?: Date
}

export const setPassword = (tx: TenantTx, chargerId: string, set: PasswordColumns, now: Date) =>
  updateRows(tx, 'charger')
    .set({ ...set, updated_at: now })
    .where('id', '=', chargerId)
    .execute()

/**
 * Makes the next password the only one: the station has accepted it, or has connected with it. `hash` is then
 * what the sent password was compared with, so that a still newer one is not confirmed in its place.
 */
export async function confirmPassword(
  { db, tenantId }: TenantDb,
  chargerId: string,
  at: Date,
  hash?: string | null,
): Promise<void> {
  await db
    .updateTable('charger')
    .set((eb) => ({
      password_hash: eb.ref('next_password_hash'),
      next_password_hash: null,
      password_changed_at: at,
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', chargerId)
    .where('next_password_hash', 'is not', null)
    .$if(hash !== undefined, (rows) => rows.where('next_password_hash', '=', hash ?? null))
    .execute()
}

/** Replaces the stored form of the same password, unless the password was changed meanwhile. */
export async function renewPasswordHash(
  { db, tenantId }: TenantDb,
  chargerId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .updateTable('charger')
    .set({ password_hash: to })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', chargerId)
    .where('password_hash', '=', from)
    .execute()
}

/**
 * Drops the next password, which the station has refused or never received: the current one stays the only
 * one.
 */
export async function dropNextPassword(tx: TenantTx, chargerId: string): Promise<void> {
  await updateRows(tx, 'charger').set({ next_password_hash: null }).where('id', '=', chargerId).execute()
}
