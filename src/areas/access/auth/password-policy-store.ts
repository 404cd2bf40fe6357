import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

/**
 * Whether a user may sign in by password. A tenant with an OpenID provider can exclude it, but never for
 * administrators and superusers, who have to be able to correct the configuration of the provider.
 */
export async function maySignInByPassword(tenant: TenantDb, userId: string): Promise<boolean> {
  const provider = await selectRows(tenant, 'oidc_provider')
    .select('allows_password')
    .where('is_enabled', '=', true)
    .executeTakeFirst()
  if (!provider || provider.allows_password) return true
  const exempt = await selectRows(tenant, 'app_user as u')
    .select('u.id')
    .where('u.id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('u.is_superuser', '=', true),
        eb.exists(
          eb
            .selectFrom('user_role as ur')
            .innerJoin('role as r', (join) =>
              join.onRef('r.tenant_id', '=', 'ur.tenant_id').onRef('r.id', '=', 'ur.role_id'),
            )
            .select('r.id')
            .where('ur.tenant_id', '=', tenant.tenantId)
            .whereRef('ur.user_id', '=', 'u.id')
            .where('r.is_system', '=', true)
            .where('r.name', '=', 'admin'),
        ),
      ]),
    )
    .executeTakeFirst()
  return exempt !== undefined
}
