import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateOidcSecrets } from '../../../src/areas/access/oidc/index.ts'
import { inSystemTx } from '../../../src/platform/db/tenant.ts'
import { createAccount, login, newEmail, systemRoles } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import {
  browse,
  CLIENT_ID,
  CLIENT_SECRET,
  startProvider,
  type TestProvider,
} from '../../support/oidc/provider.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const KEY = randomBytes(32).toString('base64')
const BASE = 'https://netsaat.example/energy'
const CALLBACK = `${BASE}/api/auth/oidc/callback`

let api: TestApi
let provider: TestProvider
let tenant: TestTenant
let other: TestTenant
let roles: Awaited<ReturnType<typeof systemRoles>>
beforeAll(async () => {
  provider = await startProvider(CALLBACK)
  api = await startApi({
    now: new Date().toISOString(),
    config: {
      credentialEncryptionKey: KEY,
      publicBaseUrl: BASE,
      webhookAllowedNetworks: ['127.0.0.0/8'],
    },
  })
  tenant = await createTenant(api)
  other = await createTenant(api)
  roles = await systemRoles(api, tenant)
  expect((await configure()).status).toBe(200)
})
afterAll(async () => {
  await api.close()
  await provider.close()
})

const outcome = ({ status, body }: ApiResponse) => [status, body?.error_code]
const post = (path: string, body: object, token?: string) =>
  api.call('POST', `/api/auth${path}`, { body, ...(token && { token }) })
const put = (body: object, token = tenant.admin.token) =>
  api.call('PUT', '/api/auth/oidc/provider', { body, token })
