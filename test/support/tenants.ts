import { randomBytes } from 'node:crypto'
import { SYSTEM_ROLES } from '../../src/kernel/permissions.ts'
import { makeTokens } from '../../src/platform/auth/jwt.ts'
import type { TestApi } from './api.ts'

/** A test service or the service of a benchmark. */
type WithDeps = Pick<TestApi, 'deps'>

export interface TestUser {
  readonly id: string
  readonly email: string
  readonly token: string
}

export interface TestTenant {
  readonly id: number
  readonly uid: string
  readonly admin: TestUser
  readonly operator: TestUser
  readonly viewer: TestUser
  /** Also an admin of the tenant. */
  readonly superuser: TestUser
}

type RoleName = keyof typeof SYSTEM_ROLES

async function createRoles({ deps }: WithDeps, tenantId: number): Promise<Record<RoleName, string>> {
  const rows = await deps.database.kysely
    .insertInto('role')
    .values(
      Object.entries(SYSTEM_ROLES).map(([name, permissions]) => ({
        tenant_id: tenantId,
        name,
        permissions: [...permissions],
        is_system: true,
      })),
    )
    .returning(['id', 'name'])
    .execute()
  return Object.fromEntries(rows.map(({ id, name }) => [name, id])) as Record<RoleName, string>
}

interface UserSpec {
  readonly tenant: { id: number; uid: string }
  readonly name: string
  readonly roleId: string
  readonly isSuperuser?: boolean
}

async function createUser({ deps }: WithDeps, { tenant, name, roleId, isSuperuser = false }: UserSpec) {
  const { kysely } = deps.database
  const email = `${name}-${randomBytes(4).toString('hex')}@example.test`
  const { id } = await kysely
    .insertInto('app_user')
    .values({
      tenant_id: tenant.id,
      email,
      password_hash: 'no login',
      is_superuser: isSuperuser,
      is_email_verified: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await kysely.insertInto('login_email').values({ email, tenant_id: tenant.id, user_id: id }).execute()
  await kysely
    .insertInto('user_role')
    .values({ tenant_id: tenant.id, user_id: id, role_id: roleId })
    .execute()
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  return { id, email, token: tokens.issue('access', { id, tenantUid: tenant.uid }) }
}

/**
 * A tenant with its three roles and one user per role, inserted directly, because most tests are not about
 * accounts.
 */
export async function createTenant(
  api: WithDeps,
  name = `tenant ${randomBytes(4).toString('hex')}`,
): Promise<TestTenant> {
  const tenant = await api.deps.database.kysely
    .insertInto('tenant')
    .values({ name, slug: name.replaceAll(' ', '-').toLowerCase() })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow()
  const roles = await createRoles(api, tenant.id)
  const [admin, operator, viewer, superuser] = await Promise.all([
    createUser(api, { tenant, name: 'admin', roleId: roles.admin }),
    createUser(api, { tenant, name: 'operator', roleId: roles.operator }),
    createUser(api, { tenant, name: 'viewer', roleId: roles.viewer }),
    createUser(api, { tenant, name: 'superuser', roleId: roles.admin, isSuperuser: true }),
  ])
  return { ...tenant, admin, operator, viewer, superuser }
}
