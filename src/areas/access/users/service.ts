import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, conflict } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { assertNotStronger, resolveGrantableRoles } from '../roles/index.ts'
import type { CreateUser, UpdateUser, User } from './schema.ts'
import * as store from './store.ts'

const assertStored = (user: User | undefined): User => {
  if (!user) throw new Error('a user that was just written is not there')
  return user
}

/** Creates a user without checking a caller's permissions: for signup, invitation and command line. */
export const addUser = async (tx: TenantTx, user: store.NewUser): Promise<User> =>
  assertStored(await store.find(tx, await store.create(tx, user)))

/** Creates a user on behalf of a caller, who can grant only permissions that they hold. */
export async function create(
  tx: TenantTx,
  principal: Principal,
  body: Omit<CreateUser, 'password'> & { passwordHash: string },
): Promise<User> {
  const roleIds = await resolveGrantableRoles(tx, principal, { ids: body.role_ids ?? [] })
  return addUser(tx, {
    email: body.email,
    passwordHash: body.passwordHash,
    fullName: body.full_name,
    roleIds,
    isActive: body.is_active,
    isSuperuser: principal.isSuperuser && body.is_superuser,
    language: body.language,
    isEmailVerified: principal.isSuperuser,
  })
}

/**
 * Changing an account's address and resetting its password takes the account over. So a caller may change
 * only users who hold no more permissions than the caller.
 */
export function assertMayManage(principal: Principal, user: store.ManagedUser): void {
  if (user.is_superuser && !principal.isSuperuser) {
    throw new AppError(403, 'PERMISSION_DENIED', ACCESS_TEXTS.USER_IS_SUPERUSER())
  }
  assertNotStronger(principal, 'the user', user.permissions)
}

async function requireActiveAdmin(tx: TenantTx, before: store.ManagedUser): Promise<void> {
  if (!before.is_admin || !before.is_active || (await store.hasActiveAdmin(tx))) return
  throw conflict('STATE_CONFLICT', ACCESS_TEXTS.USER_LAST_ADMIN())
}

/** The changes of a body; `is_superuser` is ignored unless the caller is a superuser. */
function toFlagChanges(principal: Principal, user: store.ManagedUser, body: UpdateUser) {
  const isSuperuser = principal.isSuperuser ? body.is_superuser : undefined
  if (user.id === principal.id && (body.is_active === false || isSuperuser === false)) {
    throw conflict('STATE_CONFLICT', ACCESS_TEXTS.USER_OWN_STATUS())
  }
  return {
    ...(body.full_name !== undefined && { full_name: body.full_name }),
    ...(body.is_active !== undefined && { is_active: body.is_active }),
    ...(isSuperuser !== undefined && { is_superuser: isSuperuser }),
    ...(body.language !== undefined && { language: body.language }),
  }
}

/** Undefined when there is no such user in the tenant. */
export async function update(tx: TenantTx, principal: Principal, change: { id: string; body: UpdateUser }) {
  const { id, body } = change
  const user = await store.lockForUpdate(tx, id)
  if (!user) return undefined
  assertMayManage(principal, user)
  const roleIds =
    body.role_ids &&
    (await resolveGrantableRoles(tx, principal, { ids: body.role_ids, alreadyHeld: user.role_ids }))
  const flags = toFlagChanges(principal, user, body)
  const email = body.email === undefined ? user.email : normalizeEmail(body.email)
  if (Object.keys(flags).length > 0) await store.update(tx, user.id, flags)
  if (email !== user.email) await store.changeEmail(tx, user, { email, isVerified: principal.isSuperuser })
  if (roleIds) await store.replaceRoles(tx, user.id, roleIds)
  await requireActiveAdmin(tx, user)
  return store.find(tx, user.id)
}

/** Undefined when there is no such user in the tenant. */
export async function remove(tx: TenantTx, principal: Principal, id: string): Promise<true | undefined> {
  const user = await store.lockForUpdate(tx, id)
  if (!user) return undefined
  assertMayManage(principal, user)
  if (user.id === principal.id) throw conflict('STATE_CONFLICT', ACCESS_TEXTS.USER_OWN_DELETION())
  await store.remove(tx, user)
  await requireActiveAdmin(tx, user)
  return true
}
