import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/kernel/time.ts'
import { createAccount, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { joinLive, openLive } from '../../support/metering/live.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let otherTenant: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  otherTenant = await createTenant(api)
})
afterAll(() => api.close())

const PERSONAL = '/api/api-keys'
const MACHINE = '/api/machine-keys'
const READER = { name: 'Reader', permissions: ['read:device'], expires_in_days: 30 }

async function createKey(token: string, body: object = {}, path = PERSONAL) {
  const response = await api.call('POST', path, { token, body: { ...READER, ...body } })
  expect(response.status, response.text).toBe(201)
  return response.body as { id: string; key: string; prefix: string }
}
const call = (token: string, path = '/api/devices', method = 'GET', body?: object) =>
  api.call(method, path, { token, ...(body && { body }) })
const outcome = async (response: ReturnType<typeof call>) => {
  const { status, body } = await response
  return [status, body?.error_code]
}

/** A user with one role of its own. */
async function createMember(permissions: readonly string[]) {
  const role = await api.call('POST', '/api/roles', {
    token: tenant.admin.token,
    body: { name: `role ${Math.random()}`, permissions },
  })
  const user = await createAccount(api, tenant, { role_ids: [role.body.id] })
  const login = await api.call('POST', '/api/auth/login', {
    body: { email: user.email, password: 'ĞüzelŞifre12' },
  })
  return { id: user.id, roleId: role.body.id as string, token: login.body.access_token as string }
}

