import { conflict } from '../../../kernel/errors.ts'
import { type Permission, SYSTEM_ROLES } from '../../../kernel/permissions.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import type { CreateRole, RoleQuery, UpdateRole } from './schema.ts'

const columns = ['id', 'name', 'permissions', 'is_system', 'created_at'] as const
const constraints = {
  role_name_key: () => conflict('DUPLICATE_ENTRY', ACCESS_TEXTS.ROLE_NAME_EXISTS()),
  user_role_role_fkey: () => conflict('STATE_CONFLICT', ACCESS_TEXTS.ROLE_IN_USE()),
  oidc_provider_role_fkey: () => conflict('STATE_CONFLICT', ACCESS_TEXTS.ROLE_OF_PROVIDER()),
}

export function list(tenant: TenantDb, query: RoleQuery) {
  let rows = selectRows(tenant, 'role').select(columns)
  if (query.name !== undefined) rows = rows.where(equalsIgnoringCase('name', query.name))
  return readPage(rows.where(matchesSearch(query.search, ['name'])), query)
}

const byId = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'role').select(columns).$narrowType<{ permissions: Permission[] }>().where('id', '=', id)

export const find = (db: TenantDb, id: string) => byId(db, id).executeTakeFirst()
export const lockForUpdate = (tx: TenantTx, id: string) => byId(tx, id).forNoKeyUpdate().executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, { name, permissions }: CreateRole) =>
  refusing(
    constraints,
    db
      .insertInto('role')
      .values({ tenant_id: tenantId, name, permissions })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, set: UpdateRole) =>
  refusing(
    constraints,
    updateRows(tx, 'role').set(set).where('id', '=', id).returning(columns).executeTakeFirst(),
  )

export const remove = (tx: TenantTx, id: string) =>
  refusing(constraints, deleteRows(tx, 'role').where('id', '=', id).execute())

export interface RolePermissions {
  readonly id: string
  readonly permissions: Permission[]
}

/** Unknown ids are omitted. */
export const findRolePermissions = (tenant: TenantDb, ids: readonly string[]): Promise<RolePermissions[]> =>
  selectRows(tenant, 'role')
    .select(['id', 'permissions'])
    .$narrowType<{ permissions: Permission[] }>()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()

export type SystemRoleName = keyof typeof SYSTEM_ROLES

/** Creates the three system roles of a new tenant and returns their ids by name. */
export async function createSystemRoles({ db, tenantId }: TenantTx): Promise<Record<SystemRoleName, string>> {
  const rows = await db
    .insertInto('role')
    .values(
      Object.entries(SYSTEM_ROLES).map(([name, permissions]) => ({
        tenant_id: tenantId,
        name,
        permissions: [...permissions],
        is_system: true,
      })),
    )
    .returning(['id', 'name'])
    .execute()
  return Object.fromEntries(rows.map(({ id, name }) => [name, id])) as Record<SystemRoleName, string>
}

export const findSystemRole = (tenant: TenantDb, name: SystemRoleName) =>
  selectRows(tenant, 'role')
    .select('id')
    .where('name', '=', name)
    .where('is_system', '=', true)
    .executeTakeFirstOrThrow()
