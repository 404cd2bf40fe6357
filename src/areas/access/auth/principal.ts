import { isApiKey } from '../../../platform/auth/api-key.ts'
import { makeTokens } from '../../../platform/auth/jwt.ts'
import { systemDb } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { makeApiKeyLookup } from '../api-keys/index.ts'
import { coalesceByKey } from './coalesce-by-key.ts'
import { findPrincipal } from './store.ts'
import { refusalOf } from './tenant-inactive.ts'

/** A principal with the end of the validity of its token or API key, epoch milliseconds. */
export interface Authenticated extends Principal {
  readonly expiresAt: number
}

/**
 * Returns a function that resolves a bearer token, which may be an API key, to its principal; 401 for an
 * invalid token or an inactive user.
 */
export function makeAuthenticate(
  deps: Pick<Deps, 'config' | 'clock' | 'database' | 'nodeReads' | 'replicas' | 'background'>,
) {
  const findApiKey = makeApiKeyLookup(deps)
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  // A console sends many requests at the same time, whose principal is read once.
  const findUser = coalesceByKey((key) => {
    const [tenantUid = '', userId = ''] = key.split(' ')
    return findPrincipal(deps, tenantUid, userId)
  })
  return async (token: string): Promise<Authenticated> => {
    if (isApiKey(token)) return findApiKey(token)
    const { sub, exp, tenant_id: tenantUid } = tokens.verify('access', token)
    const user = await findUser(`${tenantUid} ${sub}`)
    if (!user) throw await refusalOf(systemDb(deps.database.kysely), tenantUid)
    return {
      id: sub.toLowerCase(),
      tenantId: user.tenantId,
      tenantUid,
      permissions: user.permissions,
      isSuperuser: user.isSuperuser,
      mustEnrolTotp: user.mustEnrolTotp,
      ...(user.wroteUntil !== undefined && { wroteUntil: user.wroteUntil }),
      expiresAt: exp * 1000,
    }
  }
}
