import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'

export interface NewSignIn {
  readonly state_hash: Buffer
  readonly browser_hash: Buffer
  readonly nonce: string
  readonly code_verifier: string
  readonly issuer: string
  readonly client_id: string
  readonly return_url: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Stores a sign-in; deletes expired ones of the tenant, and the oldest ones beyond `max`. */
export async function insert(tx: TenantTx, signIn: NewSignIn, max: number): Promise<void> {
  const { db, tenantId } = tx
  await deleteRows(tx, 'oidc_sign_in').where('expires_at', '<', signIn.created_at).execute()
  const surplus = selectRows(tx, 'oidc_sign_in')
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(max - 1)
  await deleteRows(tx, 'oidc_sign_in').where('id', 'in', surplus).execute()
  await db
    .insertInto('oidc_sign_in')
    .values({ tenant_id: tenantId, ...signIn })
    .execute()
}

export const STATES = { table: 'oidc_sign_in', column: 'state_hash' } as const
export const CODES = { table: 'oidc_sign_in', column: 'code_hash' } as const

/** Of concurrent callbacks with one state, one gets the row. */
export const take = (tx: TenantTx, stateHash: Buffer, now: Date) =>
  updateRows(tx, 'oidc_sign_in')
    .set({ called_back_at: now })
    .where('state_hash', '=', stateHash)
    .where('called_back_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'nonce', 'code_verifier', 'issuer', 'client_id', 'return_url'])
    .executeTakeFirst()

interface Completion {
  readonly userId: string
  readonly codeHash: Buffer
  readonly expiresAt: Date
}

export const complete = (tx: TenantTx, id: string, { userId, codeHash, expiresAt }: Completion) =>
  updateRows(tx, 'oidc_sign_in')
    .set({ user_id: userId, code_hash: codeHash, expires_at: expiresAt })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

/** Deletes and returns the sign-in of a one-time code, so that the code is accepted once. */
export const redeem = (tx: TenantTx, codeHash: Buffer) =>
  deleteRows(tx, 'oidc_sign_in')
    .where('code_hash', '=', codeHash)
    .returning(['user_id', 'browser_hash', 'expires_at'])
    .executeTakeFirst()

/** The active user of an active tenant whose provider is enabled. */
export const findActiveUser = (tenant: TenantDb, userId: string) =>
  selectRows(tenant, 'app_user')
    .innerJoin('tenant', 'tenant.id', 'app_user.tenant_id')
    .innerJoin('oidc_provider', 'oidc_provider.tenant_id', 'app_user.tenant_id')
    .where('app_user.id', '=', userId)
    .where('app_user.is_active', '=', true)
    .where('app_user.is_superuser', '=', false)
    .where('tenant.is_active', '=', true)
    .where('oidc_provider.is_enabled', '=', true)
    .select(['app_user.id', 'app_user.tenant_id as tenantId', 'tenant.uid as tenantUid'])
    .executeTakeFirst()
