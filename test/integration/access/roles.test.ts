import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM_ROLES } from '../../../src/kernel/permissions.ts'
import { createAccount, failurePaths, login, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const create = (body: unknown, token = tenantA.admin.token) => api.call('POST', '/api/roles', { token, body })
const get = (path: string, token = tenantA.admin.token) => api.call('GET', `/api/roles${path}`, { token })
const put = (id: string, body: unknown, token = tenantA.admin.token) =>
  api.call('PUT', `/api/roles/${id}`, { token, body })
const remove = (id: string, token = tenantA.admin.token) => api.call('DELETE', `/api/roles/${id}`, { token })

describe('roles', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await create({
      name: 'Meter reader',
      permissions: ['read:measurement', 'read:device', 'read:measurement'],
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Meter reader',
      permissions: ['read:device', 'read:measurement'],
      is_system: false,
      created_at: expect.stringMatching(/Z$/),
    })
    const { id } = created.body
    expect((await get(`/${id}`, tenantA.viewer.token)).body).toEqual(created.body)
    const changed = await put(id, { permissions: ['read:netting'], is_system: true })
    expect(changed.body).toEqual({ ...created.body, permissions: ['read:netting'] })
    expect((await put(id, { name: 'Reader' })).body).toEqual({ ...changed.body, name: 'Reader' })
    expect((await put(id, {})).body.name).toBe('Reader')
    expect((await remove(id)).status).toBe(204)
    expect((await get(`/${id}`)).status).toBe(404)
  })

  it('exist as three system roles in every tenant, with the specified permissions', async () => {
    const { body } = await get('?sort_by=name&sort_order=asc', tenantB.viewer.token)
    expect(body.total).toBe(3)
    const byName = Object.fromEntries(
      body.items.map(({ name, permissions }: { name: string; permissions: string[] }) => [name, permissions]),
    )
    expect(byName).toEqual(SYSTEM_ROLES)
    for (const name of ['admin', 'operator', 'viewer']) expect(byName[name]).toContain('read:netting')
    expect(byName['operator']).not.toContain('manage:netting')
    expect(byName['operator']).toContain('import:settlement_reports')
  })

  it('of the system cannot be changed or deleted', async () => {
    const roles = await systemRoles(api, tenantA)
    for (const id of Object.values(roles)) {
      for (const response of [
        await put(id, { permissions: [] }),
        await put(id, { name: 'x' }),
        await remove(id),
      ]) {
        expect([response.status, response.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
      }
    }
  })

  it('have names that are unique in the tenant', async () => {
    const { body } = await create({ name: 'Twin', permissions: [] })
    for (const response of [
      await create({ name: 'Twin', permissions: [] }),
      await create({ name: 'admin', permissions: [] }),
      await put(body.id, { name: 'viewer' }),
    ])
      expect([response.status, response.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    expect((await create({ name: 'Twin', permissions: [] }, tenantB.admin.token)).status).toBe(201)
  })

  it('cannot be deleted while users have them', async () => {
    const { body } = await create({ name: 'In use', permissions: ['read:region'] })
    const user = await createAccount(api, tenantA, { role_ids: [body.id] })
    const refused = await remove(body.id)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ detail: 'users still have this role', error_code: 'STATE_CONFLICT' })
    await api.call('DELETE', `/api/users/${user.id}`, { token: tenantA.admin.token })
    expect((await remove(body.id)).status).toBe(204)
  })

  it('accept only existing permissions', async () => {
    const response = await create({
      name: '',
      permissions: ['read:region', 'read:everything', 'manage:*', 5],
    })
    expect(response.status).toBe(422)
    expect([...new Set(failurePaths(response))]).toEqual([
      'body.name',
      'body.permissions.1',
      'body.permissions.2',
      'body.permissions.3',
    ])
    expect(failurePaths(await create({}))).toEqual(['body.name', 'body.permissions'])
  })

  it('grant no permission that the caller lacks, not even by a change of their own role', async () => {
    const own = await create({
      name: 'Role keeper',
      permissions: ['read:role', 'manage:role', 'read:region'],
    })
    const { email } = await createAccount(api, tenantA, { role_ids: [own.body.id] })
    const token = (await login(api, email)).body.access_token
    const refused = [
      await create({ name: 'Stronger', permissions: ['read:region', 'manage:netting'] }, token),
      await put(own.body.id, { permissions: ['manage:role', 'manage:user'] }, token),
    ]
    for (const { status, body } of refused)
      expect([status, body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await create({ name: 'Weaker', permissions: ['read:region'] }, token)).status).toBe(201)
  })

  it('need the permissions read:role and manage:role', async () => {
    expect((await get('', tenantA.operator.token)).status).toBe(200)
    expect((await create('{nonsense', tenantA.operator.token)).status).toBe(403)
    expect((await put(randomUUID(), {}, tenantA.viewer.token)).status).toBe(403)
    expect((await remove(randomUUID(), tenantA.viewer.token)).status).toBe(403)
    expect((await api.call('GET', '/api/roles')).status).toBe(401)
  })

  it('of another tenant get the same response as unknown ones, byte for byte', async () => {
    const { body } = await create({ name: 'Secret', permissions: [] }, tenantB.admin.token)
    for (const call of [(id: string) => get(`/${id}`), (id: string) => put(id, { name: 'x' }), remove]) {
      const [foreign, unknown] = [await call(body.id), await call(randomUUID())]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(unknown.text)
    }
  })

  it('are found by name and paged', async () => {
    await create({ name: 'Per%cent', permissions: [] })
    expect((await get('?name=Per%25cent')).body.total).toBe(1)
    expect((await get('?name=Per%25')).body.total).toBe(0)
    expect((await get('?limit=1&skip=1')).body).toMatchObject({ skip: 1, limit: 1 })
    expect(failurePaths(await get('?sort_by=permissions'))).toEqual(['query.sort_by'])
  })
})
