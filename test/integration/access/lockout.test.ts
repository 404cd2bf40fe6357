import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, newEmail, PASSWORD, readMailedToken } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { type HeldPasswords, makeHeldPasswords } from '../../support/held-passwords.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const FAILURES = 3
const WINDOW_S = 15 * 60
const WRONG = 'a wrong password 1'

let api: TestApi
let hashes: HeldPasswords
let tenant: TestTenant
beforeAll(async () => {
  hashes = makeHeldPasswords()
  api = await startApi({
    passwords: hashes.passwords,
    config: {
      trustedProxies: ['127.0.0.1'],
      rateLimits: { ...testConfig().rateLimits, loginFailures: FAILURES },
    },
  })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const loginFrom = (address: string, email: string, password = PASSWORD): Promise<ApiResponse> =>
  api.call('POST', '/api/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  })
async function guess(address: string, email: string, times = FAILURES): Promise<void> {
  for (let count = 0; count < times; count += 1)
    expect((await loginFrom(address, email, WRONG)).status).toBe(401)
}
const expectLockedOut = ({ status, headers, body }: ApiResponse, seconds = WINDOW_S) =>
  expect([status, body.error_code, headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    String(seconds),
  ])

describe('a client that guesses the password of an account', () => {
  it('is locked out without a hash, until the window has passed, unlike the owner elsewhere', async () => {
    const { email } = await createAccount(api, tenant)
    await guess('192.0.2.1', email)
    const before = hashes.requested()
    expectLockedOut(await loginFrom('192.0.2.1', email.toUpperCase()))
    expect(hashes.requested()).toBe(before)
    expect((await loginFrom('192.0.2.2', email)).status).toBe(200)
    api.clock.advance(WINDOW_S * 1000 - 1)
    expectLockedOut(await loginFrom('192.0.2.1', email), 1)
    api.clock.advance(1)
    expect((await loginFrom('192.0.2.1', email)).status).toBe(200)
  })

  it('is locked out of an address that is not registered alike', async () => {
    const email = newEmail()
    await guess('192.0.2.3', email)
    expectLockedOut(await loginFrom('192.0.2.3', email))
  })

  it('is locked out of all accounts except those that signed in from its address before', async () => {
    const [known, late] = [await createAccount(api, tenant), await createAccount(api, tenant)]
    expect((await loginFrom('192.0.2.4', known.email)).status).toBe(200)
    for (let count = 0; count < FAILURES * 10; count += 1) await guess('192.0.2.4', newEmail(), 1)
    expectLockedOut(await loginFrom('192.0.2.4', newEmail(), WRONG))
    expectLockedOut(await loginFrom('192.0.2.4', late.email))
    expect((await loginFrom('192.0.2.4', known.email)).status).toBe(200)
    expect((await loginFrom('192.0.2.5', late.email)).status).toBe(200)
  })

  it('from many addresses is locked out of the account, but not the owner at a known address', async () => {
    const { email } = await createAccount(api, tenant)
    expect((await loginFrom('192.0.2.6', email)).status).toBe(200)
    for (let count = 0; count < FAILURES * 10; count += 1) await guess(`198.51.100.${count}`, email, 1)
    expectLockedOut(await loginFrom('198.51.100.200', email))
    expect((await loginFrom('192.0.2.6', email)).status).toBe(200)
  })

  it('does not lock out the owner who sets a new password by a mailed link', async () => {
    const { email } = await createAccount(api, tenant)
    for (let count = 0; count < FAILURES * 10; count += 1) await guess(`198.51.100.${count}`, email, 1)
    const address = '203.0.113.7'
    expectLockedOut(await loginFrom(address, email))
    await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    const token = await readMailedToken(api, email)
    const confirmed = await api.call('POST', '/api/auth/password-reset/confirm', {
      body: { token, new_password: 'a new password 1' },
      headers: { 'x-forwarded-for': address },
    })
    expect(confirmed.status).toBe(200)
    expect((await loginFrom(address, email, 'a new password 1')).status).toBe(200)
    expectLockedOut(await loginFrom('198.51.100.200', email, 'a new password 1'), WINDOW_S - 1)
  })

  it('may sign in at the same address after a new password was set by a mailed link', async () => {
    const { email } = await createAccount(api, tenant)
    await guess('203.0.113.8', email)
    expectLockedOut(await loginFrom('203.0.113.8', email))
    await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    const token = await readMailedToken(api, email)
    await api.call('POST', '/api/auth/password-reset/confirm', {
      body: { token, new_password: 'a new password 1' },
      headers: { 'x-forwarded-for': '203.0.113.8' },
    })
    expect((await loginFrom('203.0.113.8', email, 'a new password 1')).status).toBe(200)
  })
})

describe('a user who guesses the current password', () => {
  it('is locked out of change-password until the window has passed', async () => {
    const { email } = await createAccount(api, tenant)
    const token = (await loginFrom('192.0.2.20', email)).body.access_token
    const change = (current_password: string, bearer = token) =>
      api.call('POST', '/api/auth/change-password', {
        token: bearer,
        body: { current_password, new_password: 'a better password 2' },
      })
    for (let count = 0; count < FAILURES; count += 1) expect((await change(WRONG)).status).toBe(422)
    expectLockedOut(await change(PASSWORD))
    api.clock.advance(WINDOW_S * 1000)
    const later = (await loginFrom('192.0.2.20', email)).body.access_token
    expect((await change(PASSWORD, later)).status).toBe(200)
  })
})
