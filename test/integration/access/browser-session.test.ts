import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, login } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ config: { trustedProxies: ['127.0.0.1/32'] } })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const cookieOf = (headers: Headers) => headers.get('set-cookie') ?? ''
const session = (method: string, path: string, options: Parameters<TestApi['call']>[2] = {}) =>
  api.call(method, `/api/auth/session${path}`, options)

async function startSession(headers: Record<string, string> = {}) {
  const { email } = await createAccount(api, tenant)
  const { body } = await login(api, email)
  const started = await session('PUT', '', { body: { refresh_token: body.refresh_token }, headers })
  expect(started.status).toBe(204)
  return { email, cookie: cookieOf(started.headers) }
}

describe('the session of a browser', () => {
  it('is a cookie that scripts cannot read and other sites cannot use, for the paths of /api/auth', async () => {
    const { cookie } = await startSession()
    expect(cookie).toMatch(/^netsaat_session=[\w.-]+; Max-Age=604800; HttpOnly; SameSite=Strict$/)
  })

  it('is sent over TLS only when it was set over TLS', async () => {
    const { cookie } = await startSession({ 'x-forwarded-proto': 'https' })
    expect(cookie).toMatch(/; Secure$/)
  })

  it('gives access tokens until it is ended', async () => {
    const { cookie, email } = await startSession()
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` }
    const { status, body } = await session('POST', '/refresh', { headers })
    expect(status).toBe(200)
    const me = await api.call('GET', '/api/auth/me', { token: body.access_token })
    expect(me.body.email).toBe(email)

    const ended = await session('DELETE', '', { headers })
    expect([ended.status, cookieOf(ended.headers)]).toEqual([
      204,
      'netsaat_session=; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
  })

  it('is absent without the cookie, which is no error', async () => {
    const { status, text } = await session('POST', '/refresh')
    expect([status, text]).toEqual([204, ''])
  })

  it('refuses tokens that are not refresh tokens', async () => {
    const { status, headers } = await session('PUT', '', { body: { refresh_token: tenant.admin.token } })
    expect([status, headers.get('set-cookie')]).toEqual([401, null])
  })

  it('deletes a cookie that is not valid any more', async () => {
    const { cookie } = await startSession()
    const headers = { cookie: `${cookie.split(';')[0]}x` }
    const { status, headers: answer } = await session('POST', '/refresh', { headers })
    expect(status).toBe(401)
    expect(cookieOf(answer)).toContain('netsaat_session=; Max-Age=0')
  })
})