describe('a personal API key', () => {
  it('is shown once, listed by its prefix and stored as a hash', async () => {
    const { key, ...created } = await createKey(tenant.viewer.token)
    expect(key).toMatch(/^nst_[0-9a-z]+_[0-9A-Za-z]{49}$/)
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Reader',
      prefix: key.slice(0, -41),
      user_id: tenant.viewer.id,
      owner_is_active: true,
      permissions: ['read:device'],
      expires_at: new Date(api.clock.now() + 30 * DAY_MS).toISOString(),
      last_used_at: null,
      created_at: new Date(api.clock.now()).toISOString(),
    })
    const list = await call(tenant.viewer.token, PERSONAL)
    expect(list.body.items).toEqual([created])
    expect((await call(tenant.admin.token, PERSONAL)).body.total).toBe(0)
    const { rows } = await api.deps.database.pool.query('select * from api_key where tenant_id = $1', [
      tenant.id,
    ])
    expect(JSON.stringify(rows)).not.toContain(key.slice(-41))
  })

  it('allows exactly its permissions, for its owner, on every kind of operation', async () => {
    const { key } = await createKey(tenant.admin.token, { permissions: ['read:device', 'manage:region'] })
    expect((await call(key)).status).toBe(200)
    expect((await call(key, '/api/regions', 'POST', { name: 'By key' })).status).toBe(201)
    expect(await outcome(call(key, '/api/regions'))).toEqual([403, 'PERMISSION_DENIED'])
    const profile = await call(key, '/api/auth/me')
    expect(profile.body).toMatchObject({ id: tenant.admin.id, permissions: ['manage:region', 'read:device'] })
  })

  it('cannot be granted a permission that its creator lacks', async () => {
    const body = { ...READER, permissions: ['manage:device'] }
    expect(await outcome(call(tenant.viewer.token, PERSONAL, 'POST', body))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  })

  it('has to expire within 400 days and is refused afterwards', async () => {
    for (const days of [0, 401, undefined])
      expect(
        (await call(tenant.viewer.token, PERSONAL, 'POST', { ...READER, expires_in_days: days })).status,
      ).toBe(422)
    const { key } = await createKey(tenant.viewer.token, { expires_in_days: 1 })
    expect((await call(key)).status).toBe(200)
    api.clock.advance(DAY_MS)
    expect(await outcome(call(key))).toEqual([401, 'TOKEN_EXPIRED'])
    api.clock.advance(-DAY_MS)
  })

  it('is refused after its revocation, by another process too', async () => {
    const second = await startSecondProcess(api)
    const { id, key } = await createKey(tenant.viewer.token)
    const elsewhere = () =>
      fetch(`${second.url}/api/devices`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ status }) => status,
      )
    expect(await elsewhere()).toBe(200)
    expect(await outcome(call(tenant.operator.token, `${PERSONAL}/${id}`, 'DELETE'))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ])
    expect((await call(tenant.viewer.token, `${PERSONAL}/${id}`, 'DELETE')).status).toBe(204)
    expect(await outcome(call(key))).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(await elsewhere()).toBe(401)
    await second.close()
  })

  it('loses a permission with its owner, and everything when the owner is deactivated', async () => {
    const member = await createMember(['read:device', 'read:region'])
    const { key } = await createKey(member.token, { permissions: ['read:device', 'read:region'] })
    expect((await call(key, '/api/regions')).status).toBe(200)
    const role = { token: tenant.admin.token, body: { permissions: ['read:device'] } }
    await api.call('PUT', `/api/roles/${member.roleId}`, role)
    expect(await outcome(call(key, '/api/regions'))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await call(key)).status).toBe(200)
    await call(tenant.admin.token, `/api/users/${member.id}`, 'PUT', { role_ids: [] })
    await call(tenant.admin.token, `/api/roles/${member.roleId}`, 'DELETE')
    expect(await outcome(call(key))).toEqual([403, 'PERMISSION_DENIED'])
    await call(tenant.admin.token, `/api/users/${member.id}`, 'PUT', { is_active: false })
    expect(await outcome(call(key))).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  it('is refused for operations on the account and for superusers only', async () => {
    const { key } = await createKey(tenant.superuser.token, { permissions: ['manage:user', 'read:user'] })
    expect((await call(key, '/api/users')).status).toBe(200)
    const password = { current_password: 'x', new_password: 'a password of 12' }
    for (const refused of [
      call(key, PERSONAL),
      call(key, PERSONAL, 'POST', READER),
      call(key, MACHINE, 'POST', READER),
      call(key, '/api/auth/change-password', 'POST', password),
      call(key, '/api/auth/email-verification/request', 'POST'),
      call(key, '/api/v1/admin/tenants'),
    ])
      expect(await outcome(refused)).toEqual([403, 'API_KEY_NOT_ALLOWED'])
  })

  it('is refused when it is mistyped or unknown', async () => {
    const { key } = await createKey(tenant.viewer.token)
    for (const wrong of [`${key}x`, key.slice(0, -1), 'nst_', `nst_${'0'.repeat(49)}`])
      expect(await outcome(call(wrong))).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  it('notes its last use at most once a minute', async () => {
    const { id, key } = await createKey(tenant.operator.token)
    const lastUse = async () => {
      await api.deps.background.drain()
      const { body } = await call(tenant.operator.token, PERSONAL)
      return body.items.find((one: { id: string }) => one.id === id).last_used_at
    }
    const first = new Date(api.clock.now()).toISOString()
    await Promise.all([call(key), call(key)])
    expect(await lastUse()).toBe(first)
    api.clock.advance(59_000)
    await call(key)
    expect(await lastUse()).toBe(first)
    api.clock.advance(1_000)
    await call(key)
    expect(await lastUse()).toBe(new Date(api.clock.now()).toISOString())
  })

  it('counts towards a limit of 20 for each user', async () => {
    const member = await createMember(['read:device'])
    const all = await Promise.all(
      Array.from({ length: 22 }, () => outcome(call(member.token, PERSONAL, 'POST', READER))),
    )
    expect(all.filter(([status]) => status === 201)).toHaveLength(20)
    expect(all.filter(([, code]) => code === 'API_KEY_LIMIT_REACHED')).toHaveLength(2)
  })
})

describe('a machine key', () => {
  it('is managed by every administrator of its tenant and by nobody else', async () => {
    const { id, key } = await createKey(tenant.admin.token, {}, MACHINE)
    expect((await call(key)).status).toBe(200)
    expect((await call(tenant.superuser.token, MACHINE)).body.items[0]).toMatchObject({
      id,
      user_id: tenant.admin.id,
    })
    expect((await call(tenant.admin.token, PERSONAL)).text).not.toContain(id)
    expect(await outcome(call(tenant.operator.token, MACHINE, 'POST', READER))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
    for (const other of [otherTenant.admin.token, tenant.admin.token]) {
      const path = other === tenant.admin.token ? `${PERSONAL}/${id}` : `${MACHINE}/${id}`
      expect(await outcome(call(other, path, 'DELETE'))).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
    expect((await call(tenant.superuser.token, `${MACHINE}/${id}`, 'DELETE')).status).toBe(204)
    expect(await outcome(call(key))).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  it('survives its owner when another administrator takes it over', async () => {
    const { admin } = await systemRoles(api, tenant)
    const member = await createAccount(api, tenant, { role_ids: [admin] })
    const login = await api.call('POST', '/api/auth/login', {
      body: { email: member.email, password: 'ĞüzelŞifre12' },
    })
    const { id, key } = await createKey(login.body.access_token, {}, MACHINE)
    await call(tenant.admin.token, `/api/users/${member.id}`, 'PUT', { is_active: false })
    expect(await outcome(call(key))).toEqual([401, 'INVALID_CREDENTIALS'])
    const taken = await call(tenant.admin.token, `${MACHINE}/${id}/take-over`, 'POST')
    expect(taken.body).toMatchObject({ id, user_id: tenant.admin.id, owner_is_active: true })
    expect((await call(key)).status).toBe(200)
  })

  it('can be neither taken over nor revoked by a weaker user', async () => {
    const { id } = await createKey(tenant.admin.token, { permissions: ['manage:netting'] }, MACHINE)
    const weaker = await createMember(['read:user', 'manage:user'])
    for (const refused of [
      call(weaker.token, `${MACHINE}/${id}/take-over`, 'POST'),
      call(weaker.token, `${MACHINE}/${id}`, 'DELETE'),
    ])
      expect(await outcome(refused)).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('a live socket with an API key', () => {
  it('receives values, needs read:measurement, and is closed within seconds of the revocation', async () => {
    const meter = await createDevice(api, tenant)
    const { id, key } = await createKey(tenant.viewer.token, { permissions: ['read:measurement'] })
    const { key: blind } = await createKey(tenant.viewer.token)
    expect(await openLive(api.url, { token: blind, devices: [meter] }).closed()).toEqual({
      code: 4003,
      reason: 'Permission denied',
    })
    const client = await joinLive(api.url, { token: key, devices: [meter] })
    await call(tenant.viewer.token, `${PERSONAL}/${id}`, 'DELETE')
    api.clock.advance(5_000)
    expect(await client.closed()).toEqual({ code: 4001, reason: 'Invalid token' })
  })
})

describe('calls with one API key', () => {
  it('are limited together, whatever their address', async () => {
    const limited = await startSecondProcess(api, {
      rateLimits: { ...api.deps.config.rateLimits, apiKeyPerSecond: 1, apiKeyBurst: 2 },
    })
    const { key } = await createKey(tenant.viewer.token)
    const status = async (token: string) => {
      const response = await fetch(`${limited.url}/api/devices`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return response.status
    }
    expect([await status(key), await status(key), await status(key)]).toEqual([200, 200, 429])
    expect(await status(tenant.viewer.token)).toBe(200)
    await limited.close()
  })
})