const configuration = () => ({
  ...{ issuer: provider.issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
  allowed_domains: ['Example.test'],
})
const configure = (changes: object = {}) => put({ ...configuration(), ...changes })

async function slugOf({ id }: TestTenant): Promise<string> {
  const { rows } = await api.deps.database.pool.query('select slug from tenant where id = $1', [id])
  return rows[0].slug
}

interface Started {
  readonly authorization_url: string
  readonly sign_in_secret: string
}
async function start(body: object = {}, of = tenant): Promise<Started> {
  const started = await post('/oidc/start', { tenant: await slugOf(of), ...body })
  expect(started.status, started.text).toBe(200)
  return started.body
}

/** What the browser is sent to by the callback: its address without the fragment, and the fragment. */
async function callBack(address: URL) {
  const path = address.href.replace(BASE, '')
  const response = await fetch(api.url + path, { redirect: 'manual' })
  const location = new URL(response.headers.get('location') ?? 'none:')
  const fragment = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  location.hash = ''
  return { status: response.status, page: location.href, fragment }
}

interface Person {
  readonly subject: string
  readonly email: string
}
function person(claims: object = {}): Person {
  const subject = randomBytes(8).toString('hex')
  const email = newEmail()
  provider.accounts.set(subject, { email, email_verified: true, name: 'Ayşe Yılmaz', ...claims })
  return { subject, email }
}
/** Starts, signs in at the provider and returns; the callback is not sent yet. */
async function atProvider(subject: string | undefined, body: object = {}) {
  const started = await start(body)
  provider.signInAs(subject)
  return { ...started, address: await browse(provider.issuer, started.authorization_url) }
}
async function signIn(subject: string | undefined, body: object = {}) {
  const { sign_in_secret, address } = await atProvider(subject, body)
  return { ...(await callBack(address)), address, sign_in_secret }
}
const failureOf = async (subject: string | undefined) => (await signIn(subject)).fragment

async function tokensOf(subject: string) {
  const { fragment, sign_in_secret } = await signIn(subject)
  expect(fragment).toEqual({ code: expect.any(String) })
  const redeemed = await post('/oidc/token', { code: fragment['code'], sign_in_secret })
  expect(redeemed.status, redeemed.text).toBe(200)
  return redeemed.body
}
const profileOf = async (token: string) => (await api.call('GET', '/api/auth/me', { token })).body

/** A user of the tenant with an account of the provider that has the same address. */
async function member(body: Record<string, unknown> = {}) {
  const user = await createAccount(api, tenant, body)
  const { subject } = person({ email: user.email })
  return { ...user, subject }
}

describe('a sign-in at the provider', () => {
  it('links the user by the verified address, and later by the subject', async () => {
    const { id, subject } = await member()
    const started = await start()
    const url = new URL(started.authorization_url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: CLIENT_ID, redirect_uri: CALLBACK, scope: 'openid email' },
      ...{ code_challenge_method: 'S256', state: expect.any(String), nonce: expect.any(String) },
    })
    const { status, page, fragment, sign_in_secret } = await signIn(subject)
    expect([status, page]).toEqual([302, `${BASE}/sign-in`])
    const redeemed = await post('/oidc/token', { code: fragment['code'], sign_in_secret })
    expect(Object.keys(redeemed.body).sort()).toEqual(['access_token', 'refresh_token', 'token_type'])
    expect((await profileOf(redeemed.body.access_token)).id).toBe(id)
    provider.accounts.set(subject, { email: newEmail(), email_verified: false })
    expect((await profileOf((await tokensOf(subject)).access_token)).id).toBe(id)
  })

  it('finds the tenant by the address of a user', async () => {
    const { id, email, subject } = await member()
    provider.signInAs(subject)
    const started = await post('/oidc/start', { email: ` ${email.toUpperCase()}` })
    const { fragment } = await callBack(await browse(provider.issuer, started.body.authorization_url))
    const { sign_in_secret } = started.body
    const redeemed = await post('/oidc/token', { code: fragment['code'], sign_in_secret })
    expect((await profileOf(redeemed.body.access_token)).id).toBe(id)
  })

  it('creates a user without a password where the tenant wants it', async () => {
    const { subject, email } = person()
    expect(await failureOf(subject)).toEqual({ error: 'OIDC_USER_UNKNOWN' })
    await configure({ creates_users: true, role_id: roles.viewer, scopes: ['email', 'profile'] })
    const { access_token } = await tokensOf(subject)
    expect(await profileOf(access_token)).toMatchObject({
      ...{ email, full_name: 'Ayşe Yılmaz', role_ids: [roles.viewer] },
      ...{ is_email_verified: false, is_superuser: false },
    })
    const change = { current_password: 'no password 12', new_password: 'a new password 12' }
    expect(outcome(await post('/change-password', change, access_token))).toEqual([409, 'PASSWORD_NOT_SET'])
    expect(outcome(await login(api, email, 'no password 12'))).toEqual([401, 'INVALID_CREDENTIALS'])
    const enrolled = await post('/totp/enrol', {}, access_token)
    expect(enrolled.status, enrolled.text).toBe(200)
    await configure()
  })

  it('ends with the code of a cancelled sign-in', async () => {
    expect(await failureOf(undefined)).toEqual({ error: 'OIDC_ACCESS_DENIED' })
  })

  it('is refused for an address that is not verified or has another domain', async () => {
    expect(await failureOf((await createUnverified()).subject)).toEqual({ error: 'OIDC_EMAIL_NOT_VERIFIED' })
    expect(await failureOf(person({ email: 'a@sub.example.test' }).subject)).toEqual({
      error: 'OIDC_DOMAIN_NOT_ALLOWED',
    })
    expect(await failureOf(person({ email: undefined }).subject)).toEqual({
      error: 'OIDC_EMAIL_NOT_VERIFIED',
    })
  })

  it('is refused for users of another tenant, inactive users and superusers', async () => {
    const { email } = await createAccount(api, other)
    await configure({ creates_users: true, role_id: roles.viewer })
    expect(await failureOf(person({ email }).subject)).toEqual({ error: 'OIDC_USER_UNKNOWN' })
    const inactive = await member({ is_active: false })
    expect(await failureOf(inactive.subject)).toEqual({ error: 'OIDC_USER_INACTIVE' })
    const { superuser } = tenant
    expect(await failureOf(person({ email: superuser.email }).subject)).toEqual({
      error: 'OIDC_USER_NOT_ALLOWED',
    })
    await configure()
  })

  it('is refused for a linked user who was deactivated, also between callback and code', async () => {
    const { id, subject } = await member()
    await tokensOf(subject)
    const { fragment, sign_in_secret } = await signIn(subject)
    const deactivated = await api.call('PUT', `/api/users/${id}`, {
      token: tenant.admin.token,
      body: { is_active: false },
    })
    expect(deactivated.status).toBe(200)
    expect(outcome(await post('/oidc/token', { code: fragment['code'], sign_in_secret }))).toEqual([
      400,
      'OIDC_USER_INACTIVE',
    ])
    expect(await failureOf(subject)).toEqual({ error: 'OIDC_USER_INACTIVE' })
  })

  it('is refused for a second subject with the address of a linked user, until the user is unlinked', async () => {
    const { id, email, subject } = await member()
    const { fragment, sign_in_secret } = await signIn(subject)
    const second = person({ email })
    expect(await failureOf(second.subject)).toEqual({ error: 'OIDC_USER_LINKED' })
    const { token } = tenant.admin
    const unlink = () => api.call('DELETE', `/api/users/${id}/oidc-link`, { token })
    expect((await unlink()).status).toBe(204)
    expect(outcome(await unlink())).toEqual([404, 'RESOURCE_NOT_FOUND'])
    expect((await post('/oidc/token', { code: fragment['code'], sign_in_secret })).status).toBe(400)
    expect((await profileOf((await tokensOf(second.subject)).access_token)).id).toBe(id)
    expect(await failureOf(subject)).toEqual({ error: 'OIDC_USER_LINKED' })
  })
})

