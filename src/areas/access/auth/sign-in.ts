import { makeTokens } from '../../../platform/auth/jwt.ts'
import { MFA_TOKEN_TTL_S } from '../../../platform/auth/limits.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordLogin } from './store.ts'
import { needsCode } from './totp/service.ts'
import { isRequired } from './totp/store.ts'

/** A user whose identity was proven, by whatever means. */
export interface ProvenUser {
  readonly id: string
  readonly tenantId: number
  readonly tenantUid: string
}

export const tokensOf = ({ config, clock }: Deps) => makeTokens({ secretKey: config.secretKey, clock })

/** Issues the tokens of a login, dated `startedAt` (epoch milliseconds), and notes its time. */
export function signIn(deps: Deps, user: ProvenUser, startedAt: number) {
  deps.background.run('note the login', () =>
    recordLogin(tenantDb(deps.database.kysely, user.tenantId), user.id, new Date(startedAt)),
  )
  const tokens = tokensOf(deps)
  return {
    access_token: tokens.issue('access', user, startedAt),
    refresh_token: tokens.issue('refresh', user, startedAt),
    token_type: 'bearer' as const,
  }
}

/** The first step of a login: the tokens, or the token of the second step for users with one-time passwords. */
export async function signInByPassword(deps: Deps, user: ProvenUser, startedAt: number) {
  const db = tenantDb(deps.database.kysely, user.tenantId)
  return (await needsCode(db, user.id)) ? challenge(deps, user, startedAt) : signIn(deps, user, startedAt)
}

/**
 * The same after a sign-in at the provider of the tenant. The provider is responsible for a second factor, so the
 * one-time password is needed only where the tenant requires it of its users.
 */
export async function signInByProvider(deps: Deps, user: ProvenUser, startedAt: number) {
  const db = tenantDb(deps.database.kysely, user.tenantId)
  const isNeeded = (await isRequired(db)) && (await needsCode(db, user.id))
  return isNeeded ? challenge(deps, user, startedAt) : signIn(deps, user, startedAt)
}

const challenge = (deps: Deps, user: ProvenUser, startedAt: number) => ({
  mfa_required: true as const,
  mfa_token: tokensOf(deps).issue('mfa', user, startedAt),
  expires_in: MFA_TOKEN_TTL_S,
})
