import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../../src/platform/settings/config.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR_MS = 3_600_000

let api: TestApi
afterEach(() => api.close())

const OFF = {
  loginPerMinute: 0,
  loginFailures: 0,
  changePasswordPerMinute: 0,
  refreshPerMinute: 0,
  apiPerSecond: 0,
  apiBurst: 0,
  apiKeyPerSecond: 0,
  apiKeyBurst: 0,
  resetPerEmailHour: 0,
  resetPerAddressHour: 0,
  signupPerAddressHour: 0,
  signupPerEmailHour: 0,
  invitationsPerEmailDay: 0,
  invitationsPerUserHour: 0,
  invitationsPerTenantDay: 0,
  ocppPerSecond: 0,
  ocppFailures: 0,
}
const start = async (limits: Partial<typeof OFF>, config: Partial<Config> = {}) => {
  api = await startApi({ config: { ...config, rateLimits: { ...OFF, ...limits } } })
}
const login = (headers = {}) =>
  api.call('POST', '/api/auth/login', { body: { email: 'a@b.example', password: 'no such one 1' }, headers })

describe('rate limits', () => {
  it('reject the sixth login in a rolling minute, with the time to wait', async () => {
    await start({ loginPerMinute: 5 })
    for (let i = 0; i < 5; i += 1) expect((await login()).status).toBe(401)
    const refused = await login()
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ detail: expect.any(String), error_code: 'RATE_LIMITED' })
    expect(refused.headers.get('retry-after')).toBe('60')
    api.clock.advance(60_000)
    expect((await login()).status).toBe(401)
  })

  it('apply to the API per address, answer 429 before 401, and exempt /health', async () => {
    await start({ apiPerSecond: 30, apiBurst: 50 })
    const calls = await Promise.all(Array.from({ length: 60 }, () => api.call('GET', '/api/regions')))
    const count = (status: number) => calls.filter((response) => response.status === status).length
    expect([count(401), count(429)]).toEqual([50, 10])
    const refused = calls.find(({ status }) => status === 429)
    expect(refused?.body.error_code).toBe('RATE_LIMITED')
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect((await api.call('GET', '/api/no/such/endpoint')).status).toBe(429)
    expect((await api.call('GET', '/health')).status).toBe(200)
    api.clock.advance(1_000)
    expect((await api.call('GET', '/api/regions')).status).toBe(401)
  })

  it('answer 429 with the standard body in a scope with its own error shape', async () => {
    await start({ apiPerSecond: 1, apiBurst: 1 })
    await api.call('GET', '/api/regions')
    const refused = await api.call('GET', '/api/v1/admin/regulated-tariffs')
    expect(refused.body).toMatchObject({ detail: expect.any(String), error_code: 'RATE_LIMITED' })
  })

  it('use X-Forwarded-For of a trusted proxy only', async () => {
    await start({ loginPerMinute: 1 })
    expect((await login({ 'x-forwarded-for': '9.9.9.1' })).status).toBe(401)
    expect((await login({ 'x-forwarded-for': '9.9.9.2' })).status).toBe(429)
    await api.close()
    await start({ loginPerMinute: 1 }, { trustedProxies: ['127.0.0.1'] })
    expect((await login({ 'x-forwarded-for': '9.9.9.1' })).status).toBe(401)
    expect((await login({ 'x-forwarded-for': '9.9.9.2' })).status).toBe(401)
    expect((await login({ 'x-forwarded-for': '6.6.6.6, 9.9.9.2' })).status).toBe(429)
  })

  it('release the slot of a login when its client disconnects', async () => {
    await start({ loginPerMinute: 10_000 })
    await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<void>((resolve) => {
            const call = request(`${api.url}/api/auth/login`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'content-length': 100 },
            })
            call.on('error', () => resolve())
            call.flushHeaders()
            setTimeout(() => call.destroy(), 200)
          }),
      ),
    )
    // The service learns of the disconnection after a moment.
    await waitFor(async () => (await login()).status === 401)
  })

  it('allow at most three concurrent logins of one address', async () => {
    await start({ loginPerMinute: 10_000 })
    const waiting = Array.from({ length: 3 }, () => {
      const call = request(`${api.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 100 },
      })
      call.on('error', () => {})
      call.flushHeaders()
      return call
    })
    // Until the three have arrived.
    let fourth = await login()
    await waitFor(async () => {
      fourth = await login()
      return fourth.status === 429
    })
    expect(fourth.headers.get('retry-after')).toBe('1')
    for (const call of waiting) call.destroy()
  })

  it('count reset requests by e-mail, case-insensitively, and by address', async () => {
    await start({ resetPerEmailHour: 3, resetPerAddressHour: 10 })
    const reset = (email: string) => api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    for (const email of ['a@b.example', 'A@B.example', 'a@b.example'])
      expect((await reset(email)).status).toBe(202)
    const refused = await reset('a@b.EXAMPLE')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('3600')
    for (let i = 0; i < 6; i += 1) expect((await reset(`x${i}@b.example`)).status).toBe(202)
    expect((await reset('y@b.example')).status).toBe(429)
  })

  it('count signups by address and by mailbox', async () => {
    await start({ signupPerAddressHour: 5, signupPerEmailHour: 2 }, { tenantSignupEnabled: true })
    const signUp = (email: string) =>
      api.call('POST', '/api/auth/signup', {
        body: { tenant_name: 'Çatı GES', full_name: 'Ece Ak', email, password: 'a long password 1' },
      })
    const statuses = []
    for (const email of ['ece@b.example', 'ece+1@b.example', 'Ece+2@B.example', 'c@b.example', 'd@b.example'])
      statuses.push((await signUp(email)).status)
    expect(statuses).toEqual([201, 201, 429, 201, 201])
    const refused = await signUp('e@b.example')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    api.clock.advance(HOUR_MS)
    expect((await signUp('e@b.example')).status).toBe(201)
  })

  it('count invitations by mailbox in all tenants, by user and by tenant', async () => {
    await start({ invitationsPerEmailDay: 2, invitationsPerUserHour: 4, invitationsPerTenantDay: 6 })
    const [a, b] = [await createTenant(api), await createTenant(api)]
    const invite = async (token: string, email: string) =>
      api.call('POST', '/api/users/invitations', { token, body: { email } })
    expect((await invite(a.admin.token, 'victim@mail.example')).status).toBe(201)
    expect((await invite(a.admin.token, 'victim+2@mail.example')).status).toBe(201)
    const byMailbox = await invite(b.admin.token, ' VICTIM@mail.example')
    expect([byMailbox.status, byMailbox.body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(byMailbox.headers.get('retry-after')).toBe('86400')
    for (const name of ['x', 'y'])
      expect((await invite(a.admin.token, `${name}@mail.example`)).status).toBe(201)
    const byUser = await invite(a.admin.token, 'z@mail.example')
    expect([byUser.status, byUser.headers.get('retry-after')]).toEqual([429, '3600'])
    for (const name of ['p', 'q'])
      expect((await invite(a.superuser.token, `${name}@mail.example`)).status).toBe(201)
    const byTenant = await invite(a.superuser.token, 'r@mail.example')
    expect([byTenant.status, byTenant.headers.get('retry-after')]).toEqual([429, '86400'])
    expect((await invite(b.admin.token, 'r@mail.example')).status).toBe(201)
  })

  it('count changes of a password by user', async () => {
    await start({ changePasswordPerMinute: 2 })
    const { admin, viewer } = await createTenant(api)
    const change = (token: string) =>
      api.call('POST', '/api/auth/change-password', {
        token,
        body: { current_password: 'no such one 1', new_password: 'a better password 2' },
      })
    for (let i = 0; i < 2; i += 1) expect((await change(viewer.token)).status).toBe(422)
    const refused = await change(viewer.token)
    expect([refused.status, refused.body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await change(admin.token)).status).toBe(422)
    api.clock.advance(60_000)
    expect((await change(viewer.token)).status).toBe(422)
  })

  it('are disabled by 0', async () => {
    await start({})
    const { viewer } = await createTenant(api)
    const calls = await Promise.all(
      Array.from({ length: 80 }, () => api.call('GET', '/api/regions', { token: viewer.token })),
    )
    expect(calls.every(({ status }) => status === 200)).toBe(true)
  })
})
