import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Permission } from '../../../kernel/permissions.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { DB } from '../../../platform/db/types.ts'

export interface PrincipalRow {
  tenant_id: number
  is_superuser: boolean
  must_enrol_totp: boolean
  permissions: Permission[]
}

const FIND_PRINCIPAL = `
  select u.tenant_id, u.is_superuser,
    t.require_totp and not exists (
      select from user_totp o where (o.tenant_id, o.user_id) = (u.tenant_id, u.id)
        and o.confirmed_at is not null) as must_enrol_totp,
    array(select distinct unnest(r.permissions) from user_role ur
          join role r on (r.tenant_id, r.id) = (ur.tenant_id, ur.role_id)
          where (ur.tenant_id, ur.user_id) = (u.tenant_id, u.id)) as permissions
  from tenant t join app_user u on u.tenant_id = t.id
  where t.uid = $1 and u.id = $2 and t.is_active and u.is_active`

/**
 * The active user of an active tenant with the permissions of its roles. Every request runs this statement,
 * so it is a named prepared statement: planning costs several times the execution.
 */
export async function findPrincipal(pool: Pool, tenantUid: string, userId: string) {
  const { rows } = await pool.query<PrincipalRow>({
    name: 'find_principal',
    text: FIND_PRINCIPAL,
    values: [tenantUid, userId],
  })
  return rows[0]
}

/** True for an existing tenant that has been deactivated. */
export async function isInactiveTenant({ db }: SystemDb, tenantUid: string): Promise<boolean> {
  const tenant = await db
    .selectFrom('tenant')
    .select('id')
    .where('uid', '=', tenantUid)
    .where('is_active', '=', false)
    .executeTakeFirst()
  return tenant !== undefined
}

const activeUsers = (db: Kysely<DB>) =>
  db
    .selectFrom('app_user')
    .innerJoin('tenant', 'tenant.id', 'app_user.tenant_id')
    .where('app_user.is_active', '=', true)
    .where('tenant.is_active', '=', true)

/** The active user with that address (in lower case), in any active tenant. */
export const findByEmail = (system: SystemDb, email: string) =>
  findLogin(system, email).where('tenant.is_active', '=', true).executeTakeFirst()

/** The active user with that address (in lower case), also of an inactive tenant. */
export const findByEmailForLogin = (system: SystemDb, email: string) =>
  findLogin(system, email).executeTakeFirst()

const findLogin = ({ db }: SystemDb, email: string) =>
  db
    .selectFrom('app_user')
    .innerJoin('tenant', 'tenant.id', 'app_user.tenant_id')
    .where('app_user.is_active', '=', true)
    .innerJoin('login_email', (join) =>
      join
        .onRef('login_email.tenant_id', '=', 'app_user.tenant_id')
        .onRef('login_email.user_id', '=', 'app_user.id'),
    )
    .where('login_email.email', '=', email)
    .select([
      'app_user.id',
      'app_user.tenant_id as tenantId',
      'tenant.uid as tenantUid',
      'app_user.email',
      'app_user.language',
      'app_user.password_hash as passwordHash',
      'tenant.is_active as isTenantActive',
    ])

/** Key of the tenant and time of the last password reset of an active user; undefined when there is no such user. */
export const findPasswordChange = (
  { db }: SystemDb,
  { sub, tenant_id }: { sub: string; tenant_id: string },
) =>
  activeUsers(db)
    .where('tenant.uid', '=', tenant_id)
    .where('app_user.id', '=', sub)
    .select(['app_user.tenant_id as tenantId', 'app_user.password_changed_at'])
    .executeTakeFirst()

export const findPasswordHash = (tenant: TenantDb, userId: string) =>
  selectRows(tenant, 'app_user').select('password_hash').where('id', '=', userId).executeTakeFirst()

export const findTenant = ({ db, tenantId }: TenantDb) =>
  db
    .selectFrom('tenant')
    .select(['uid as id', 'name', 'slug'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()

const updateUser = ({ db, tenantId }: TenantDb, id: string) =>
  db.updateTable('app_user').where('tenant_id', '=', tenantId).where('id', '=', id)

export const recordLogin = (db: TenantDb, userId: string, at: Date) =>
  updateUser(db, userId).set({ last_login_at: at }).execute()

/** Compare and swap: false when the password is no longer the one that was verified. */
export async function replacePassword(
  tx: TenantTx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await updateUser(tx, userId)
    .set({ password_hash: to })
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undefined when the user is deleted or inactive. */
export function resetPassword(
  tx: TenantTx,
  userId: string,
  { passwordHash, changedAt }: { passwordHash: string; changedAt: Date },
) {
  return updateUser(tx, userId)
    .set({ password_hash: passwordHash, password_changed_at: changedAt })
    .where('is_active', '=', true)
    .returning('email')
    .executeTakeFirst()
}

/** A link that was sent to the address has been opened. */
export const markEmailVerified = (tx: TenantTx, userId: string) =>
  updateUser(tx, userId).set({ is_email_verified: true }).execute()

export const setPasswordChangedAt = (db: TenantDb, userId: string, changedAt: Date) =>
  updateUser(db, userId).set({ password_changed_at: changedAt }).execute()

/** Serializes reset requests of one user. */
export const lockUser = (tx: TenantTx, userId: string) =>
  selectRows(tx, 'app_user').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()

export const revokeLinks = (tx: TenantTx, userId: string, at: Date) =>
  updateRows(tx, 'password_reset')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()

/** Deletes links that expired before a time. */
export const deleteExpiredLinks = (tx: TenantTx, userId: string, before: Date) =>
  deleteRows(tx, 'password_reset').where('user_id', '=', userId).where('expires_at', '<', before).execute()

export const insertLink = (
  { db, tenantId }: TenantTx,
  link: { user_id: string; token_hash: Buffer; expires_at: Date; created_at: Date },
) =>
  db
    .insertInto('password_reset')
    .values({ tenant_id: tenantId, ...link })
    .execute()

/** Cheap check for a valid link, before the expensive password hash. */
export const findLink = ({ db }: SystemDb, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('password_reset')
    .innerJoin('tenant', 'tenant.id', 'password_reset.tenant_id')
    .select('user_id')
    .where('tenant.is_active', '=', true)
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Marks a valid link as used. Of concurrent uses, one gets the row. */
export const consumeLink = ({ db }: SystemTx, tokenHash: Buffer, now: Date) =>
  db
    .updateTable('password_reset')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['tenant_id as tenantId', 'user_id as userId'])
    .executeTakeFirst()
