import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM_ROLES } from '../../../src/kernel/permissions.ts'
import { createAccount, failurePaths, login, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ours: TestTenant
let theirs: TestTenant

beforeAll(async () => {
  api = await startApi()
  ours = await createTenant(api)
  theirs = await createTenant(api)
})
afterAll(() => api.close())

const create = (body: unknown, token = ours.admin.token) => api.call('POST', '/api/roles', { token, body })
const get = (path: string, token = ours.admin.token) => api.call('GET', `/api/roles${path}`, { token })
const put = (id: string, body: unknown, token = ours.admin.token) =>
  api.call('PUT', `/api/roles/${id}`, { token, body })
const remove = (id: string, token = ours.admin.token) => api.call('DELETE', `/api/roles/${id}`, { token })

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
    expect((await get(`/${id}`, ours.viewer.token)).body).toEqual(created.body)
    const changed = await put(id, { permissions: ['read:netting'], is_system: true })
    expect(changed.body).toEqual({ ...created.body, permissions: ['read:netting'] })
    expect((await put(id, { name: 'Reader' })).body).toEqual({ ...changed.body, name: 'Reader' })
    expect((await put(id, {})).body.name).toBe('Reader')
    expect((await remove(id)).status).toBe(204)
    expect((await get(`/${id}`)).status).toBe(404)
  })

  it('are three in every tenant, with the permissions of the interface', async () => {
    const { body } = await get('?sort_by=name&sort_order=asc', theirs.viewer.token)
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
    const roles = await systemRoles(api, ours)
    for (const id of Object.values(roles)) {
      for (const answer of [
        await put(id, { permissions: [] }),
        await put(id, { name: 'x' }),
        await remove(id),
      ]) {
        expect([answer.status, answer.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
      }
    }
  })

  it('have names that are unique in the tenant', async () => {
    const { body } = await create({ name: 'Twin', permissions: [] })
    for (const answer of [
      await create({ name: 'Twin', permissions: [] }),
      await create({ name: 'admin', permissions: [] }),
      await put(body.id, { name: 'viewer' }),
    ])
      expect([answer.status, answer.body.error_code]).toEqual([409, 'DUPLICATE_ENTRY'])
    expect((await create({ name: 'Twin', permissions: [] }, theirs.admin.token)).status).toBe(201)
  })

  it('that users have cannot be deleted', async () => {
    const { body } = await create({ name: 'In use', permissions: ['read:region'] })
    const user = await createAccount(api, ours, { role_ids: [body.id] })
    const refused = await remove(body.id)
    expect(refused.status).toBe(409)
    expect(refused.body).toEqual({ detail: 'users still have this role', error_code: 'STATE_CONFLICT' })
    await api.call('DELETE', `/api/users/${user.id}`, { token: ours.admin.token })
    expect((await remove(body.id)).status).toBe(204)
  })

  it('know only the permissions there are', async () => {
    const answer = await create({ name: '', permissions: ['read:region', 'read:everything', 'manage:*', 5] })
    expect(answer.status).toBe(422)
    expect([...new Set(failurePaths(answer))]).toEqual([
      'body.name',
      'body.permissions.1',
      'body.permissions.2',
      'body.permissions.3',
    ])
    expect(failurePaths(await create({}))).toEqual(['body.name', 'body.permissions'])
  })

  it('give nobody a permission that the giver lacks, not even by changing a role they have', async () => {
    const own = await create({
      name: 'Role keeper',
      permissions: ['read:role', 'manage:role', 'read:region'],
    })
    const { email } = await createAccount(api, ours, { role_ids: [own.body.id] })
    const token = (await login(api, email)).body.access_token
    const strong = await create({ name: 'Strong', permissions: ['manage:netting'] })
    const refused = [
      await create({ name: 'Stronger', permissions: ['read:region', 'manage:netting'] }, token),
      await put(own.body.id, { permissions: ['manage:role', 'manage:user'] }, token),
    ]
    for (const { status, body } of refused)
      expect([status, body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await create({ name: 'Weaker', permissions: ['read:region'] }, token)).status).toBe(201)
    const kept = await put(
      strong.body.id,
      { name: 'Still strong', permissions: ['manage:netting', 'read:region'] },
      token,
    )
    expect(kept.status).toBe(200)
  })

  it('need the permissions read:role and manage:role', async () => {
    expect((await get('', ours.operator.token)).status).toBe(200)
    expect((await create('{nonsense', ours.operator.token)).status).toBe(403)
    expect((await put(randomUUID(), {}, ours.viewer.token)).status).toBe(403)
    expect((await remove(randomUUID(), ours.viewer.token)).status).toBe(403)
    expect((await api.call('GET', '/api/roles')).status).toBe(401)
  })

  it('of another tenant look like unknown ones, byte for byte', async () => {
    const { body } = await create({ name: 'Secret', permissions: [] }, theirs.admin.token)
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
