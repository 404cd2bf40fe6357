import { describe, expect, it } from 'vitest'
import { call, create, uniqueName } from './client.ts'

describe('users and roles', () => {
  it('return the signed-in user', async () => {
    const me = await call('operator', 'GET', '/api/auth/me')
    expect(me.status).toBe(200)
    expect(me.body.email).toMatch(/^operator-/)
    expect(me.body.permissions).toContain('write:measurement')
  })

  it('reject a request without a token, and one without the permission', async () => {
    expect((await call(undefined, 'GET', '/api/devices')).status).toBe(401)
    expect((await call('viewer', 'POST', '/api/regions', { name: uniqueName('region') })).status).toBe(403)
    expect((await call('admin', 'GET', '/api/v1/admin/tenants')).status).toBe(403)
  })

  it('let the admin define a role and assign it to a user', async () => {
    const role = await create('admin', '/api/roles', {
      name: uniqueName('role'),
      permissions: ['manage:alarm'],
    })
    const email = `${uniqueName('user').replace(' ', '-')}@acceptance.test`
    const user = await create('admin', '/api/users', {
      email,
      password: 'Acceptance-Pass-1',
      role_ids: [role.id],
    })
    expect(user.email).toBe(email)
    const removed = await call('admin', 'DELETE', `/api/users/${user.id}`)
    expect(removed.status).toBe(204)
    expect((await call('admin', 'GET', `/api/users/${user.id}`)).status).toBe(404)
  })

  it('reject a password that violates the policy', async () => {
    const body = { email: 'short@acceptance.test', password: 'short', role_ids: [] }
    const { status, body: error } = await call('admin', 'POST', '/api/users', body)
    expect([status, error.detail[0].loc]).toEqual([422, ['body', 'password']])
  })
})
