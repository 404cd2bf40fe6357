import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createAccount, failurePaths, login, newEmail, PASSWORD, refresh } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let api: TestApi
let tenantA: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenantA = await createTenant(api)
})
afterAll(() => api.close())

const me = (token: string) => api.call('GET', '/api/auth/me', { token })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('login', () => {
  it('returns tokens with the specified claims', async () => {
    const user = await createAccount(api, tenantA)
    const { status, body } = await login(api, user.email)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'refresh_token', 'token_type'])
    expect(body.token_type).toBe('bearer')
    const nowS = api.clock.now() / 1000
    const claims = { sub: user.id, tenant_id: tenantA.uid }
    expect(claimsOf(body.access_token)).toEqual({ ...claims, type: 'access', exp: nowS + 1800 })
    expect(claimsOf(body.refresh_token)).toEqual({ ...claims, type: 'refresh', exp: nowS + 604_800 })
  })

  it('accepts the address in any case and with white space around it', async () => {
    const user = await createAccount(api, tenantA, { email: `  Ilker.${randomUUID()}@Example.TEST ` })
    expect(user.email).toBe(user.email.trim().toLowerCase())
    expect((await login(api, ` ${user.email.toUpperCase()}\t`)).status).toBe(200)
  })

  it('verifies the password unchanged, neither trimmed nor case-folded', async () => {
    const { email } = await createAccount(api, tenantA, { password: ' leading space 1' })
    expect((await login(api, email, ' leading space 1')).status).toBe(200)
    expect((await login(api, email, 'leading space 1')).status).toBe(401)
    expect((await login(api, email, ' Leading space 1')).status).toBe(401)
  })

  it('returns the same response, after one hash each, for every failed sign-in', async () => {
    const user = await createAccount(api, tenantA)
    const inactive = await createAccount(api, tenantA, { is_active: false })
    const hashes = vi.spyOn(api.deps.passwords, 'verify')
    const responses = [
      await login(api, user.email, 'a wrong password 1'),
      await login(api, newEmail()),
      await login(api, inactive.email),
      await login(api, tenantA.admin.email, 'no login'),
      await login(api, `%${user.email.slice(5)}`),
      await login(api, 'not an address'),
    ]
    expect(hashes).toHaveBeenCalledTimes(responses.length)
    hashes.mockRestore()
    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(response.text).toBe(responses[0]?.text)
    }
    expect(responses[0]?.body).toMatchObject({
      detail: 'the e-mail address or the password is wrong',
      error_code: 'INVALID_CREDENTIALS',
    })
  })

  it('records the time of the login', async () => {
    const user = await createAccount(api, tenantA)
    const { body } = await login(api, user.email)
    await api.deps.background.drain()
    expect((await me(body.access_token)).body.last_login_at).toBe(new Date(api.clock.now()).toISOString())
  })

  it('reports all missing fields of a body', async () => {
    const empty = await api.call('POST', '/api/auth/login', { body: {} })
    expect(empty.status).toBe(422)
    expect(failurePaths(empty)).toEqual(['body.email', 'body.password'])
    const wrong = await api.call('POST', '/api/auth/login', { body: { email: 5, password: null } })
    expect(failurePaths(wrong)).toEqual(['body.email', 'body.password'])
    expect((await api.call('POST', '/api/auth/login', { body: '{' })).status).toBe(400)
    expect((await api.call('POST', '/api/auth/login')).status).toBe(422)
  })
})

