import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
let tenantB: TestTenant
let roles: Awaited<ReturnType<typeof systemRoles>>

beforeAll(async () => {
  api = await startApi()
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
  roles = await systemRoles(api, tenantA)
})
afterAll(() => api.close())

const create = (body: unknown, token = tenantA.admin.token) => api.call('POST', '/api/users', { token, body })
const get = (path: string, token = tenantA.admin.token) => api.call('GET', `/api/users${path}`, { token })
const put = (id: string, body: unknown, token = tenantA.admin.token) =>
  api.call('PUT', `/api/users/${id}`, { token, body })
const remove = (id: string, token = tenantA.admin.token) => api.call('DELETE', `/api/users/${id}`, { token })

/** A signed-in user with little more than the permissions to manage users and roles. */
async function createLimitedAdmin(
  tenant: TestTenant,
): Promise<{ id: string; token: string; roleId: string }> {
  const role = await api.call('POST', '/api/roles', {
    token: tenant.admin.token,
    body: {
      name: `deputy ${randomUUID()}`,
      permissions: ['read:user', 'manage:user', 'read:role', 'manage:role', 'read:region'],
    },
  })
  const { id, email } = await createAccount(api, tenant, { role_ids: [role.body.id] })
  return { id, token: (await login(api, email)).body.access_token, roleId: role.body.id }
}

describe('users', () => {
  it('are created, read, changed and deleted', async () => {
    const email = newEmail()
    const created = await create({
      email,
      full_name: 'Ayşe Yılmaz',
      password: PASSWORD,
      role_ids: [roles.viewer, roles.viewer.toUpperCase()],
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      tenant_id: tenantA.uid,
      email,
      full_name: 'Ayşe Yılmaz',
      role_ids: [roles.viewer],
      is_active: true,
      is_superuser: false,
      is_email_verified: false,
      language: null,
      created_at: expect.stringMatching(/Z$/),
      last_login_at: null,
    })
    const { id } = created.body
    expect((await get(`/${id}`, tenantA.viewer.token)).body).toEqual(created.body)
    const changed = await put(id, { full_name: null, role_ids: [roles.operator, roles.viewer] })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...created.body,
      full_name: null,
      role_ids: [roles.operator, roles.viewer].sort(),
    })
    expect((await put(id, {})).body).toEqual(changed.body)
    expect((await put(id, { role_ids: [] })).body.role_ids).toEqual([])
    expect((await login(api, email)).status).toBe(200)
    expect((await remove(id)).status).toBe(204)
    expect((await get(`/${id}`)).status).toBe(404)
    expect((await login(api, email)).status).toBe(401)
    expect((await create({ email, password: PASSWORD })).status).toBe(201)
  })

  it('ignore fields that are not writable', async () => {
    const user = await createAccount(api, tenantA, {
      id: randomUUID(),
      tenant_id: tenantB.uid,
      created_at: '2020-01-01',
    })
    const { body } = await put(user.id, {
      id: randomUUID(),
      tenant_id: tenantB.uid,
      password: 'not taken from here 1',
      password_hash: 'x',
      last_login_at: '2020-01-01',
    })
    expect(body).toEqual(user)
    expect((await login(api, user.email)).status).toBe(200)
  })

  it('report every failure of the body at once', async () => {
    const response = await create({
      email: 'no address',
      full_name: '',
      password: 'short',
      role_ids: ['x'],
      is_active: 1,
    })
    expect(response.status).toBe(422)
    expect([...new Set(failurePaths(response))]).toEqual([
      'body.email',
      'body.full_name',
      'body.is_active',
      'body.password',
      'body.role_ids.0',
    ])
    expect(failurePaths(await create({}))).toEqual(['body.email', 'body.password'])
    expect(failurePaths(await put('x', { email: null }))).toEqual(['body.email', 'path.id'])
  })

  it('need the permissions read:user and manage:user', async () => {
    expect((await get('', tenantA.viewer.token)).status).toBe(200)
    expect((await create('{nonsense', tenantA.viewer.token)).status).toBe(403)
    expect((await put(tenantA.viewer.id, {}, tenantA.operator.token)).status).toBe(403)
    expect((await remove(tenantA.viewer.id, tenantA.operator.token)).status).toBe(403)
    expect((await api.call('GET', '/api/users')).status).toBe(401)
  })

  it('of another tenant get the same response as unknown ones, byte for byte', async () => {
    const user = await createAccount(api, tenantB)
    for (const call of [(id: string) => get(`/${id}`), (id: string) => put(id, { full_name: 'x' }), remove]) {
      const [foreign, unknown] = [await call(user.id), await call(randomUUID())]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(unknown.text)
    }
    expect((await get(`/${user.id}`, tenantA.superuser.token)).status).toBe(404)
    expect((await get(`/${user.id}`, tenantB.viewer.token)).body).toEqual(user)
  })
})