async function createUnverified(): Promise<Person> {
  const { email } = await createAccount(api, tenant)
  return person({ email, email_verified: false })
}

describe('a tenant', () => {
  const query = (text: string, ...values: unknown[]) => api.deps.database.pool.query(text, values)

  it('that requires one-time passwords asks for them, and only such a tenant', async () => {
    const { id, subject } = await member()
    await query(
      `insert into user_totp (tenant_id, user_id, secret_sealed, confirmed_at, created_at)
       values ($1, $2, 'x', now(), now())`,
      ...[tenant.id, id],
    )
    expect(await tokensOf(subject)).toHaveProperty('access_token')
    await query('update tenant set require_totp = true where id = $1', tenant.id)
    expect(await tokensOf(subject)).toEqual({
      ...{ mfa_required: true, mfa_token: expect.any(String), expires_in: 300 },
    })
    await query('update tenant set require_totp = false where id = $1', tenant.id)
  })

  it('that is inactive is refused at the start and at the exchange of the code', async () => {
    const { subject } = await member()
    const { fragment, sign_in_secret } = await signIn(subject)
    await query('update tenant set is_active = false where id = $1', tenant.id)
    const started = await post('/oidc/start', { tenant: await slugOf(tenant) })
    const redeemed = await post('/oidc/token', { code: fragment['code'], sign_in_secret })
    await query('update tenant set is_active = true where id = $1', tenant.id)
    expect(outcome(started)).toEqual([404, 'OIDC_NOT_AVAILABLE'])
    expect(outcome(redeemed)).toEqual([400, 'OIDC_USER_INACTIVE'])
  })
})

describe('the state and the one-time code', () => {
  it('are accepted once', async () => {
    const { subject } = await member()
    const { address, fragment, sign_in_secret } = await signIn(subject)
    expect((await callBack(address)).fragment).toEqual({ error: 'OIDC_STATE_NOT_VALID' })
    const code = { code: fragment['code'], sign_in_secret }
    expect((await post('/oidc/token', code)).status).toBe(200)
    expect(outcome(await post('/oidc/token', code))).toEqual([400, 'OIDC_CODE_NOT_VALID'])
  })

  it('are refused when they are wrong', async () => {
    const { subject } = await member()
    const { address } = await atProvider(subject)
    const wrong = new URL(address)
    wrong.searchParams.set('state', 'x'.repeat(43))
    const { page, fragment } = await callBack(wrong)
    expect([page, fragment]).toEqual([`${BASE}/sign-in`, { error: 'OIDC_STATE_NOT_VALID' }])
    address.searchParams.set('code', 'stolen')
    expect((await callBack(address)).fragment).toEqual({ error: 'OIDC_PROVIDER_REFUSED' })
  })

  it('belong to the browser that started: a stolen code is spent without its secret', async () => {
    const { subject } = await member()
    const { fragment, sign_in_secret } = await signIn(subject)
    const { sign_in_secret: another } = await start()
    const code = fragment['code']
    for (const secret of [another, sign_in_secret])
      expect(outcome(await post('/oidc/token', { code, sign_in_secret: secret }))).toEqual([
        400,
        'OIDC_CODE_NOT_VALID',
      ])
  })

  it('expire', async () => {
    const { subject } = await member()
    const { fragment, sign_in_secret } = await signIn(subject)
    api.clock.advance(60_000)
    expect(outcome(await post('/oidc/token', { code: fragment['code'], sign_in_secret }))).toEqual([
      400,
      'OIDC_CODE_NOT_VALID',
    ])
    const { address } = await atProvider(subject)
    api.clock.advance(10 * 60_000)
    expect((await callBack(address)).fragment).toEqual({ error: 'OIDC_STATE_NOT_VALID' })
    api.clock.set(Date.now())
  })

  it('are refused with another nonce or another verifier than that of the start', async () => {
    const { subject } = await member()
    const change = (set: string) =>
      api.deps.database.pool.query(`update oidc_sign_in set ${set} where code_hash is null`)
    const { address } = await atProvider(subject)
    await change("nonce = 'another'")
    expect((await callBack(address)).fragment).toEqual({ error: 'OIDC_TOKEN_NOT_VALID' })
    const { address: second } = await atProvider(subject)
    await change(`code_verifier = '${'x'.repeat(43)}'`)
    expect((await callBack(second)).fragment).toEqual({ error: 'OIDC_PROVIDER_REFUSED' })
  })

  it('of an ID token that has expired by the clock of the service are refused', async () => {
    const { subject } = await member()
    api.clock.advance(15 * 60_000)
    expect(await failureOf(subject)).toEqual({ error: 'OIDC_TOKEN_NOT_VALID' })
    api.clock.set(Date.now())
    expect(await failureOf(subject)).toEqual({ code: expect.any(String) })
  })

  it('are bounded: the oldest sign-in is deleted for a new one, and so are expired ones', async () => {
    const { pool } = api.deps.database
    await pool.query(
      `insert into oidc_sign_in (tenant_id, state_hash, browser_hash, nonce, code_verifier, issuer, client_id,
         return_url, created_at, expires_at)
       select $1, int4send(n), '', '', '', '', '', '', $2::timestamptz + n * interval '1 ms',
         $2::timestamptz + interval '1 h'
       from generate_series(1, 2100) n`,
      [tenant.id, new Date(api.clock.now() - 60_000)],
    )
    await start()
    const { rows } = await pool.query(
      'select count(*)::int as count from oidc_sign_in where tenant_id = $1',
      [tenant.id],
    )
    expect(rows[0].count).toBe(2000)
    await pool.query('delete from oidc_sign_in where tenant_id = $1', [tenant.id])
  })
})

