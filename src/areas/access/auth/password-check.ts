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

/** Returns the stored hash of the caller's password; 422 for a wrong password, 429 after too many of them. */
export async function requirePassword(
  deps: Deps,
  lockout: Lockout,
  { principal, password, field }: PasswordCheck,
): Promise<string> {
  await lockout.checkUser(principal.id)
  const stored = await findPasswordHash(tenantDb(deps.database.kysely, principal.tenantId), principal.id)
  if (!stored || !(await deps.passwords.verify(password, stored.password_hash, shareOfUser(principal)))) {
    await lockout.userFailed(principal.id)
    throw wrongPassword(field)
  }
  return stored.password_hash
}
