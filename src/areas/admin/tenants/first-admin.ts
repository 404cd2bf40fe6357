import { isEmail, normalizeEmail } from '../../../kernel/email.ts'
import { AppError } from '../../../kernel/errors.ts'
import { textOf } from '../../../kernel/messages.ts'
import { generatePassword, passwordFault } from '../../../platform/auth/password.ts'
import { inSystemTx, systemDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { createTenant } from './service.ts'
import { hasAny } from './store.ts'

export interface FirstAdmin {
  readonly email: string
  readonly password: string
  /** True when the password was generated, so that it has to be printed once. */
  readonly isGenerated: boolean
}

const EMAIL = 'admin@localhost'

/**
 * Of several processes that start at the same time, one creates the tenant; the others find its slug taken.
 */
async function createIfMissing(deps: Deps, { email, password }: FirstAdmin): Promise<boolean> {
  const passwordHash = await deps.passwords.hash(password)
  try {
    await inSystemTx(deps.database.kysely, (tx) =>
      createTenant(tx, {
        name: 'Default',
        slug: 'default',
        admin: { email, passwordHash, isSuperuser: true, isEmailVerified: true },
      }),
    )
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'DUPLICATE_ENTRY') return false
    throw error
  }
}

/**
 * First start without any tenant: creates the tenant "default" with a superuser who is its admin. Missing
 * values are generated. Undefined when a tenant exists. Throws when the given address or password is not
 * allowed.
 */
export async function ensureFirstAdmin(
  deps: Deps,
  given: { email?: string | undefined; password?: string | undefined } = {},
): Promise<FirstAdmin | undefined> {
  if (await hasAny(systemDb(deps.database.kysely))) return undefined
  const email = normalizeEmail(given.email ?? EMAIL)
  if (!isEmail(email)) throw new Error('NETSAAT_ADMIN_EMAIL is not an e-mail address')
  const fault = given.password === undefined ? undefined : passwordFault(given.password)
  if (fault !== undefined) throw new Error(`NETSAAT_ADMIN_PASSWORD ${textOf(fault)}`)
  const admin = {
    email,
    password: given.password ?? generatePassword(),
    isGenerated: given.password === undefined,
  }
  return (await createIfMissing(deps, admin)) ? admin : undefined
}