describe('the configuration of the provider', () => {
  it('is for full administrators, never returns the secret, and is recorded without it', async () => {
    for (const { token } of [tenant.viewer, tenant.operator])
      expect((await put(configuration(), token)).status).toBe(403)
    const { body } = await api.call('GET', '/api/auth/oidc/provider', { token: tenant.admin.token })
    expect(body).toMatchObject({
      ...{
        issuer: provider.issuer,
        client_id: CLIENT_ID,
        scopes: ['openid', 'email'],
        redirect_uri: CALLBACK,
      },
      ...{ allowed_domains: ['example.test'], creates_users: false, is_enabled: true, allows_password: true },
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect((await configure({ client_secret: undefined })).status).toBe(200)
    expect((await configure({ client_secret: undefined, client_id: 'another' })).status).toBe(422)
    const log = await api.call('GET', '/api/changes?resource_type=oidc_provider', {
      token: tenant.admin.token,
    })
    expect(log.text).toContain('"client_secret_sealed":{"is_hidden":true}')
    expect(log.text).not.toContain(CLIENT_SECRET)
    const { rows } = await api.deps.database.pool.query('select client_secret_sealed from oidc_provider')
    expect(rows[0].client_secret_sealed).toMatch(/^v1\./)
    expect((await api.call('GET', '/api/auth/oidc/provider', { token: other.admin.token })).status).toBe(404)
  })

  it('is refused with an address, a role or a domain that cannot be used', async () => {
    for (const issuer of [
      ...[
        'http://8.8.8.8',
        'https://10.0.0.1',
        'https://169.254.169.254',
        'ftp://example.test',
        'no address',
      ],
      ...['https://user@example.test', 'https://example.test/?x=1', 'https://[::1]'],
    ])
      expect([issuer, (await configure({ issuer })).status]).toEqual([issuer, 422])
    expect((await configure({ creates_users: true })).status).toBe(422)
    const { viewer } = await systemRoles(api, other)
    expect(outcome(await configure({ creates_users: true, role_id: viewer }))).toEqual([
      422,
      'INVALID_REFERENCE',
    ])
    expect((await configure({ allowed_domains: [] })).status).toBe(422)
  })

  it('can be tested', async () => {
    const test = async () => (await post('/oidc/provider/test', {}, tenant.admin.token)).body
    expect(await test()).toMatchObject({ ok: true, message_code: 'OIDC_PROVIDER_WORKS' })
    await configure({ issuer: `${provider.issuer}/another` })
    expect(await test()).toMatchObject({ ok: false, message_code: 'OIDC_PROVIDER_INVALID' })
    await configure({ issuer: 'http://127.0.0.1:9' })
    expect(await test()).toMatchObject({ ok: false, message_code: 'OIDC_PROVIDER_UNREACHABLE' })
    // The service itself, under an allowed address: the same answer as for a closed port.
    await configure({ issuer: api.url })
    expect(await test()).toMatchObject({ ok: false, message_code: 'OIDC_PROVIDER_UNREACHABLE' })
    // A name that resolves to loopback outside the allowed network, or with http to a public one.
    await configure({ issuer: 'https://[::ffff:127.0.0.1]:9' })
    expect(await test()).toMatchObject({ ok: false, message_code: 'OIDC_PROVIDER_UNREACHABLE' })
    await configure()
  })

  it('without a working provider ends a sign-in with a code', async () => {
    const { subject } = await member()
    const slug = await slugOf(tenant)
    await configure({ client_secret: 'another secret' })
    expect(await failureOf(subject)).toEqual({ error: 'OIDC_CLIENT_REFUSED' })
    await configure({ issuer: 'http://127.0.0.1:9' })
    expect(outcome(await post('/oidc/start', { tenant: slug }))).toEqual([502, 'OIDC_PROVIDER_UNREACHABLE'])
    await configure()
    const { address } = await atProvider(subject)
    await configure({ is_enabled: false })
    expect((await callBack(address)).fragment).toEqual({ error: 'OIDC_NOT_AVAILABLE' })
    const refused = [404, 'OIDC_NOT_AVAILABLE']
    expect(outcome(await post('/oidc/start', { tenant: slug }))).toEqual(refused)
    expect(outcome(await post('/oidc/start', { tenant: await slugOf(other) }))).toEqual(refused)
    expect(outcome(await post('/oidc/start', { tenant: 'nobody' }))).toEqual(refused)
    expect(outcome(await post('/oidc/start', { email: newEmail() }))).toEqual(refused)
    await configure()
  })

  it('returns only to addresses below PUBLIC_BASE_URL', async () => {
    const tenantSlug = await slugOf(tenant)
    for (const redirect_uri of [
      ...[
        'https://evil.example/',
        'https://netsaat.example.evil.example/energy/',
        '//evil.example',
        '/relative',
      ],
      ...[
        'https://netsaat.example@evil.example/energy/',
        'http://netsaat.example/energy/',
        'javascript:alert(1)',
      ],
      ...[
        'https://netsaat.example/other',
        'https://netsaat.example/energy/../other',
        'https://x@netsaat.example/energy/',
      ],
    ]) {
      const { status } = await post('/oidc/start', { tenant: tenantSlug, redirect_uri })
      expect([redirect_uri, status]).toEqual([redirect_uri, 422])
    }
    const { subject } = await member()
    const { page, fragment } = await signIn(subject, { redirect_uri: `${BASE}/console?from=oidc#x` })
    expect([page, Object.keys(fragment)]).toEqual([`${BASE}/console?from=oidc`, ['code']])
    expect((await post('/oidc/start', {})).status).toBe(422)
  })

  it('can exclude passwords, but not for administrators', async () => {
    const user = await member()
    const admin = await createAccount(api, tenant, { role_ids: [roles.admin] })
    await configure({ allows_password: false })
    expect(outcome(await login(api, user.email))).toEqual([401, 'PASSWORD_SIGN_IN_DISABLED'])
    expect(outcome(await login(api, user.email, 'a wrong password 1'))).toEqual([401, 'INVALID_CREDENTIALS'])
    expect((await login(api, admin.email)).status).toBe(200)
    expect((await tokensOf(user.subject)).access_token).toEqual(expect.any(String))
    await configure({ allows_password: false, is_enabled: false })
    expect((await login(api, user.email)).status).toBe(200)
    await configure()
  })

  it('keeps its role, and is deleted', async () => {
    const role = await api.call('POST', '/api/roles', {
      token: tenant.admin.token,
      body: { name: 'created by OpenID', permissions: [] },
    })
    await configure({ creates_users: true, role_id: role.body.id })
    const removeRole = () => api.call('DELETE', `/api/roles/${role.body.id}`, { token: tenant.admin.token })
    expect((await removeRole()).status).toBe(409)
    const remove = () => api.call('DELETE', '/api/auth/oidc/provider', { token: tenant.admin.token })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await removeRole()).status).toBe(204)
    await configure()
  })
})

it('client secrets are sealed anew with a new key, and stay usable', async () => {
  const { kysely } = api.deps.database
  const rotate = (oldKey: string, newKey: string) =>
    inSystemTx(kysely, (tx) => rotateOidcSecrets(tx, { oldKey, newKey }))
  const newKey = randomBytes(32).toString('base64')
  expect(await rotate(KEY, newKey)).toEqual({ rotated: 1, already: 0 })
  expect(await rotate(KEY, newKey)).toEqual({ rotated: 0, already: 1 })
  await expect(rotate(KEY, randomBytes(32).toString('base64'))).rejects.toThrow('nothing was changed')
  expect(await rotate(newKey, KEY)).toEqual({ rotated: 1, already: 0 })
  expect(await tokensOf((await member()).subject)).toHaveProperty('access_token')
})