describe('tokens', () => {
  it('expire: access after 30 minutes, refresh after 7 days', async () => {
    const user = await createAccount(api, tenantA)
    const { access_token, refresh_token } = (await login(api, user.email)).body
    const start = api.clock.now()
    api.clock.set(start + 30 * MINUTE_MS - 1)
    expect((await me(access_token)).status).toBe(200)
    api.clock.set(start + 30 * MINUTE_MS)
    const expired = await me(access_token)
    expect([expired.status, expired.body.error_code]).toEqual([401, 'TOKEN_EXPIRED'])
    const renewed = await refresh(api, refresh_token)
    expect(renewed.status).toBe(200)
    expect(Object.keys(renewed.body)).toEqual(['access_token'])
    expect((await me(renewed.body.access_token)).status).toBe(200)
    api.clock.set(start + 7 * DAY_MS - 1)
    expect((await refresh(api, refresh_token)).status).toBe(200)
    api.clock.set(start + 7 * DAY_MS)
    const ended = await refresh(api, refresh_token)
    expect([ended.status, ended.body.error_code]).toEqual([401, 'TOKEN_EXPIRED'])
    api.clock.set(start)
  })

  it('are not exchangeable: neither type works as the other', async () => {
    const { email } = await createAccount(api, tenantA)
    const { access_token, refresh_token } = (await login(api, email)).body
    const responses = [await me(refresh_token), await refresh(api, access_token)]
    expect(responses.map(({ status, body }) => [status, body.error_code])).toEqual([
      [401, 'INVALID_CREDENTIALS'],
      [401, 'INVALID_CREDENTIALS'],
    ])
  })

  it('are rejected when forged', async () => {
    const { id, email } = await createAccount(api, tenantA)
    const { access_token } = (await login(api, email)).body
    const [header = '', payload = '', signature = ''] = access_token.split('.')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = claimsOf(access_token)
    const key = api.deps.config.secretKey
    const sign = (body: object, { alg = 'HS256', secret = key } = {}) => {
      const text = `${encode({ alg, typ: 'JWT' })}.${encode(body)}`
      const hash = alg === 'HS512' ? 'sha512' : 'sha256'
      return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
    }
    const forged = [
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${header}.${encode({ ...claims, sub: tenantA.admin.id })}.${signature}`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${header}.${payload}`,
      'x',
      sign(claims, { alg: 'HS512' }),
      sign(claims, { secret: 'another secret of at least 32 characters' }),
      sign({ ...claims, type: undefined }),
      sign({ ...claims, type: 'ACCESS' }),
      sign({ ...claims, exp: undefined }),
      sign({ ...claims, exp: '9999999999' }),
      sign({ ...claims, exp: claims.exp + 0.5 }),
      sign({ ...claims, sub: 'not-an-id' }),
      sign({ ...claims, sub: randomUUID() }),
      sign({ ...claims, tenant_id: 1 }),
      sign({ ...claims, tenant_id: randomUUID() }),
    ]
    for (const token of forged) {
      const response = await me(token)
      expect([response.status, response.body.error_code], token).toEqual([401, 'INVALID_CREDENTIALS'])
    }
    expect((await me(sign({ ...claims }))).body.id).toBe(id)
    const bare = await api.call('GET', '/api/auth/me', { headers: { authorization: access_token } })
    expect(bare.status).toBe(401)
    expect((await api.call('GET', '/api/auth/me')).status).toBe(401)
  })

  it('end with the user, the activity of the user and of the tenant', async () => {
    const tenant = await createTenant(api)
    const user = await createAccount(api, tenant)
    const { access_token, refresh_token } = (await login(api, user.email)).body
    const both = async () => [await me(access_token), await refresh(api, refresh_token)]
    const statuses = async () => (await both()).map(({ status }) => status)
    const setActive = (is_active: boolean) =>
      api.call('PUT', `/api/users/${user.id}`, { token: tenant.admin.token, body: { is_active } })
    const { kysely } = api.deps.database
    const setTenantActive = (is_active: boolean) =>
      kysely.updateTable('tenant').set({ is_active }).where('id', '=', tenant.id).execute()

    expect(await statuses()).toEqual([200, 200])
    await setActive(false)
    for (const { body } of await both()) expect(body.error_code).toBe('INVALID_CREDENTIALS')
    await setActive(true)
    expect(await statuses()).toEqual([200, 200])
    await setTenantActive(false)
    expect(await statuses()).toEqual([401, 401])
    expect((await login(api, user.email)).status).toBe(401)
    await setTenantActive(true)
    await api.call('DELETE', `/api/users/${user.id}`, { token: tenant.admin.token })
    expect(await statuses()).toEqual([401, 401])
  })
})

describe('profile', () => {
  it('returns the user, the permissions and the tenant', async () => {
    const { body } = await me(tenantA.viewer.token)
    expect(body).toMatchObject({
      id: tenantA.viewer.id,
      tenant_id: tenantA.uid,
      email: tenantA.viewer.email,
      is_superuser: false,
      tenant: { id: tenantA.uid },
    })
    expect(body.permissions).toContain('read:netting')
    expect(body.permissions).not.toContain('manage:netting')
    expect(body).not.toHaveProperty('password_hash')
  })

  it('reflects a change of permissions at once: they are not part of the token', async () => {
    const user = await createAccount(api, tenantA)
    const { access_token } = (await login(api, user.email)).body
    const list = () => api.call('GET', '/api/users', { token: access_token })
    expect((await list()).status).toBe(403)
    const { body } = await api.call('GET', '/api/roles?name=viewer', { token: tenantA.admin.token })
    await api.call('PUT', `/api/users/${user.id}`, {
      token: tenantA.admin.token,
      body: { role_ids: [body.items[0].id] },
    })
    expect((await list()).status).toBe(200)
  })
})

describe('change of password', () => {
  const change = (token: string | undefined, current_password: string, new_password: string) =>
    api.call('POST', '/api/auth/change-password', { token, body: { current_password, new_password } })

  it('requires the current password, and leaves tokens valid', async () => {
    const { email } = await createAccount(api, tenantA)
    const { access_token, refresh_token } = (await login(api, email)).body
    const wrong = await change(access_token, 'not the password 1', 'another password 1')
    expect(wrong.status).toBe(422)
    expect(failurePaths(wrong)).toEqual(['body.current_password'])
    expect((await change(access_token, PASSWORD, 'another password 1')).status).toBe(200)
    expect((await login(api, email)).status).toBe(401)
    expect((await login(api, email, 'another password 1')).status).toBe(200)
    api.clock.advance(5_000)
    expect((await me(access_token)).status).toBe(200)
    expect((await refresh(api, refresh_token)).status).toBe(200)
  })

  it('applies the password policy', async () => {
    const { email } = await createAccount(api, tenantA)
    const { access_token } = (await login(api, email)).body
    for (const weak of ['short 1', 'no digit in it', '123456789012', `a1${'x'.repeat(127)}`]) {
      const response = await change(access_token, PASSWORD, weak)
      expect(response.status, weak).toBe(422)
      expect(new Set(failurePaths(response)), weak).toEqual(new Set(['body.new_password']))
    }
    expect((await change(undefined, PASSWORD, 'short')).status).toBe(401)
  })

  it('succeeds once for two concurrent changes', async () => {
    const { email } = await createAccount(api, tenantA)
    const { access_token } = (await login(api, email)).body
    const responses = await Promise.all(
      ['first password 1', 'second password 2'].map((password) => change(access_token, PASSWORD, password)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})
