import { AppError, conflict, invalidReference } from '../../../kernel/errors.ts'
import { PERMISSIONS, type Permission } from '../../../kernel/permissions.ts'
import { changes } from '../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import type { CreateRole, UpdateRole } from './schema.ts'
import * as store from './store.ts'

/**
 * Refuses to grant permissions that the caller does not hold. 403, because the caller lacks the permission.
 */
export function assertMayGrant({ permissions: held }: Principal, granted: Iterable<Permission>): void {
  for (const permission of granted) {
    if (!held.has(permission)) {
      throw new AppError(403, 'PERMISSION_DENIED', ACCESS_TEXTS.PERMISSION_NOT_HELD({ permission }))
    }
  }
}

/**
 * Refuses the change of a role, a user or an invitation that is stronger than the caller: that includes a permission
 * that the caller does not hold. Without this rule a caller could take rights from those who have more of them.
 */
export function assertNotStronger(
  { permissions: held }: Principal,
  what: string,
  permissions: Iterable<Permission>,
): void {
  for (const permission of permissions) {
    if (!held.has(permission)) {
      throw new AppError(403, 'PERMISSION_DENIED', ACCESS_TEXTS.STRONGER_THAN_CALLER({ what, permission }))
    }
  }
}

/**
 * Resolves role ids without duplicates. 422 for an id that is no role of the tenant, 403 for a role that
 * exceeds the caller's permissions.
 */
export async function resolveGrantableRoles(
  db: TenantDb,
  principal: Principal,
  { ids, alreadyHeld = [] }: { ids: readonly string[]; alreadyHeld?: readonly string[] },
): Promise<string[]> {
  const requested = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (requested.length === 0) return []
  const roles = await store.findRolePermissions(db, requested)
  if (roles.length < requested.length) throw invalidReference('role_ids')
  const added = roles.filter(({ id }) => !alreadyHeld.includes(id))
  assertMayGrant(
    principal,
    added.flatMap(({ permissions }) => permissions),
  )
  return roles.map(({ id }) => id)
}

/** Permissions without duplicates, in the order of their declaration. */
export const distinct = (permissions: readonly Permission[]) =>
  PERMISSIONS.filter((permission) => permissions.includes(permission))

export function create(tx: TenantTx, principal: Principal, { name, permissions }: CreateRole) {
  assertMayGrant(principal, permissions)
  return store.create(tx, { name, permissions: distinct(permissions) })
}

const refuseSystemRole = ({ is_system }: { is_system: boolean }) => {
  if (is_system) throw conflict('STATE_CONFLICT', ACCESS_TEXTS.ROLE_IS_SYSTEM())
}

export async function update(tx: TenantTx, principal: Principal, change: { id: string; body: UpdateRole }) {
  const role = await store.lockForUpdate(tx, change.id)
  if (!role) return undefined
  const set = changes(change.body, ['name', 'permissions'])
  assertNotStronger(principal, 'the role', role.permissions)
  assertMayGrant(principal, set?.permissions ?? [])
  refuseSystemRole(role)
  if (!set) return role
  return store.update(tx, role.id, set.permissions ? { ...set, permissions: distinct(set.permissions) } : set)
}

/** Undefined when there is no such role. */
export async function remove(tx: TenantTx, principal: Principal, id: string): Promise<true | undefined> {
  const role = await store.lockForUpdate(tx, id)
  if (!role) return undefined
  assertNotStronger(principal, 'the role', role.permissions)
  refuseSystemRole(role)
  await store.remove(tx, role.id)
  return true
}
