import { AppError } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { shareOfClient, shareOfKnownClient, shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { issuedAt, type TokenClaims } from '../../../platform/auth/jwt.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { findUser, updateUser } from '../users/index.ts'
import type { Lockout, LoginAttempt } from './lockout.ts'
import { requirePassword, wrongPassword } from './password-check.ts'
import { maySignInByPassword } from './password-policy-store.ts'
import type { ChangePassword, UpdateProfile } from './schema.ts'
import { signIn, signInByPassword, tokensOf } from './sign-in.ts'
import * as store from './store.ts'
import { refusalOf, tenantInactive } from './tenant-inactive.ts'
import { acceptCode } from './totp/codes.ts'
import type { LoginTotp } from './totp/schema.ts'

const invalidCredentials = (message: Message) => new AppError(401, 'INVALID_CREDENTIALS', message)

/**
 * Unknown address, inactive user and wrong password get the same response after the same work. Only with the
 * right password does the response say that the tenant is inactive or excludes passwords. Tokens are
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
  const user = await store.findByEmailForLogin(systemDb(deps.database.kysely), attempt.email)
  const isCorrect = await deps.passwords.verify(password, user?.passwordHash ?? undefined, share)
  if (!user || !isCorrect) {
    await lockout.failed(attempt)
    throw invalidCredentials(ACCESS_TEXTS.LOGIN_WRONG())
  }
  await lockout.succeeded(attempt)
  if (!user.isTenantActive) throw tenantInactive()
  if (!(await maySignInByPassword(tenantDb(deps.database.kysely, user.tenantId), user.id)))
    throw new AppError(401, 'PASSWORD_SIGN_IN_DISABLED', ACCESS_TEXTS.PASSWORD_SIGN_IN_DISABLED())
  return signInByPassword(deps, user, startedAt)
}

/** The active user of a token, unless the password was reset after the token was issued. */
async function userOf(deps: Deps, claims: TokenClaims) {
  const user = await store.findPasswordChange(deps.database, claims)
  if (!user) throw await refusalOf(systemDb(deps.database.kysely), claims.tenant_id)
  if (user.password_changed_at && issuedAt(claims) < user.password_changed_at.getTime()) {
    throw invalidCredentials(ACCESS_TEXTS.TOKEN_BEFORE_RESET())
  }
  return { id: claims.sub, tenantId: user.tenantId, tenantUid: claims.tenant_id }
}

/** The second step of a login: the one-time password or a recovery code. */
export async function loginWithCode(deps: Deps, lockout: Lockout, { mfa_token, code }: LoginTotp) {
  const startedAt = deps.clock.now()
  const user = await userOf(deps, tokensOf(deps).verify('mfa', mfa_token))
  if (!(await acceptCode(deps, lockout, { tenantId: user.tenantId, userId: user.id, code })))
    throw new AppError(401, 'INVALID_TOTP_CODE', ACCESS_TEXTS.TOTP_CODE_NOT_VALID())
  return signIn(deps, user, startedAt)
}

/**
 * Issues a new access token, unless the user is inactive or deleted, or the password was reset after the
 * refresh token was issued.
 */
export async function refresh(deps: Deps, refreshToken: string) {
  const tokens = tokensOf(deps)
  const claims = tokens.verify('refresh', refreshToken)
  return { access_token: tokens.issue('access', await userOf(deps, claims)) }
}

/** Undefined when the user was deleted meanwhile. */
export async function profile(db: TenantDb, { id, permissions }: Principal) {
  const [user, tenant] = await Promise.all([findUser(db, id), store.findTenant(db)])
  return user && { ...user, permissions: [...permissions].sort(), tenant }
}

/** Changes the settings that a user makes without an administrator. */
export const changeProfile = async (tx: TenantTx, { id }: Principal, { language }: UpdateProfile) =>
  language !== undefined && (await updateUser(tx, id, { language }))

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
  const field = 'current_password'
  const from = await requirePassword(deps, lockout, { principal, password: body.current_password, field })
  const to = await deps.passwords.hash(body.new_password, share)
  await inTenantTx(kysely, principal.tenantId, async (tx) => {
    if (!(await store.replacePassword(tx, principal.id, { from, to }))) throw wrongPassword(field)
    await store.revokeLinks(tx, principal.id, new Date(deps.clock.now()))
  })
}
