import { conflict } from '../../../kernel/errors.ts'
import { shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import type { Lockout } from './lockout.ts'
import { findPasswordHash } from './store.ts'

interface PasswordCheck {
  readonly principal: Principal
  readonly password: string
  /** Name of the field of the body, for the error. */
  readonly field: string
}

export const wrongPassword = (field: string) =>
  invalidInput(['body', field], ACCESS_TEXTS.PASSWORD_NOT_CURRENT())

/**
 * Returns the stored hash of the caller's password; 422 for a wrong password, 429 after too many of them, 409 when
 * the caller has none.
 */
export async function requirePassword(
  deps: Deps,
  lockout: Lockout,
  { principal, password, field }: PasswordCheck,
): Promise<string> {
  await lockout.checkUser(principal.id)
  const stored = await findPasswordHash(tenantDb(deps.database.kysely, principal.tenantId), principal.id)
  if (stored && stored.password_hash === null)
    throw conflict('PASSWORD_NOT_SET', ACCESS_TEXTS.PASSWORD_NOT_SET())
  if (
    !stored?.password_hash ||
    !(await deps.passwords.verify(password, stored.password_hash, shareOfUser(principal)))
  ) {
    await lockout.userFailed(principal.id)
    throw wrongPassword(field)
  }
  return stored.password_hash
}

/** The same for operations that are open to users without a password; theirs is then not checked. */
export async function requirePasswordIfSet(
  deps: Deps,
  lockout: Lockout,
  { password = '', ...check }: Omit<PasswordCheck, 'password'> & { readonly password?: string | undefined },
): Promise<void> {
  const db = tenantDb(deps.database.kysely, check.principal.tenantId)
  const stored = await findPasswordHash(db, check.principal.id)
  if (stored?.password_hash !== null) await requirePassword(deps, lockout, { ...check, password })
}
