import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PENDING_SIGNUPS_MAX } from '../../../src/areas/admin/tenants/limits.ts'
import type { Config } from '../../../src/platform/settings/config.ts'
import { failurePaths, login, newEmail, PASSWORD, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { type SmtpServer, startSmtpServer, textOfMail } from '../../support/smtp-server.ts'
import { createTenant } from '../../support/tenants.ts'

const DAY_MS = 86_400_000

let smtp: SmtpServer
let api: TestApi
beforeAll(async () => {
  smtp = await startSmtpServer()
})
afterAll(() => smtp.close())
beforeEach(() => {
  smtp.mails.length = 0
})

const start = (config: Partial<Config> = {}) =>
  startApi({ config: { tenantSignupEnabled: true, smtpUrl: smtp.url, ...config } })

const signUp = (email: string, body: object = {}) =>
  api.call('POST', '/api/auth/signup', {
    body: { tenant_name: 'Çatı GES', full_name: 'Ece Ak', email, password: PASSWORD, ...body },
  })
const confirm = (token: string | undefined, password = PASSWORD) =>
  api.call('POST', '/api/auth/signup/confirm', { body: { token, password } })
const resend = (signup_id: string, email: string) =>
  api.call('POST', '/api/auth/signup/resend', { body: { signup_id, email } })
const invite = (token: string, email = newEmail()) =>
  api.call('POST', '/api/users/invitations', { token, body: { email } })

async function mailsTo(email: string): Promise<string[]> {
  await api.deps.background.drain()
  return smtp.mails.filter(({ to }) => to === email).map(textOfMail)
}
const tokenOf = (text: string | undefined) => /Token: (\S+)/.exec(text ?? '')?.[1]
const newestToken = async (email: string) => tokenOf((await mailsTo(email)).at(-1))
const tokenOfLogin = async (email: string) => (await login(api, email)).body.access_token
const countTenants = async () => {
  const { rows } = await api.deps.database.pool.query('select count(*)::int as count from tenant')
  return rows[0].count
}

describe('signup of a service that sends mails', () => {
  beforeAll(async () => {
    api = await start({ publicBaseUrl: 'https://netsaat.example' })
  })
  afterAll(() => api.close())

  it('creates the account when the link of the mail is confirmed with the password', async () => {
    const email = newEmail()
    const tenants = await countTenants()
    const pending = await signUp(` ${email.toUpperCase()}`)
    expect(pending.status).toBe(202)
    expect(pending.body).toEqual({
      message: expect.any(String),
      signup_id: expect.any(String),
      expires_at: new Date(api.clock.now() + DAY_MS).toISOString(),
    })
    const [text, ...others] = await mailsTo(email)
    expect(others).toEqual([])
    const token = tokenOf(text)
    expect(text).toContain(`https://netsaat.example/signup?token=${token}`)
    expect(text).not.toMatch(/Çatı|Ece/)
    expect((await login(api, email)).status).toBe(401)
    expect(await countTenants()).toBe(tenants)

    const wrong = await confirm(token, 'another password 1')
    expect([wrong.status, failurePaths(wrong)]).toEqual([422, ['body.password']])
    const confirmed = await confirm(token)
    expect(confirmed.status).toBe(201)
    expect(confirmed.body.tenant).toMatchObject({ name: 'Çatı GES', slug: 'cati-ges' })
    expect(confirmed.body.user).toMatchObject({ email, is_email_verified: true, is_superuser: false })
    const again = await confirm(token)
    expect([again.status, again.body.error_code]).toEqual([400, 'INVALID_SIGNUP_TOKEN'])
    expect((await invite(await tokenOfLogin(email))).status).toBe(201)
    expect((await api.call('GET', '/api/config/public')).body.signup_verification_required).toBe(true)
  })

  it('does not reveal that an address is registered, and informs its owner', async () => {
    const { admin } = await createTenant(api)
    const known = await signUp(admin.email)
    const unknown = await signUp(newEmail())
    expect([known.status, Object.keys(known.body)]).toEqual([202, Object.keys(unknown.body)])
    const [text = ''] = await mailsTo(admin.email)
    expect(text).toContain('it has an account already')
    expect(tokenOf(text)).toBeUndefined()
  })

  it('of a stranger with the address of somebody else is not activated by the owner', async () => {
    const email = newEmail()
    await signUp(email)
    const ownLink = await newestToken(email)
    await signUp(email, { password: 'password of a stranger 1', tenant_name: 'Yabancı' })
    const foreignLink = await newestToken(email)
    expect(foreignLink).not.toBe(ownLink)
    expect((await confirm(foreignLink)).status).toBe(422)
    const confirmed = await confirm(ownLink)
    expect([confirmed.status, confirmed.body.tenant.name]).toEqual([201, 'Çatı GES'])
    expect((await confirm(foreignLink, 'password of a stranger 1')).status).toBe(400)
  })

  it('is confirmed once by concurrent requests', async () => {
    const email = newEmail()
    await signUp(email)
    const token = await newestToken(email)
    const responses = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400])
  })

  it('mails a new link on request, which replaces the previous one', async () => {
    const email = newEmail()
    const { signup_id } = (await signUp(email)).body
    const first = await newestToken(email)
    expect((await resend(signup_id, newEmail())).status).toBe(202)
    expect((await resend(crypto.randomUUID(), email)).status).toBe(202)
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await resend(signup_id, email.toUpperCase())).status).toBe(202)
    const second = await newestToken(email)
    expect((await confirm(first)).status).toBe(400)
    expect((await confirm(second)).status).toBe(201)
    await resend(signup_id, email)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('expires after 24 hours and stores no secret in plain text', async () => {
    const email = newEmail()
    await signUp(email)
    const token = (await newestToken(email)) ?? ''
    const rows = await api.deps.database.kysely.selectFrom('pending_signup').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    api.clock.advance(DAY_MS)
    expect((await confirm(token)).status).toBe(400)
    await signUp(newEmail())
    await api.deps.background.drain()
    const left = await api.deps.database.kysely.selectFrom('pending_signup').select('id').execute()
    expect(left).toHaveLength(1)
  })

  it('keeps a bounded number of pending signups', async () => {
    await api.deps.database.pool.query(
      `insert into pending_signup
       select gen_random_uuid(), 'x' || n || '@example.test', 't', 'f', 'p', sha256(n::text::bytea),
         to_timestamp($1 / 1000.0) + interval '1 day', to_timestamp($1 / 1000.0) - n * interval '1 second'
       from generate_series(1, $2::int) as n`,
      [api.clock.now(), PENDING_SIGNUPS_MAX + 50],
    )
    const email = newEmail()
    await signUp(email)
    const token = await newestToken(email)
    const { rows } = await api.deps.database.pool.query('select count(*)::int as count from pending_signup')
    expect(rows[0].count).toBe(PENDING_SIGNUPS_MAX)
    expect((await confirm(token)).status).toBe(201)
  })
})

