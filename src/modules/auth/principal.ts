import { sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import type { Permission } from '../../kernel/permissions.ts'
import { makeTokens } from '../../platform/auth/jwt.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Principal } from '../../platform/http/app-type.ts'

interface PrincipalRow {
  tenant_id: number
  is_superuser: boolean
  permissions: Permission[]
}

/** One statement, because every request runs it: the active user of an active tenant, with what the roles allow. */
const loadPrincipal = ({ database }: Deps, tenantUid: string, userId: string) =>
  sql<PrincipalRow>`
    select u.tenant_id, u.is_superuser,
      array(select distinct unnest(r.permissions) from user_role ur
            join role r on (r.tenant_id, r.id) = (ur.tenant_id, ur.role_id)
            where (ur.tenant_id, ur.user_id) = (u.tenant_id, u.id)) as permissions
    from tenant t join app_user u on u.tenant_id = t.id
    where t.uid = ${tenantUid} and u.id = ${userId} and t.is_active and u.is_active`.execute(database.kysely)

/** From a bearer token to the principal; 401 when the token or the user is not good (any more). */
export function makeAuthenticate(deps: Deps) {
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  return async (token: string): Promise<Principal> => {
    const { sub: id, tenant_id: tenantUid } = tokens.verify('access', token)
    const { rows } = await loadPrincipal(deps, tenantUid, id)
    const [user] = rows
    if (!user) throw new AppError(401, 'INVALID_CREDENTIALS', 'the user does not exist or is not active')
    return {
      id,
      tenantId: user.tenant_id,
      tenantUid,
      permissions: new Set(user.permissions),
      isSuperuser: user.is_superuser,
    }
  }
}
