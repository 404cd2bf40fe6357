import { AppError } from '../../../kernel/errors.ts'
import { shareOfClient, shareOfKnownClient, shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { issuedAt, makeTokens } from '../../../platform/auth/jwt.ts'
import { inTenantTx, systemDb, type TenantDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findUser } from '../users/index.ts'
import type { Lockout, LoginAttempt } from './lockout.ts'
import type { ChangePassword } from './schema.ts'
import * as store from './store.ts'

const invalidCredentials = (message: string) => new AppError(401, 'INVALID_CREDENTIALS', message)
const tokensOf = ({ config, clock }: Deps) => makeTokens({ secretKey: config.secretKey, clock })

/**
 * Unknown address, inactive user and wrong password get the same response after the same work. Tokens are
 * dated before the stored password was read, so a concurrent reset invalidates them.
 */
export async function login(
  deps: Deps,
  lockout: Lockout,
  { password, ...attempt }: LoginAttempt & { readonly password: string },
) {
  const { isKnown } = await lockout.check(attempt)
  const share = (isKnown ? shareOfKnownClient : shareOfClient)(attempt.address, attempt.email)
  const startedAt = deps.clock.now()
  const user = await store.findByEmail(systemDb(deps.database.kysely), attempt.email)
  const isCorrect = await deps.passwords.verify(password, user?.passwordHash, share)
  if (!user || !isCorrect) {
    await lockout.failed(attempt)
    throw invalidCredentials('the e-mail address or the password is wrong')
  }
  await lockout.succeeded(attempt)
  deps.background.run('note the login', () =>
    store.recordLogin(tenantDb(deps.database.kysely, user.tenantId), user.id, new Date(startedAt)),
  )
  const tokens = tokensOf(deps)
  return {
    access_token: tokens.issue('access', user, startedAt),
    refresh_token: tokens.issue('refresh', user, startedAt),
    token_type: 'bearer' as const,
  }
}

/**
 * Issues a new access token, unless the user is inactive or deleted, or the password was reset after the
 * refresh token was issued.
 */
export async function refresh(deps: Deps, refreshToken: string) {
  const tokens = tokensOf(deps)
  const claims = tokens.verify('refresh', refreshToken)
  const user = await store.findPasswordChange(systemDb(deps.database.kysely), claims)
  if (!user) throw invalidCredentials('the user does not exist or is not active')
  if (user.password_changed_at && issuedAt(claims) < user.password_changed_at.getTime()) {
    throw invalidCredentials('the password was reset after this token was issued')
  }
  return { access_token: tokens.issue('access', { id: claims.sub, tenantUid: claims.tenant_id }) }
}

/** Undefined when the user was deleted meanwhile. */
export async function profile(db: TenantDb, { id, permissions }: Principal) {
  const [user, tenant] = await Promise.all([findUser(db, id), store.findTenant(db)])
  return user && { ...user, permissions: [...permissions].sort(), tenant }
}

/**
 * The API keeps tokens valid after a change of password (unlike a reset), so password_changed_at stays.
 * Pending reset links are revoked, because the owner needs none.
 */
export async function changePassword(
  deps: Deps,
  lockout: Lockout,
  { principal, body }: { readonly principal: Principal; readonly body: ChangePassword },
): Promise<void> {
  const { kysely } = deps.database
  const share = shareOfUser(principal)
  const wrongPassword = () => invalidInput(['body', 'current_password'], 'is not the present password')
  await lockout.checkUser(principal.id)
  const stored = await store.findPasswordHash(tenantDb(kysely, principal.tenantId), principal.id)
  if (!stored || !(await deps.passwords.verify(body.current_password, stored.password_hash, share))) {
    await lockout.userFailed(principal.id)
    throw wrongPassword()
  }
  const to = await deps.passwords.hash(body.new_password, share)
  await inTenantTx(kysely, principal.tenantId, async (tx) => {
    if (!(await store.replacePassword(tx, principal.id, { from: stored.password_hash, to })))
      throw wrongPassword()
    await store.revokeLinks(tx, principal.id, new Date(deps.clock.now()))
  })
}
