import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/kernel/permissions.ts'
import {
  createAccount,
  login,
  newEmail,
  PASSWORD,
  readMailedToken,
  systemRoles,
} from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { untilLocked } from '../../support/lock-waits.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const OWN: Permission[] = ['read:user', 'manage:user', 'read:role', 'manage:role', 'read:region']

let api: TestApi
let tenant: TestTenant
let manager: { id: string; token: string; roleId: string }

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  const roleId = await createRole(OWN)
  const { id, email } = await createAccount(api, tenant, { role_ids: [roleId] })
  manager = { id, roleId, token: (await login(api, email)).body.access_token }
})
afterAll(() => api.close())

const asManager = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: manager.token, ...(body !== undefined && { body }) })
const asAdmin = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, ...(body !== undefined && { body }) })

async function createRole(permissions: Permission[]): Promise<string> {
  const body = { name: `role ${randomUUID()}`, permissions }
  const response = await api.call('POST', '/api/roles', { token: tenant.admin.token, body })
  expect(response.status).toBe(201)
  return response.body.id
}

const expectDenied = (responses: readonly ApiResponse[]) => {
  for (const { status, body } of responses)
    expect([status, body?.error_code]).toEqual([403, 'PERMISSION_DENIED'])
}

describe('a role with a permission that the caller does not hold', () => {
  it('cannot be weakened, extended, renamed or deleted by the caller', async () => {
    const id = await createRole(['read:region', 'manage:netting'])
    const before = (await asAdmin('GET', `/api/roles/${id}`)).body
    expectDenied([
      await asManager('PUT', `/api/roles/${id}`, { permissions: [] }),
      await asManager('PUT', `/api/roles/${id}`, { permissions: ['read:region'] }),
      await asManager('PUT', `/api/roles/${id}`, { permissions: [...OWN, 'manage:netting'] }),
      await asManager('PUT', `/api/roles/${id}`, { name: 'viewer 2' }),
      await asManager('PUT', `/api/roles/${id}`, {}),
      await asManager('DELETE', `/api/roles/${id}`),
    ])
    expect((await asAdmin('GET', `/api/roles/${id}`)).body).toEqual(before)
    expect((await asAdmin('DELETE', `/api/roles/${id}`)).status).toBe(204)
  })

  it('is denied before its use is disclosed, also for a system role', async () => {
    const id = await createRole(['manage:netting'])
    await createAccount(api, tenant, { role_ids: [id] })
    const { admin, viewer } = await systemRoles(api, tenant)
    expectDenied([
      await asManager('DELETE', `/api/roles/${id}`),
      await asManager('DELETE', `/api/roles/${admin}`),
      await asManager('PUT', `/api/roles/${viewer}`, { permissions: [] }),
    ])
  })

  it('cannot be reached by a change of the own role', async () => {
    expectDenied([
      await asManager('PUT', `/api/roles/${manager.roleId}`, { permissions: [...OWN, 'manage:netting'] }),
    ])
  })

  it('can be changed and deleted by a caller who holds every permission of it', async () => {
    const id = await createRole(['read:region', 'manage:role'])
    const changed = await asManager('PUT', `/api/roles/${id}`, { permissions: ['read:user'] })
    expect([changed.status, changed.body.permissions]).toEqual([200, ['read:user']])
    expect((await asManager('DELETE', `/api/roles/${id}`)).status).toBe(204)
  })

  it('is judged as it is when it is changed: a concurrent extension is seen', async () => {
    const id = await createRole(['read:region'])
    const { pool } = api.deps.database
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `update role set permissions = array['read:region', 'manage:netting'] where tenant_id = $1 and id = $2`,
        [tenant.id, id],
      )
      const removal = asManager('DELETE', `/api/roles/${id}`)
      await untilLocked(api.deps.database)
      await client.query('commit')
      expectDenied([await removal])
    } finally {
      client.release()
    }
  })
})

describe('a user with a permission that the caller does not hold', () => {
  it('cannot be changed, deactivated, deprived of roles or deleted, also while inactive', async () => {
    const strong = await createRole(['manage:netting'])
    for (const is_active of [true, false]) {
      const user = await createAccount(api, tenant, { role_ids: [strong, manager.roleId], is_active })
      const path = `/api/users/${user.id}`
      expectDenied([
        await asManager('PUT', path, { email: newEmail() }),
        await asManager('PUT', path, { full_name: 'x' }),
        await asManager('PUT', path, { is_active: !is_active }),
        await asManager('PUT', path, { role_ids: [] }),
        await asManager('PUT', path, { role_ids: [strong] }),
        await asManager('DELETE', path),
      ])
      expect((await asAdmin('GET', path)).body).toEqual(user)
    }
  })

  it('cannot be created', async () => {
    const strong = await createRole(['manage:netting'])
    expectDenied([
      await asManager('POST', '/api/users', { email: newEmail(), password: PASSWORD, role_ids: [strong] }),
      await asManager('PUT', `/api/users/${manager.id}`, { role_ids: [manager.roleId, strong] }),
    ])
  })
})

describe('an invitation with a permission that the inviter does not hold', () => {
  it('is neither created nor replaced by a weaker one', async () => {
    const strong = await createRole(['manage:netting'])
    const email = newEmail()
    expectDenied([await asManager('POST', '/api/users/invitations', { email, role_ids: [strong] })])
    expect((await asAdmin('POST', '/api/users/invitations', { email, role_ids: [strong] })).status).toBe(201)
    const token = await readMailedToken(api, email)
    expectDenied([
      await asManager('POST', '/api/users/invitations', { email: email.toUpperCase(), role_ids: [] }),
    ])
    const body = { token, full_name: 'Ayşe Yılmaz', password: PASSWORD }
    const accepted = await api.call('POST', '/api/auth/invitations/accept', { body })
    expect([accepted.status, accepted.body.role_ids]).toEqual([201, [strong]])
  })

  it('is replaced after its expiry', async () => {
    const strong = await createRole(['manage:netting'])
    const email = newEmail()
    expect((await asAdmin('POST', '/api/users/invitations', { email, role_ids: [strong] })).status).toBe(201)
    await api.deps.database.pool.query(
      'update invitation set expires_at = $3 where tenant_id = $1 and email = $2',
      [tenant.id, email, new Date(api.clock.now())],
    )
    expect((await asManager('POST', '/api/users/invitations', { email })).status).toBe(201)
  })
})
