import { type ExpressionBuilder, sql } from 'kysely'
import { normalizeEmail } from '../../../kernel/email.ts'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import type { Permission } from '../../../kernel/permissions.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { DB } from '../../../platform/db/types.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import type { UserQuery } from './schema.ts'

const constraints = {
  login_email_key: () => conflict('DUPLICATE_ENTRY', ACCESS_TEXTS.USER_EMAIL_EXISTS()),
  user_role_role_fkey: () => invalidReference('role_ids'),
}

const columns = [
  'app_user.id',
  'app_user.email',
  'app_user.full_name',
  'app_user.is_active',
  'app_user.is_superuser',
  'app_user.is_email_verified',
  'app_user.created_at',
  'app_user.last_login_at',
] as const

const wireColumns = (tenantId: number) => (eb: ExpressionBuilder<DB, 'app_user'>) =>
  [
    ...columns,
    eb.ref('app_user.language').$castTo<Language | null>().as('language'),
    eb
      .selectFrom('tenant')
      .whereRef('tenant.id', '=', 'app_user.tenant_id')
      .select('tenant.uid')
      .$asScalar()
      .$notNull()
      .as('tenant_id'),
    sql<string[]>`array(
      select ur.role_id from user_role ur
      where ur.tenant_id = ${tenantId} and ur.user_id = app_user.id order by ur.role_id)`.as('role_ids'),
  ] as const

const selectUsers = (tenant: TenantDb) => selectRows(tenant, 'app_user').select(wireColumns(tenant.tenantId))

export function list(db: TenantDb, query: UserQuery) {
  let rows = selectUsers(db)
  if (query.is_active !== undefined) rows = rows.where('is_active', '=', query.is_active)
  if (query.email !== undefined)
    rows = rows.where(sql<boolean>`strpos(app_user.email, ${normalizeEmail(query.email)}) > 0`)
  return readPage(rows.where(matchesSearch(query.search, ['app_user.full_name', 'app_user.email'])), query)
}

export const find = (db: TenantDb, id: string) =>
  selectUsers(db).where('app_user.id', '=', id).executeTakeFirst()

export interface ManagedUser {
  readonly id: string
  readonly email: string
  readonly is_active: boolean
  readonly is_superuser: boolean
  readonly role_ids: string[]
  readonly permissions: Permission[]
  /** Has the system role admin. */
  readonly is_admin: boolean
}

/**
 * Locks a user and returns what decides whether the caller may change it. Lock order: the tenant's admin role
 * before the user. The role's lock serializes changes of admins, so that two admins cannot remove each other
 * concurrently.
 */
export async function lockForUpdate(tx: TenantTx, id: string) {
  const { db, tenantId } = tx
  await selectRows(tx, 'role')
    .select('id')
    .where('is_system', '=', true)
    .where('name', '=', 'admin')
    .forNoKeyUpdate()
    .execute()
  const { rows } = await sql<ManagedUser>`
    select u.id, u.email, u.is_active, u.is_superuser,
      array(select ur.role_id from user_role ur
            where ur.tenant_id = ${tenantId} and ur.user_id = u.id) as role_ids,
      array(select distinct unnest(r.permissions) from user_role ur
            join role r on r.tenant_id = ${tenantId} and r.id = ur.role_id
            where ur.tenant_id = ${tenantId} and ur.user_id = u.id) as permissions,
      exists(select 1 from user_role ur
             join role r on r.tenant_id = ${tenantId} and r.id = ur.role_id
             where ur.tenant_id = ${tenantId} and ur.user_id = u.id
               and r.is_system and r.name = 'admin') as is_admin
    from app_user u where u.tenant_id = ${tenantId} and u.id = ${id} for no key update`.execute(db)
  return rows[0]
}