describe('signup without verification', () => {
  const request = (token: string) => api.call('POST', '/api/auth/email-verification/request', { token })
  const verify = (token: string | undefined, password = PASSWORD) =>
    api.call('POST', '/api/auth/email-verification/confirm', { body: { token, password } })

  it('creates the account at once, which cannot invite before its address is verified', async () => {
    api = await start({ signupVerification: 'off' })
    const email = newEmail()
    const created = await signUp(email)
    expect([created.status, created.body.user.is_email_verified]).toEqual([201, false])
    const token = await tokenOfLogin(email)
    const refused = await invite(token)
    expect([refused.status, refused.body.error_code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    expect((await request(token)).status).toBe(202)
    const [first, second] = await mailsTo(email)
    expect((await verify(tokenOf(first))).body.error_code).toBe('INVALID_VERIFICATION_TOKEN')
    expect(failurePaths(await verify(tokenOf(second), 'another password 1'))).toEqual(['body.password'])
    expect((await verify(tokenOf(second))).status).toBe(200)
    expect((await verify(tokenOf(second))).status).toBe(400)
    expect((await api.call('GET', '/api/auth/me', { token })).body.is_email_verified).toBe(true)
    expect((await invite(token)).status).toBe(201)
    await request(token)
    expect(await mailsTo(email)).toHaveLength(2)
    await api.close()
  })

  it('is the default of a service that sends no mails, and accounts can invite at once', async () => {
    api = await start({ smtpUrl: undefined })
    const email = newEmail()
    expect((await signUp(email)).status).toBe(201)
    expect((await invite(await tokenOfLogin(email))).status).toBe(201)
    await api.deps.background.drain()
    expect(api.mails).toHaveLength(1)
    expect((await api.call('GET', '/api/config/public')).body.signup_verification_required).toBe(false)
    await api.close()
  })

  it('verifies the address by a link that resets the password, and not by a link that has expired', async () => {
    api = await start({ signupVerification: 'off' })
    const email = newEmail()
    await signUp(email)
    const expired = await newestToken(email)
    api.clock.advance(DAY_MS)
    expect((await verify(expired)).status).toBe(400)
    await api.call('POST', '/api/auth/password-reset/request', { body: { email } })
    const body = { token: await newestToken(email), new_password: PASSWORD }
    expect((await api.call('POST', '/api/auth/password-reset/confirm', { body })).status).toBe(200)
    expect((await invite(await tokenOfLogin(email))).status).toBe(201)
    await api.close()
  })
})

describe('users that a tenant creates', () => {
  beforeAll(async () => {
    api = await start()
  })
  afterAll(() => api.close())

  it('have a verified address only by a link or by a superuser', async () => {
    const tenant = await createTenant(api)
    const { viewer } = await systemRoles(api, tenant)
    const create = async (token: string) =>
      (
        await api.call('POST', '/api/users', {
          token,
          body: { email: newEmail(), password: PASSWORD, role_ids: [viewer] },
        })
      ).body
    const change = async (id: string, token: string) =>
      (await api.call('PUT', `/api/users/${id}`, { token, body: { email: newEmail() } })).body
    const byAdmin = await create(tenant.admin.token)
    const bySuperuser = await create(tenant.superuser.token)
    expect([byAdmin.is_email_verified, bySuperuser.is_email_verified]).toEqual([false, true])
    expect((await change(bySuperuser.id, tenant.admin.token)).is_email_verified).toBe(false)
    expect((await change(bySuperuser.id, tenant.superuser.token)).is_email_verified).toBe(true)
  })
})

describe('rate limits of signup', () => {
  it('count signups and repeated links by mailbox, with and without a slash at the end', async () => {
    api = await start({ rateLimits: { ...testConfig().rateLimits, signupPerEmailHour: 3 } })
    const email = newEmail()
    const { signup_id } = (await signUp(email)).body
    const slash = await api.call('POST', '/api/auth/signup/', {
      body: { tenant_name: 'Çatı GES', full_name: 'Ece Ak', email, password: PASSWORD },
    })
    expect(slash.status).toBe(202)
    expect(await mailsTo(email)).toHaveLength(2)
    expect((await resend(signup_id, email)).status).toBe(202)
    expect((await resend(signup_id, email)).status).toBe(429)
    expect((await signUp(email)).status).toBe(429)
    expect(await mailsTo(email)).toHaveLength(3)
    await api.close()
  })
})
