import type { Pool } from 'pg'
import type { Permission } from '../../../kernel/permissions.ts'
import { findTenantKey } from '../../../platform/auth/tenant-key-store.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { type SystemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cacheByAccessVersion, type Versioned } from '../rights-cache/index.ts'

interface PrincipalDeps extends Pick<Deps, 'database' | 'nodeReads'> {
  /** Whether the end of the user's writes is read; present where there are read replicas. */
  readonly replicas?: object | undefined
}

interface PrincipalRow {
  version: string | null
  is_superuser: boolean
  require_totp: boolean
  permissions: Permission[] | null
  /** Only where there are read replicas. */
  wrote_until?: number | null
}

interface UserRights {
  readonly tenantId: number
  readonly isSuperuser: boolean
  readonly mustEnrolTotp: boolean
  readonly permissions: ReadonlySet<Permission>
  /** Epoch milliseconds; only where there are read replicas. */
  readonly wroteUntil: number | undefined
}

/**
 * A row for each role of the user. A distributed database plans the statement with each execution, and each table more
 * costs a fifth of it (ADR 0150): it has joins only, and no table that is not always needed.
 */
const COLUMNS = 'v.version, u.is_superuser, t.require_totp, r.permissions'
const FROM = `from tenant t join app_user u on u.tenant_id = $1
  left join user_role ur on ur.tenant_id = $1 and ur.user_id = $2
  left join role r on r.tenant_id = $1 and r.id = ur.role_id
  left join access_version v on v.tenant_id = $1`
const WHERE = 'where t.id = $1 and u.tenant_id = $1 and u.id = $2 and t.is_active and u.is_active'

const FIND_PRINCIPAL = `select ${COLUMNS} ${FROM} ${WHERE}`
const FIND_PRINCIPAL_AND_LAST_WRITE = `
  select ${COLUMNS}, (extract(epoch from w.until) * 1000)::float8 as wrote_until ${FROM}
  left join user_last_write w on w.tenant_id = $1 and w.user_id = $2
  ${WHERE}`
const FIND_CONFIRMED_TOTP = {
  name: 'find_confirmed_totp',
  text: 'select 1 from user_totp where tenant_id = $1 and user_id = $2 and confirmed_at is not null',
}

const cachedRights = cacheByAccessVersion<UserRights>()

/**
 * The active user of an active tenant with the permissions of its roles; undefined when there is none. Every request of
 * a user calls it. With read replicas the end of the user's writes is read as well, which changes without the rights.
 */
export async function findPrincipal(
  { database, nodeReads, replicas }: PrincipalDeps,
  tenantUid: string,
  userId: string,
): Promise<UserRights | undefined> {
  const tenantId = await findTenantKey(database.pool, tenantUid)
  if (tenantId === undefined) return undefined
  const { pool } = nodeReads?.forTenant(tenantId) ?? database
  if (replicas) return (await loadRights(pool, { tenantId, userId, withLastWrite: true }))?.rights
  const load = () => loadRights(pool, { tenantId, userId, withLastWrite: false })
  return cachedRights(database.pool, { tenantId, key: userId, pool, load })
}

async function loadRights(
  pool: Pool,
  { tenantId, userId, withLastWrite }: { tenantId: number; userId: string; withLastWrite: boolean },
): Promise<Versioned<UserRights> | undefined> {
  const values = [tenantId, userId]
  const { rows } = withLastWrite
    ? await pool.query<PrincipalRow>({
        name: 'find_principal_and_last_write',
        text: FIND_PRINCIPAL_AND_LAST_WRITE,
        values,
      })
    : await pool.query<PrincipalRow>({ name: 'find_principal', text: FIND_PRINCIPAL, values })
  const [row] = rows
  if (!row) return undefined
  const hasTotp = row.require_totp && (await pool.query({ ...FIND_CONFIRMED_TOTP, values })).rows.length > 0
  const rights = {
    tenantId,
    isSuperuser: row.is_superuser,
    mustEnrolTotp: row.require_totp && !hasTotp,
    permissions: new Set(rows.flatMap((role) => role.permissions ?? [])),
    wroteUntil: row.wrote_until ?? undefined,
  }
  return { rights, version: row.version }
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

const activeUsers = (tenant: TenantDb) =>
  selectRows(tenant, 'app_user')
    .innerJoin('tenant', 'tenant.id', 'app_user.tenant_id')
    .where('app_user.is_active', '=', true)

/** The active user with that address (in lower case), in any active tenant. */
export async function findByEmail(system: SystemDb, email: string) {
  const user = await findByEmailForLogin(system, email)
  return user?.isTenantActive ? user : undefined
}

/** A user that does not exist. */
const NOBODY = { tenant_id: 0, user_id: '00000000-0000-0000-0000-000000000000' }

/**
 * The active user with that address (in lower case), also of an inactive tenant. The directory of addresses names the
 * tenant.
 */
export async function findByEmailForLogin({ db }: SystemDb, email: string) {
  const login = await db
    .selectFrom('login_email')
    .select(['tenant_id', 'user_id'])
    .where('email', '=', email)
    .executeTakeFirst()
  // An unknown address takes as many statements as a known one, so that both take the same time.
  const { tenant_id: tenantId, user_id: userId } = login ?? NOBODY
  return activeUsers({ db, tenantId })
    .where('app_user.id', '=', userId)
    .select([
      'app_user.id',
      'app_user.tenant_id as tenantId',
      'tenant.uid as tenantUid',
      'app_user.email',
      'app_user.language',
      'app_user.password_hash as passwordHash',
      'tenant.is_active as isTenantActive',
    ])
    .executeTakeFirst()
}

/** Key of the tenant and time of the last password reset of an active user; undefined when there is no such user. */
export async function findPasswordChange(
  { pool, kysely }: Pick<Database, 'pool' | 'kysely'>,
  { sub, tenant_id }: { sub: string; tenant_id: string },
) {
  const tenantId = await findTenantKey(pool, tenant_id)
  if (tenantId === undefined) return undefined
  return activeUsers(tenantDb(kysely, tenantId))
    .where('tenant.is_active', '=', true)
    .where('app_user.id', '=', sub)
    .select(['app_user.tenant_id as tenantId', 'app_user.password_changed_at'])
    .executeTakeFirst()
}

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

export const LINK_TOKENS = { table: 'password_reset', column: 'token_hash' } as const

/** The cheap check for a valid link, before the expensive password hash. */
export const findLink = (tenant: TenantDb, tokenHash: Buffer, now: Date) =>
  selectRows(tenant, 'password_reset')
    .innerJoin('tenant', 'tenant.id', 'password_reset.tenant_id')
    .select('password_reset.user_id')
    .where('tenant.is_active', '=', true)
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Marks a valid link as used. Of concurrent uses, one gets the row. */
export const consumeLink = (tx: TenantTx, tokenHash: Buffer, now: Date) =>
  updateRows(tx, 'password_reset')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst()
