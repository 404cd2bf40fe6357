import type { Language } from '../../../kernel/messages.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { InvitationQuery } from './schema.ts'

const columns = ['id', 'email', 'role_ids', 'language', 'expires_at', 'created_at'] as const

/** True when a user of any tenant has the address. */
export async function isRegistered({ db }: TenantTx, email: string): Promise<boolean> {
  const row = await db.selectFrom('login_email').select('email').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

/** Serializes the invitations of a tenant, so that an earlier link is always seen and revoked. */
export const lockTenant = ({ db, tenantId }: TenantTx) =>
  db
    .selectFrom('tenant')
    .select(['id', 'name'])
    .where('id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Roles of the valid invitations for the address; at most one, because each invitation revokes earlier ones. */
export const listOpen = (tx: TenantTx, email: string, now: Date) =>
  selectRows(tx, 'invitation')
    .select('role_ids')
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .execute()

const selectPending = (tenant: TenantDb) =>
  selectRows(tenant, 'invitation').where('accepted_at', 'is', null).where('revoked_at', 'is', null)

export const listPending = (tenant: TenantDb, query: InvitationQuery) =>
  readPage(
    selectPending(tenant)
      .select(columns)
      .where(matchesSearch(query.search, ['invitation.email']))
      .$narrowType<{ language: Language | null }>(),
    query,
  )

export const findPending = (tx: TenantTx, id: string) =>
  selectPending(tx).select('role_ids').where('id', '=', id).forUpdate().executeTakeFirst()

export const revokePending = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'invitation').set({ revoked_at: at }).where('id', '=', id).returning('id').executeTakeFirst()

export const revokeOpen = (tx: TenantTx, email: string, at: Date) =>
  updateRows(tx, 'invitation')
    .set({ revoked_at: at })
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()

export interface NewInvitation {
  readonly email: string
  readonly role_ids: string[]
  readonly language: Language | null
  readonly token_hash: Buffer
  readonly invited_by: string
  readonly expires_at: Date
  readonly created_at: Date
}

export const add = ({ db, tenantId }: TenantTx, invitation: NewInvitation) =>
  db
    .insertInto('invitation')
    .values({ tenant_id: tenantId, ...invitation })
    .returning(columns)
    .$narrowType<{ language: Language | null }>()
    .executeTakeFirstOrThrow()

export const LINK_TOKENS = { table: 'invitation', column: 'token_hash' } as const

/** The cheap check for a valid link, before the expensive password hash. */
export const findOpen = (tenant: TenantDb, tokenHash: Buffer, now: Date) =>
  selectRows(tenant, 'invitation')
    .innerJoin('tenant', 'tenant.id', 'invitation.tenant_id')
    .select('invitation.id')
    .where('tenant.is_active', '=', true)
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Marks an open invitation as accepted. Of concurrent uses, one gets the row. */
export const accept = (tx: TenantTx, tokenHash: Buffer, now: Date) =>
  updateRows(tx, 'invitation')
    .set({ accepted_at: now })
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['email', 'role_ids', 'language'])
    .$narrowType<{ language: Language | null }>()
    .executeTakeFirst()
