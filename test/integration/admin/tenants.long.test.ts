import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenantUser, ensureFirstAdmin } from '../../../src/areas/admin/tenants/index.ts'
import { SYSTEM_ROLES } from '../../../src/kernel/permissions.ts'
import {
  createAccount,
  failurePaths,
  login,
  newEmail,
  PASSWORD,
  systemRoles,
} from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant

beforeAll(async () => {
  api = await startApi({ config: { tenantSignupEnabled: true } })
  tenantA = await createTenant(api)
})
afterAll(() => api.close())

const create = (body: object, token = tenantA.superuser.token) =>
  api.call('POST', '/api/v1/admin/tenants', {
    token,
    body: { name: 'Güneş Enerji A.Ş.', admin_email: newEmail(), admin_password: PASSWORD, ...body },
  })
const list = (query = '', token = tenantA.superuser.token) =>
  api.call('GET', `/api/v1/admin/tenants${query}`, { token })

describe('tenants', () => {
  it('are created with their roles and their first admin', async () => {
    const email = newEmail()
    const created = await create({ admin_email: email.toUpperCase(), admin_full_name: 'Can Öz' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Güneş Enerji A.Ş.',
      slug: 'gunes-enerji-a-s',
      is_active: true,
      created_at: expect.stringMatching(/Z$/),
      admin: expect.objectContaining({
        tenant_id: created.body.id,
        email,
        full_name: 'Can Öz',
        is_superuser: false,
      }),
    })
    const token = (await login(api, email)).body.access_token
    const { body } = await api.call('GET', '/api/roles', { token })
    expect(body.items.map(({ name }: { name: string }) => name).sort()).toEqual(
      Object.keys(SYSTEM_ROLES).sort(),
    )
    expect(body.items.every(({ is_system }: { is_system: boolean }) => is_system)).toBe(true)
    const me = (await api.call('GET', '/api/auth/me', { token })).body
    expect(new Set(me.permissions)).toEqual(new Set(SYSTEM_ROLES.admin))
    expect((await list('', token)).status).toBe(403)
  })

  it('get a free slug, also when created concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Aynı Ad' })))
    expect(responses.map(({ body }) => body.slug).sort()).toEqual([
      'ayni-ad',
      'ayni-ad-2',
      'ayni-ad-3',
      'ayni-ad-4',
      'ayni-ad-5',
    ])
    const named = await create({ slug: 'ayni-ad-3' })
    expect([named.status, named.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    expect((await create({ slug: 'my-slug' })).body.slug).toBe('my-slug')
  })

  it('are rolled back when the address of the admin is taken', async () => {
    const response = await create({ name: 'Left behind', admin_email: tenantA.viewer.email.toUpperCase() })
    expect([response.status, response.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    const { body } = await list('?limit=200')
    expect(body.items.some(({ name }: { name: string }) => name === 'Left behind')).toBe(false)
  })

  it('require a superuser', async () => {
    for (const response of [
      await list('', tenantA.admin.token),
      await create({ name: 5 }, tenantA.admin.token),
    ]) {
      expect(response.status).toBe(403)
      expect(response.body.detail.error_code).toBe('SUPERUSER_REQUIRED')
    }
    expect((await api.call('GET', '/api/v1/admin/tenants')).status).toBe(401)
  })

  it('report every failure of the body', async () => {
    const response = await create({ name: '', slug: 'Not A Slug', admin_email: 'x', admin_password: 'x' })
    expect(response.status).toBe(422)
    expect([...new Set(failurePaths(response))]).toEqual([
      'body.admin_email',
      'body.admin_password',
      'body.name',
      'body.slug',
    ])
  })

  it('are listed in pages', async () => {
    const { body } = await list('?limit=1&sort_by=slug&sort_order=asc&is_active=true')
    expect(body).toMatchObject({ skip: 0, limit: 1 })
    expect(body.items).toHaveLength(1)
    expect(body.total).toBeGreaterThan(1)
    expect((await list('?is_active=false')).body.total).toBe(0)
  })

  it('start with a copy of the system organizations under the same id', async () => {
    const { kysely } = api.deps.database
    const { id } = await kysely
      .insertInto('system_organization')
      .values({ org_type: 'supplier', name: 'Ulusal Tedarik' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { body } = await create({ name: 'With organizations' })
    const rows = await kysely
      .selectFrom('organization')
      .innerJoin('tenant', 'tenant.id', 'organization.tenant_id')
      .select(['organization.id', 'organization.name', 'organization.is_system'])
      .where('tenant.uid', '=', body.id)
      .execute()
    expect(rows).toContainEqual({ id, name: 'Ulusal Tedarik', is_system: true })
  })
})

describe('changing a tenant', () => {
  const path = ({ uid }: TestTenant) => `/api/v1/admin/tenants/${uid}`
  const change = (tenant: TestTenant, body: object, token = tenantA.superuser.token) =>
    api.call('PATCH', path(tenant), { token, body })
  const read = (tenant: TestTenant, token = tenantA.superuser.token) =>
    api.call('GET', path(tenant), { token })
  const answerOf = ({ status, body }: { status: number; body: { error_code?: string } }) => [
    status,
    body.error_code,
  ]
  const INACTIVE = [401, 'TENANT_INACTIVE']

  it('renames it, and keeps the slug', async () => {
    const tenant = await createTenant(api)
    const before = (await read(tenant)).body
    const { status, body } = await change(tenant, { name: 'Yeni Ad A.Ş.' })
    expect([status, body]).toEqual([200, { ...before, name: 'Yeni Ad A.Ş.' }])
    expect((await read(tenant)).body).toEqual(body)
  })

  it('ignores fields that cannot be changed, and refuses a body without any other', async () => {
    const tenant = await createTenant(api)
    const before = (await read(tenant)).body
    const response = await change(tenant, { name: before.name, require_totp: true })
    expect([response.status, response.body]).toEqual([200, before])
    for (const body of [{ slug: 'taken-over' }, { length: 1 }]) {
      const refused = await change(tenant, body)
      expect([refused.status, refused.body.detail[0].message_code]).toEqual([422, 'TENANT_CHANGE_EMPTY'])
    }
    expect((await read(tenant)).body).toEqual(before)
  })

  it('deactivates it for tokens, logins and API keys, and reactivates it', async () => {
    const tenant = await createTenant(api)
    const admin = await createAccount(api, tenant, {
      role_ids: [(await systemRoles(api, tenant)).admin],
    })
    const tokens = (await login(api, admin.email)).body
    const key = await api.call('POST', '/api/api-keys', {
      token: tokens.access_token,
      body: { name: 'Reader', permissions: ['read:device'], expires_in_days: 30 },
    })
    expect(key.status).toBe(201)
    const attempts = async () => [
      await api.call('GET', '/api/auth/me', { token: tokens.access_token }),
      await api.call('POST', '/api/auth/refresh', { body: { refresh_token: tokens.refresh_token } }),
      await login(api, admin.email),
      await api.call('GET', '/api/devices', { token: key.body.key }),
    ]
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await change(tenant, { is_active: false })).body.is_active).toBe(false)
    expect((await attempts()).map(answerOf)).toEqual([INACTIVE, INACTIVE, INACTIVE, INACTIVE])
    const wrong = await login(api, admin.email, 'a wrong password')
    expect(answerOf(wrong)).toEqual([401, 'INVALID_CREDENTIALS'])
    expect((await change(tenant, { is_active: true })).body.is_active).toBe(true)
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('is refused to others, for the own tenant and for an unknown one', async () => {
    expect((await change(tenantA, { name: 'X' }, tenantA.admin.token)).status).toBe(403)
    expect((await read(tenantA, tenantA.admin.token)).status).toBe(403)
    expect(answerOf(await change(tenantA, { is_active: false }))).toEqual([409, 'STATE_CONFLICT'])
    expect((await change(tenantA, {})).status).toBe(422)
    const unknown = { ...tenantA, uid: '00000000-0000-4000-8000-000000000000' }
    expect((await change(unknown, { name: 'X' })).status).toBe(404)
    expect((await read(unknown)).status).toBe(404)
  })
})

describe('signup', () => {
  const signUp = (body: object, on = api) =>
    on.call('POST', '/api/auth/signup', {
      body: { tenant_name: 'Çatı GES', full_name: 'Ece Ak', email: newEmail(), password: PASSWORD, ...body },
    })

  it('creates a tenant and its admin, who is no superuser', async () => {
    const email = newEmail()
    const response = await signUp({ email, is_superuser: true })
    expect(response.status).toBe(201)
    expect(response.body.tenant).toMatchObject({ name: 'Çatı GES', slug: 'cati-ges', is_active: true })
    expect(response.body.user).toMatchObject({
      tenant_id: response.body.tenant.id,
      email,
      is_superuser: false,
    })
    const token = (await login(api, email)).body.access_token
    expect((await api.call('GET', '/api/users', { token })).body.total).toBe(1)
  })

  it('rejects a taken address and a weak password', async () => {
    expect((await signUp({ email: tenantA.admin.email })).body.error_code).toBe('DUPLICATE_ENTRY')
    expect(new Set(failurePaths(await signUp({ password: 'x' })))).toEqual(new Set(['body.password']))
  })

  it('is disabled unless it is enabled, whatever the body says', async () => {
    const closed = await startApi()
    for (const response of [
      await signUp({}, closed),
      await signUp({ email: 1 }, closed),
      await closed.call('POST', '/api/auth/signup', { body: '{' }),
    ])
      expect([response.status, response.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    await closed.close()
  })
})

describe('first admin', () => {
  it('is created once, as superuser and admin of tenant "default"', async () => {
    const fresh = await startApi()
    const created = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(fresh.deps)))
    const admins = created.filter((admin) => admin !== undefined)
    expect(admins).toHaveLength(1)
    const [admin] = admins
    expect(admin).toMatchObject({ email: 'admin@localhost', isGenerated: true })
    const token = (await login(fresh, admin?.email ?? '', admin?.password)).body.access_token
    const me = (await fresh.call('GET', '/api/auth/me', { token })).body
    expect(me).toMatchObject({ is_superuser: true, tenant: { slug: 'default' } })
    expect(me.permissions).toContain('manage:user')
    expect(await ensureFirstAdmin(fresh.deps, { email: 'x@y.z', password: PASSWORD })).toBeUndefined()
    await fresh.close()
  })

  it('has the given address and password, if they are valid', async () => {
    const fresh = await startApi()
    const given = { email: ' Root@Example.TEST', password: PASSWORD }
    await expect(ensureFirstAdmin(fresh.deps, { ...given, password: 'weak' })).rejects.toThrow(
      'NETSAAT_ADMIN_PASSWORD must have at least 12 characters',
    )
    await expect(ensureFirstAdmin(fresh.deps, { ...given, email: 'x' })).rejects.toThrow(
      'NETSAAT_ADMIN_EMAIL',
    )
    const admin = await ensureFirstAdmin(fresh.deps, given)
    expect(admin).toEqual({ email: 'root@example.test', password: PASSWORD, isGenerated: false })
    expect((await login(fresh, 'root@example.test')).status).toBe(200)
    await fresh.close()
  })
})

it('a user created at the command line has the given role', async () => {
  const { body } = await create({ name: 'From the shell' })
  const user = { tenant: 'from-the-shell', role: 'viewer', email: newEmail(), password: PASSWORD } as const
  const created = await createTenantUser(api.deps, user)
  expect(created.tenant_id).toBe(body.id)
  const token = (await login(api, user.email)).body.access_token
  const me = (await api.call('GET', '/api/auth/me', { token })).body
  expect(new Set(me.permissions)).toEqual(new Set(SYSTEM_ROLES.viewer))
  await expect(createTenantUser(api.deps, { ...user, tenant: 'nowhere' })).rejects.toThrow('tenant not found')
  await expect(createTenantUser(api.deps, user)).rejects.toThrow('exists')
})
