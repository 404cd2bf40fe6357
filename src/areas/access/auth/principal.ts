import { AppError } from '../../../kernel/errors.ts'
import { makeTokens } from '../../../platform/auth/jwt.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { findPrincipal } from './store.ts'

/**
 * Returns a function that resolves a bearer token to its principal; 401 for an invalid token or an inactive
 * user.
 */
export function makeAuthenticate(deps: Deps) {
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  return async (token: string): Promise<Principal> => {
    const { sub, tenant_id: tenantUid } = tokens.verify('access', token)
    const user = await findPrincipal(deps.database.pool, tenantUid, sub)
    if (!user) throw new AppError(401, 'INVALID_CREDENTIALS', ACCESS_TEXTS.USER_NOT_ACTIVE())
    return {
      id: sub.toLowerCase(),
      tenantId: user.tenant_id,
      tenantUid,
      permissions: new Set(user.permissions),
      isSuperuser: user.is_superuser,
    }
  }
}