describe('user addresses', () => {
  it('are unique in the whole service, whatever their case and the white space around', async () => {
    const user = await createAccount(api, tenantB)
    for (const email of [user.email, user.email.toUpperCase(), `\t${user.email} `]) {
      const response = await create({ email, password: PASSWORD })
      expect(response.status).toBe(409)
      expect(response.body).toMatchObject({
        detail: 'a user with this e-mail address exists',
        error_code: 'DUPLICATE_ENTRY',
      })
    }
    const mine = await createAccount(api, tenantA)
    expect((await put(mine.id, { email: user.email.toUpperCase(), full_name: 'X' })).status).toBe(409)
    expect((await get(`/${mine.id}`)).body).toEqual(mine)
  })

  it('can be changed, and the old one becomes available', async () => {
    const user = await createAccount(api, tenantA)
    const email = newEmail()
    expect((await put(user.id, { email: ` ${email.toUpperCase()}` })).body.email).toBe(email)
    expect((await put(user.id, { email })).status).toBe(200)
    expect((await login(api, email)).status).toBe(200)
    expect((await login(api, user.email)).status).toBe(401)
    expect((await create({ email: user.email, password: PASSWORD })).status).toBe(201)
  })

  it('are assigned to one of several concurrent requests', async () => {
    const email = newEmail()
    const responses = await Promise.all(
      [tenantA, tenantB, tenantA, tenantB].map(({ admin }) =>
        create({ email, password: PASSWORD }, admin.token),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })
})

describe('user list', () => {
  it('filters by a part of the address, taken literally, and by activity', async () => {
    const tenant = await createTenant(api)
    const token = tenant.viewer.token
    for (const email of ['per_cent%1@x.test', 'perXcentY1@x.test', 'back\\slash@x.test'])
      await api.call('POST', '/api/users', {
        token: tenant.admin.token,
        body: { email: email.replace('\\', '~'), password: PASSWORD, is_active: !email.includes('X') },
      })
    const emails = async (query: string) =>
      (await get(`?sort_by=email&sort_order=asc&${query}`, token)).body.items.map(
        ({ email }: { email: string }) => email,
      )
    expect(await emails('email=%25')).toEqual(['per_cent%1@x.test'])
    expect(await emails('email=R_C')).toEqual(['per_cent%1@x.test'])
    expect(await emails('email=X.TEST')).toHaveLength(3)
    expect(await emails("email='%20or%20true--")).toEqual([])
    expect(await emails('email=%5C')).toEqual([])
    expect(await emails('is_active=false')).toEqual(['perxcenty1@x.test'])
    expect(await emails('is_active=true&email=x.test')).toHaveLength(2)
  })

  it('returns pages of the own tenant only, with the total of the filter', async () => {
    const tenant = await createTenant(api)
    const page = await get('?limit=3&skip=1&sort_by=email&sort_order=asc', tenant.viewer.token)
    expect(page.body).toMatchObject({ total: 4, skip: 1, limit: 3 })
    const { admin, operator, viewer, superuser } = tenant
    const all = [admin, operator, viewer, superuser].map(({ email }) => email).sort()
    expect(page.body.items.map(({ email }: { email: string }) => email)).toEqual(all.slice(1))
  })

  it('refuses unknown sort fields and values', async () => {
    const paths = async (query: string) => failurePaths(await get(query))
    expect(await paths('?sort_by=password_hash')).toEqual(['query.sort_by'])
    expect(await paths('?sort_order=up&limit=201&skip=-1')).toEqual([
      'query.limit',
      'query.skip',
      'query.sort_order',
    ])
    expect(await paths('?is_active=perhaps')).toEqual(['query.is_active'])
    for (const by of ['created_at', 'email', 'full_name', 'last_login_at'])
      expect((await get(`?sort_by=${by}`)).status).toBe(200)
  })
})

describe('permissions of users', () => {
  it('are granted only by holders', async () => {
    const tenant = await createTenant(api)
    const { admin, viewer } = await systemRoles(api, tenant)
    const limitedAdmin = await createLimitedAdmin(tenant)
    const weak = await createAccount(api, tenant)
    const refused = [
      await create({ email: newEmail(), password: PASSWORD, role_ids: [admin] }, limitedAdmin.token),
      await create({ email: newEmail(), password: PASSWORD, role_ids: [viewer] }, limitedAdmin.token),
      await put(weak.id, { role_ids: [admin] }, limitedAdmin.token),
      await put(limitedAdmin.id, { role_ids: [limitedAdmin.roleId, admin] }, limitedAdmin.token),
    ]
    for (const { status, body } of refused)
      expect([status, body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    const allowed = await put(weak.id, { role_ids: [limitedAdmin.roleId] }, limitedAdmin.token)
    expect(allowed.status).toBe(200)
  })

  it('are not gained by a change of an account with more permissions', async () => {
    const tenant = await createTenant(api)
    const limitedAdmin = await createLimitedAdmin(tenant)
    for (const { id } of [tenant.admin, tenant.superuser, tenant.viewer]) {
      expect((await put(id, { email: newEmail() }, limitedAdmin.token)).status).toBe(403)
      expect((await remove(id, limitedAdmin.token)).status).toBe(403)
    }
    expect((await put(tenant.superuser.id, { email: newEmail() }, tenant.admin.token)).status).toBe(403)
    expect((await remove(tenant.superuser.id, tenant.admin.token)).status).toBe(403)
  })

  it('roles of another tenant and unknown roles are invalid references', async () => {
    const foreign = (await systemRoles(api, tenantB)).viewer
    const responses = []
    for (const role_ids of [[foreign], [randomUUID()], [roles.viewer, foreign]]) {
      responses.push(await create({ email: newEmail(), password: PASSWORD, role_ids }))
      responses.push(await put(tenantA.viewer.id, { role_ids }))
    }
    for (const response of responses) {
      expect([response.status, response.body.error_code]).toEqual([422, 'INVALID_REFERENCE'])
      expect(response.text).toBe(responses[0]?.text)
    }
  })

  it('ignore is_superuser unless a superuser sends it', async () => {
    const body = { email: newEmail(), password: PASSWORD, is_superuser: true }
    const byAdmin = await create(body)
    expect([byAdmin.status, byAdmin.body.is_superuser]).toEqual([201, false])
    const { id } = byAdmin.body
    expect((await put(id, { is_superuser: true })).body.is_superuser).toBe(false)
    expect((await put(id, { is_superuser: true }, tenantA.superuser.token)).body.is_superuser).toBe(true)
    expect((await put(id, { is_superuser: false }, tenantA.superuser.token)).body.is_superuser).toBe(false)
    const self = await put(tenantA.superuser.id, { is_superuser: false }, tenantA.superuser.token)
    expect([self.status, self.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
  })

  it('nobody deletes or deactivates themselves', async () => {
    const own = tenantA.admin.id.toUpperCase()
    for (const response of [await remove(own), await put(own, { is_active: false })]) {
      expect([response.status, response.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    }
    expect((await put(own, { is_active: true, full_name: 'Me' })).status).toBe(200)
  })
})

describe('last active admin of a tenant', () => {
  it('cannot be removed', async () => {
    const tenant = await createTenant(api)
    const { admin, superuser } = tenant
    const { viewer } = await systemRoles(api, tenant)
    expect((await put(admin.id, { is_active: false }, superuser.token)).status).toBe(200)
    const strip = await put(superuser.id, { role_ids: [viewer] }, superuser.token)
    expect([strip.status, strip.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await get(`/${superuser.id}`, superuser.token)).body.role_ids).not.toEqual([viewer])
    expect((await put(admin.id, { is_active: true }, superuser.token)).status).toBe(200)
    expect((await put(superuser.id, { role_ids: [viewer] }, superuser.token)).status).toBe(200)
    expect((await put(admin.id, { role_ids: [] }, admin.token)).status).toBe(409)
    expect((await put(admin.id, { full_name: 'The last one' }, admin.token)).status).toBe(200)
  })

  it('cannot be removed by two admins who remove each other concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const tenant = await createTenant(api)
      const { admin: adminRole } = await systemRoles(api, tenant)
      const second = await createAccount(api, tenant, { role_ids: [adminRole] })
      const token = (await login(api, second.email)).body.access_token
      expect((await put(tenant.superuser.id, { role_ids: [] }, tenant.superuser.token)).status).toBe(200)
      const responses = await Promise.all([
        round % 2 === 0
          ? remove(second.id, tenant.admin.token)
          : put(second.id, { is_active: false }, tenant.admin.token),
        put(tenant.admin.id, { role_ids: [] }, token),
      ])
      const done = responses.filter(({ status }) => status < 300)
      expect(done.length, responses.map(({ text }) => text).join()).toBe(1)
      const { rows } = await api.deps.database.pool.query(
        `select count(*)::int as count from app_user u join user_role ur on (ur.tenant_id, ur.user_id) = (u.tenant_id, u.id)
         where u.tenant_id = $1 and u.is_active and ur.role_id = $2`,
        [tenant.id, adminRole],
      )
      expect(rows[0].count).toBe(1)
    }
  })
})