export async function hasActiveAdmin(tx: TenantTx): Promise<boolean> {
  const admin = await selectRows(tx, 'role as r')
    .innerJoin('user_role as ur', (join) =>
      join.onRef('ur.tenant_id', '=', 'r.tenant_id').onRef('ur.role_id', '=', 'r.id'),
    )
    .innerJoin('app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'ur.tenant_id').onRef('u.id', '=', 'ur.user_id'),
    )
    .select('u.id')
    .where('r.is_system', '=', true)
    .where('r.name', '=', 'admin')
    .where('u.is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

/** Tenants of the superusers, who operate the installation. */
export async function listSuperuserTenants({ db }: SystemDb): Promise<number[]> {
  const rows = await db
    .selectFrom('app_user')
    .select('tenant_id')
    .distinct()
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .orderBy('tenant_id')
    .execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

/** Those of the addresses that belong to users of the tenant or were invited by it. */
export async function findAddressesOf(tenant: TenantDb, addresses: readonly string[]): Promise<Set<string>> {
  const users = await selectRows(tenant, 'login_email')
    .select('email')
    .where('email', 'in', addresses)
    .execute()
  const invited = await selectRows(tenant, 'invitation')
    .select('email')
    .where('email', 'in', addresses)
    .execute()
  return new Set([...users, ...invited].map(({ email }) => email))
}

export interface NewUser {
  readonly email: string
  /** Null: the user signs in by the OpenID provider of the tenant. */
  readonly passwordHash: string | null
  readonly fullName?: string | null | undefined
  readonly roleIds: readonly string[]
  readonly isActive?: boolean | undefined
  readonly isSuperuser?: boolean | undefined
  readonly language?: Language | null | undefined
  /** The user has opened a link that was sent to the address, or an operator has entered the address. */
  readonly isEmailVerified: boolean
}

/**
 * Creates the user and its row in login_email, which makes the address unique in the whole service. Role ids
 * must be distinct.
 */
export async function create(tx: TenantTx, user: NewUser): Promise<string> {
  const email = normalizeEmail(user.email)
  const { id } = await tx.db
    .insertInto('app_user')
    .values({
      tenant_id: tx.tenantId,
      email,
      full_name: user.fullName ?? null,
      password_hash: user.passwordHash,
      is_active: user.isActive ?? true,
      is_superuser: user.isSuperuser ?? false,
      is_email_verified: user.isEmailVerified,
      language: user.language ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await refusing(
    constraints,
    tx.db.insertInto('login_email').values({ email, tenant_id: tx.tenantId, user_id: id }).execute(),
  )
  await addRoles(tx, id, user.roleIds)
  return id
}

async function addRoles({ db, tenantId }: TenantTx, userId: string, roleIds: readonly string[]) {
  if (roleIds.length === 0) return
  const rows = roleIds.map((roleId) => ({ tenant_id: tenantId, user_id: userId, role_id: roleId }))
  await refusing(
    constraints,
    db
      .insertInto('user_role')
      .values(rows)
      .onConflict((oc) => oc.doNothing())
      .execute(),
  )
}

export async function replaceRoles(tx: TenantTx, userId: string, roleIds: readonly string[]): Promise<void> {
  let revoked = deleteRows(tx, 'user_role').where('user_id', '=', userId)
  if (roleIds.length > 0) revoked = revoked.where('role_id', 'not in', roleIds)
  await revoked.execute()
  await addRoles(tx, userId, roleIds)
}

const userRow = (tx: TenantTx, id: string) => updateRows(tx, 'app_user').where('id', '=', id)

export const update = (
  tx: TenantTx,
  id: string,
  set: {
    full_name?: string | null
    is_active?: boolean
    is_superuser?: boolean
    language?: Language | null
  },
) => userRow(tx, id).set(set).execute()

export async function isEmailVerified(tx: TenantTx, id: string): Promise<boolean> {
  const row = await selectRows(tx, 'app_user')
    .select('is_email_verified')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.is_email_verified === true
}

/** Changes the address and deletes pending links, which were sent to the old one. */
export async function changeEmail(
  tx: TenantTx,
  user: { id: string; email: string },
  to: { email: string; isVerified: boolean },
) {
  await refusing(
    constraints,
    tx.db
      .updateTable('login_email')
      .set({ email: to.email })
      .where('email', '=', user.email)
      .where('user_id', '=', user.id)
      .execute(),
  )
  await userRow(tx, user.id).set({ email: to.email, is_email_verified: to.isVerified }).execute()
  await deleteRows(tx, 'email_verification').where('user_id', '=', user.id).execute()
  await deleteRows(tx, 'password_reset').where('user_id', '=', user.id).where('used_at', 'is', null).execute()
}

/** Deletes the user with address, roles and reset links. Records that refer to the user keep its id. */
export async function remove(tx: TenantTx, { id, email }: { id: string; email: string }) {
  await tx.db.deleteFrom('login_email').where('email', '=', email).where('user_id', '=', id).execute()
  await deleteRows(tx, 'app_user').where('id', '=', id).execute()
}
