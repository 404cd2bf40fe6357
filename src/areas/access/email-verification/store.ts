import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'

/** The address of an active user that is not verified. */
export const findUnverified = (tx: TenantTx, userId: string) =>
  selectRows(tx, 'app_user')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where('is_email_verified', '=', false)
    .executeTakeFirst()

export const replaceLink = (
  { db, tenantId }: TenantTx,
  link: { user_id: string; token_hash: Buffer; expires_at: Date },
) =>
  db
    .insertInto('email_verification')
    .values({ tenant_id: tenantId, ...link })
    .onConflict((oc) =>
      oc
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet({ token_hash: link.token_hash, expires_at: link.expires_at }),
    )
    .execute()

export const LINK_TOKENS = { table: 'email_verification', column: 'token_hash' } as const

/** The active user of a valid link. */
export const findLink = (tenant: TenantDb, tokenHash: Buffer, now: Date) =>
  selectRows(tenant, 'email_verification as link')
    .innerJoin('app_user', (join) =>
      join.onRef('app_user.tenant_id', '=', 'link.tenant_id').onRef('app_user.id', '=', 'link.user_id'),
    )
    .innerJoin('tenant', 'tenant.id', 'link.tenant_id')
    .select(['link.user_id as userId', 'app_user.password_hash as passwordHash'])
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', now)
    .where('app_user.is_active', '=', true)
    .where('tenant.is_active', '=', true)
    .executeTakeFirst()

/** False when the link was used or replaced meanwhile. */
export async function consumeLink(tx: TenantTx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await deleteRows(tx, 'email_verification')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const markVerified = (tx: TenantTx, userId: string) =>
  updateRows(tx, 'app_user').set({ is_email_verified: true }).where('id', '=', userId).execute()
