import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetPasswordByEmail } from '../../../src/areas/access/auth/index.ts'
import {
  createAccount,
  failurePaths,
  login,
  newEmail,
  PASSWORD,
  readMailedToken,
  refresh,
} from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NEW_PASSWORD = 'yeniŞifrem 2026'

let api: TestApi
let tenantA: TestTenant

beforeAll(async () => {
  api = await startApi({ config: { publicBaseUrl: 'https://netsaat.example.test/' } })
})
// One tenant per test, because tests advance the clock beyond the lifetime of tokens.
beforeEach(async () => {
  tenantA = await createTenant(api)
})
afterAll(() => api.close())

const request = (email: unknown) => api.call('POST', '/api/auth/password-reset/request', { body: { email } })
const confirm = (token: unknown, new_password = NEW_PASSWORD) =>
  api.call('POST', '/api/auth/password-reset/confirm', { body: { token, new_password } })
async function requestedToken(email: string): Promise<string> {
  await request(email)
  return (await readMailedToken(api, email)) ?? ''
}

describe('password reset request', () => {
  it('returns 202 and the same text for every address', async () => {
    const user = await createAccount(api, tenantA)
    const inactive = await createAccount(api, tenantA, { is_active: false })
    const before = api.mails.length
    const responses = []
    for (const email of [user.email, newEmail(), inactive.email, 'no address', '%'])
      responses.push(await request(email))
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    await api.deps.background.drain()
    expect(api.mails.slice(before).map(({ to }) => to)).toEqual([user.email])
  })

  it('takes no time that depends on the address', async () => {
    const user = await createAccount(api, tenantA)
    let deliver = () => {}
    const send = vi
      .spyOn(api.deps.mail, 'send')
      .mockImplementation(() => new Promise<void>((resolve) => (deliver = resolve)))
    const reads = vi.spyOn(api.deps.background, 'run')
    expect((await request(user.email)).status).toBe(202)
    expect((await request(newEmail())).status).toBe(202)
    expect(reads).toHaveBeenCalledTimes(2)
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1))
    deliver()
    await api.deps.background.drain()
    send.mockRestore()
    reads.mockRestore()
  })

  it('mails the link and the token, in Turkish and English', async () => {
    const user = await createAccount(api, tenantA)
    await request(user.email.toUpperCase())
    const token = await readMailedToken(api, user.email)
    expect(token).toMatch(/^[0-9a-z]+\.[\w-]{43}$/)
    const { text } = api.mails.at(-1) ?? { text: '' }
    expect(text).toContain(`https://netsaat.example.test/password-reset?token=${token}\n`)
    expect(text).toContain('60 dakika')
    expect(text).toContain('60 minutes')
  })

  it('stores no token in plain text', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    const rows = await api.deps.database.kysely.selectFrom('password_reset').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true)
  })

  it('leaves one valid link after concurrent requests', async () => {
    const user = await createAccount(api, tenantA)
    const before = api.mails.length
    await Promise.all(Array.from({ length: 6 }, () => request(user.email)))
    await api.deps.background.drain()
    const tokens = api.mails.slice(before).map(({ text }) => /Token: (\S+)/.exec(text)?.[1])
    expect(new Set(tokens).size).toBe(6)
    const responses = await Promise.all(tokens.map((token) => confirm(token)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('requires an address', async () => {
    expect(failurePaths(await request(undefined))).toEqual(['body.email'])
    expect(failurePaths(await request(7))).toEqual(['body.email'])
  })
})

describe('password reset confirmation', () => {
  it('sets the password', async () => {
    const user = await createAccount(api, tenantA)
    const response = await confirm(await requestedToken(user.email))
    expect(response.status).toBe(200)
    expect((await login(api, user.email)).status).toBe(401)
    expect((await login(api, user.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('returns one error for every invalid link', async () => {
    const user = await createAccount(api, tenantA)
    const revoked = await requestedToken(user.email)
    const used = await requestedToken(user.email)
    const mistyped = `${used.slice(0, -1)}${used.endsWith('A') ? 'B' : 'A'}`
    const wrong = [await confirm(revoked), await confirm(mistyped), await confirm('x'), await confirm(' ')]
    expect((await confirm(used)).status).toBe(200)
    wrong.push(await confirm(used))
    const expired = await requestedToken(user.email)
    api.clock.advance(60 * 60_000)
    wrong.push(await confirm(expired))
    for (const response of wrong) {
      expect(response.status).toBe(400)
      expect(response.text).toBe(wrong[0]?.text)
    }
    expect(wrong[0]?.body).toMatchObject({
      detail: 'the link is not valid, has expired or was used already',
      error_code: 'INVALID_RESET_TOKEN',
    })
  })

  it('works until the last millisecond of the hour', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    api.clock.advance(60 * 60_000 - 1)
    expect((await confirm(token)).status).toBe(200)
  })

  it('does not consume the link when the password violates the policy', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    for (const weak of [
      'short 1',
      'no digit in it',
      '123456789012',
      `a1${'ğ'.repeat(127)}`,
      'a1😀😀😀😀😀😀😀😀😀',
    ]) {
      const response = await confirm(token, weak)
      expect(response.status, weak).toBe(422)
      expect(new Set(failurePaths(response)), weak).toEqual(new Set(['body.new_password']))
    }
    expect((await confirm(token, `a1${'ğ'.repeat(126)}`)).status).toBe(200)
    expect((await login(api, user.email, `a1${'ğ'.repeat(126)}`)).status).toBe(200)
  })

  it('succeeds once for two concurrent confirmations', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    const passwords = Array.from({ length: 8 }, (_, index) => `parallel password ${index}`)
    const responses = await Promise.all(passwords.map((password) => confirm(token, password)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    const winner = responses.findIndex(({ status }) => status === 200)
    expect((await login(api, user.email, passwords[winner])).status).toBe(200)
  })

  it('does nothing for a user who was deactivated, or whose address changed, after the request', async () => {
    const admin = { token: tenantA.admin.token }
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    await api.call('PUT', `/api/users/${user.id}`, { ...admin, body: { is_active: false } })
    expect((await confirm(token)).status).toBe(400)
    await api.call('PUT', `/api/users/${user.id}`, { ...admin, body: { is_active: true } })
    const second = await requestedToken(user.email)
    await api.call('PUT', `/api/users/${user.id}`, { ...admin, body: { email: newEmail() } })
    expect((await confirm(second)).status).toBe(400)
  })

  it('is revoked when the owner changes the password', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    const { access_token } = (await login(api, user.email)).body
    await api.call('POST', '/api/auth/change-password', {
      token: access_token,
      body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    })
    expect((await confirm(token)).status).toBe(400)
  })
})

describe('tokens after a reset', () => {
  const me = (token: string) => api.call('GET', '/api/auth/me', { token })

  for (const offset of [0, 1, 500, 999]) {
    it(`are rejected when older and accepted when newer, ${offset} ms into a second`, async () => {
      api.clock.set(Math.ceil(api.clock.now() / 1000) * 1000 + offset)
      const user = await createAccount(api, tenantA)
      const token = await requestedToken(user.email)
      const before = (await login(api, user.email)).body
      const confirmedAt = api.clock.now()
      expect((await confirm(token)).status).toBe(200)
      expect(api.clock.now()).toBe((Math.floor(confirmedAt / 1000) + 1) * 1000)
      const after = (await login(api, user.email, NEW_PASSWORD)).body
      expect((await me(before.access_token)).status).toBe(200)
      const old = await refresh(api, before.refresh_token)
      expect([old.status, old.body.error_code]).toEqual([401, 'INVALID_CREDENTIALS'])
      expect((await refresh(api, after.refresh_token)).status).toBe(200)
    })
  }

  it('end the tokens of a login that had read the old password', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    const verify = api.deps.passwords.verify.bind(api.deps.passwords)
    const slow = vi.spyOn(api.deps.passwords, 'verify').mockImplementationOnce(async (password, encoded) => {
      expect((await confirm(token)).status).toBe(200)
      return verify(password, encoded)
    })
    const { status, body } = await login(api, user.email)
    slow.mockRestore()
    expect(status).toBe(200)
    expect((await refresh(api, body.refresh_token)).status).toBe(401)
  })

  it('are compared with the commit time when the commit ends in a later second', async () => {
    const user = await createAccount(api, tenantA)
    const token = await requestedToken(user.email)
    const { kysely } = api.deps.database
    const transaction = kysely.transaction.bind(kysely)
    let during = ''
    const slow = vi.spyOn(kysely, 'transaction').mockImplementationOnce(
      () =>
        ({
          async execute(work: never) {
            api.clock.advance(2500)
            during = (await login(api, user.email)).body.refresh_token
            return transaction().execute(work)
          },
        }) as never,
    )
    expect((await confirm(token)).status).toBe(200)
    slow.mockRestore()
    expect((await refresh(api, during)).status).toBe(401)
    const after = (await login(api, user.email, NEW_PASSWORD)).body
    expect((await refresh(api, after.refresh_token)).status).toBe(200)
  })

  it('end also by a reset at the command line', async () => {
    const user = await createAccount(api, tenantA)
    const link = await requestedToken(user.email)
    const before = (await login(api, user.email)).body
    const reset = { email: user.email.toUpperCase(), password: 'from the operator 1' }
    expect(await resetPasswordByEmail(api.deps, reset)).toBe(true)
    expect((await refresh(api, before.refresh_token)).status).toBe(401)
    expect((await login(api, user.email, reset.password)).status).toBe(200)
    expect((await confirm(link)).status).toBe(400)
    expect(await resetPasswordByEmail(api.deps, { ...reset, email: newEmail() })).toBe(false)
  })
})
