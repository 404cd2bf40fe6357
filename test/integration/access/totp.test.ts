import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetTotpByEmail, rotateTotpSecrets } from '../../../src/areas/access/auth/index.ts'
import { stepAt, totpCode } from '../../../src/platform/auth/totp.ts'
import { inSystemTx } from '../../../src/platform/db/tenant.ts'
import { createAccount, login, PASSWORD, readMailedToken, systemRoles } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { openLive } from '../../support/metering/live.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { fromBase32 } from '../../support/totp.ts'

const KEY = randomBytes(32).toString('base64')
const FAILURES = 3
const STEP_MS = 30_000

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({
    config: {
      credentialEncryptionKey: KEY,
      rateLimits: { ...testConfig().rateLimits, loginFailures: FAILURES },
    },
  })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const post = (path: string, body: object, token?: string) =>
  api.call('POST', `/api/auth${path}`, { body, ...(token && { token }) })
const outcome = ({ status, body }: ApiResponse) => [status, body?.error_code]

interface Member {
  readonly id: string
  readonly email: string
  readonly token: string
  readonly secret: Buffer
  readonly recovery: string[]
}

const codeOf = ({ secret }: Pick<Member, 'secret'>) => totpCode(secret, stepAt(api.clock.now()))
/** A code that was not used before: the next step. */
function nextCode(member: Pick<Member, 'secret'>): string {
  api.clock.advance(STEP_MS)
  return codeOf(member)
}

async function enrol(token: string) {
  const { status, text, body } = await post('/totp/enrol', { password: PASSWORD }, token)
  expect(status, text).toBe(200)
  return { ...body, bytes: fromBase32(body.secret) } as { otpauth_uri: string; secret: string; bytes: Buffer }
}

async function createMember(body: object = {}): Promise<Member> {
  const user = await createAccount(api, tenant, { ...body })
  const token = (await login(api, user.email)).body.access_token as string
  const { bytes: secret } = await enrol(token)
  const confirmed = await post('/totp/confirm', { code: codeOf({ secret }) }, token)
  expect(confirmed.status, confirmed.text).toBe(200)
  return { ...user, token, secret, recovery: confirmed.body.recovery_codes }
}

const challenge = async ({ email }: Pick<Member, 'email'>): Promise<string> =>
  (await login(api, email)).body.mfa_token
const secondStep = async (member: Pick<Member, 'email'>, code: string) =>
  post('/login/totp', { mfa_token: await challenge(member), code })

describe('setting up one-time passwords', () => {
  it('needs the password and a code, and returns ten recovery codes once', async () => {
    const { email, id } = await createAccount(api, tenant)
    const token = (await login(api, email)).body.access_token
    const state = () => api.call('GET', '/api/auth/totp', { token })
    expect((await post('/totp/enrol', { password: 'a wrong password 1' }, token)).status).toBe(422)
    expect(outcome(await post('/totp/confirm', { code: '123456' }, token))).toEqual([
      409,
      'TOTP_NOT_ENROLLED',
    ])
    const { bytes: secret, otpauth_uri } = await enrol(token)
    expect(otpauth_uri).toContain(`otpauth://totp/Netsaat:${encodeURIComponent(email)}?secret=`)
    expect((await state()).body).toMatchObject({ enabled: false, recovery_codes_left: 0, required: false })
    expect((await login(api, email)).body).toHaveProperty('access_token')
    expect((await post('/totp/confirm', { code: '000000' }, token)).status).toBe(422)
    const { body } = await post('/totp/confirm', { code: codeOf({ secret }) }, token)
    expect(new Set(body.recovery_codes).size).toBe(10)
    expect(body.recovery_codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await state()).body).toMatchObject({ enabled: true, recovery_codes_left: 10 })
    expect(outcome(await post('/totp/enrol', { password: PASSWORD }, token))).toEqual([
      409,
      'TOTP_ALREADY_ENABLED',
    ])
    const { rows } = await api.deps.database.pool.query(
      'select * from user_totp where tenant_id = $1 and user_id = $2',
      [tenant.id, id],
    )
    expect(rows[0].secret_sealed).toMatch(/^v1\./)
  })
})

describe('a login with one-time passwords', () => {
  it('has two steps, and the token of the first one opens nothing else', async () => {
    const member = await createMember()
    const first = await login(api, member.email)
    expect([first.status, first.body]).toEqual([
      200,
      { mfa_required: true, mfa_token: expect.any(String), expires_in: 300 },
    ])
    const mfaToken = first.body.mfa_token
    expect((await api.call('GET', '/api/auth/me', { token: mfaToken })).status).toBe(401)
    expect((await post('/refresh', { refresh_token: mfaToken })).status).toBe(401)
    const second = await post('/login/totp', { mfa_token: mfaToken, code: nextCode(member) })
    expect(Object.keys(second.body).sort()).toEqual(['access_token', 'refresh_token', 'token_type'])
    expect((await api.call('GET', '/api/auth/me', { token: second.body.access_token })).body.id).toBe(
      member.id,
    )
    expect((await post('/login/totp', { mfa_token: member.token, code: nextCode(member) })).status).toBe(401)
  })

  it('accepts a code once, also by concurrent requests, and neighbouring codes in order only', async () => {
    const member = await createMember()
    const mfa_token = await challenge(member)
    const code = nextCode(member)
    const all = await Promise.all([1, 2, 3].map(() => post('/login/totp', { mfa_token, code })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const earlier = totpCode(member.secret, stepAt(api.clock.now()) - 1)
    expect(outcome(await secondStep(member, earlier))).toEqual([401, 'INVALID_TOTP_CODE'])
  })

  it('accepts each recovery code once, however it is typed', async () => {
    const member = await createMember()
    const [first = '', second = ''] = member.recovery
    expect((await secondStep(member, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect(outcome(await secondStep(member, first))).toEqual([401, 'INVALID_TOTP_CODE'])
    expect((await secondStep(member, second)).status).toBe(200)
    const { body } = await api.call('GET', `/api/users/${member.id}/totp`, { token: tenant.admin.token })
    expect(body.recovery_codes_left).toBe(8)
    expect(body.events.map(({ event }: { event: string }) => event).sort()).toEqual([
      'enabled',
      'recovery_code_used',
      'recovery_code_used',
    ])
  })

  it('is locked out after wrong codes, for guesses at the same time too, until the window has passed', async () => {
    const member = await createMember()
    const mfa_token = await challenge(member)
    const guesses = await Promise.all(
      Array.from({ length: FAILURES + 3 }, () => post('/login/totp', { mfa_token, code: '000000' })),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(FAILURES)
    const locked = await post('/login/totp', { mfa_token, code: codeOf(member) })
    expect(outcome(locked)).toEqual([429, 'RATE_LIMITED'])
    expect(locked.headers.get('retry-after')).toBe(String(15 * 60))
    api.clock.advance(15 * 60_000)
    expect((await secondStep(member, codeOf(member))).status).toBe(200)
  })

  it('ends with the token of the first step, and with a reset of the password', async () => {
    const member = await createMember()
    const old = await challenge(member)
    api.clock.advance(300_000)
    expect(outcome(await post('/login/totp', { mfa_token: old, code: codeOf(member) }))).toEqual([
      401,
      'TOKEN_EXPIRED',
    ])
    const mfa_token = await challenge(member)
    await post('/password-reset/request', { email: member.email })
    const token = await readMailedToken(api, member.email)
    await post('/password-reset/confirm', { token, new_password: PASSWORD })
    expect(outcome(await post('/login/totp', { mfa_token, code: nextCode(member) }))).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ])
    expect((await secondStep(member, nextCode(member))).status).toBe(200)
  })
})

describe('removing one-time passwords', () => {
  it('needs the password and a code', async () => {
    const member = await createMember()
    const remove = (password: string, code: string) => post('/totp/disable', { password, code }, member.token)
    expect((await remove('a wrong password 1', nextCode(member))).status).toBe(422)
    expect((await remove(PASSWORD, '000000')).status).toBe(422)
    expect((await remove(PASSWORD, nextCode(member))).status).toBe(200)
    expect((await login(api, member.email)).body).toHaveProperty('access_token')
    expect(outcome(await remove(PASSWORD, nextCode(member)))).toEqual([409, 'TOTP_NOT_ENROLLED'])
  })

  it('leaves no older recovery code when they are replaced', async () => {
    const member = await createMember()
    const body = { password: PASSWORD, code: nextCode(member) }
    const replaced = await post('/totp/recovery-codes', body, member.token)
    expect(replaced.body.recovery_codes).toHaveLength(10)
    expect((await secondStep(member, member.recovery[0] ?? '')).status).toBe(401)
    expect((await secondStep(member, replaced.body.recovery_codes[0])).status).toBe(200)
  })

  it('is possible for an administrator who is not weaker, and is recorded', async () => {
    const member = await createMember({ role_ids: [(await systemRoles(api, tenant)).admin] })
    const reset = (token: string) => api.call('DELETE', `/api/users/${member.id}/totp`, { token })
    const role = await api.call('POST', '/api/roles', {
      token: tenant.admin.token,
      body: { name: 'Account manager', permissions: ['read:user', 'manage:user'] },
    })
    const weaker = await createAccount(api, tenant, { role_ids: [role.body.id] })
    const weakerToken = (await login(api, weaker.email)).body.access_token
    expect(outcome(await reset(weakerToken))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await reset(tenant.admin.token)).status).toBe(204)
    expect((await reset(tenant.admin.token)).status).toBe(404)
    expect((await login(api, member.email)).body).toHaveProperty('access_token')
    const { body } = await api.call('GET', `/api/users/${member.id}/totp`, { token: weakerToken })
    expect(body).toMatchObject({ enabled: false, recovery_codes_left: 0 })
    expect(body.events).toContainEqual(expect.objectContaining({ event: 'reset', actor_id: tenant.admin.id }))
  })

  it('is possible for the operator on the command line', async () => {
    const member = await createMember()
    expect(await resetTotpByEmail(api.deps, member.email)).toBe(true)
    expect(await resetTotpByEmail(api.deps, member.email)).toBe(false)
    expect((await login(api, member.email)).body).toHaveProperty('access_token')
  })
})

describe('a tenant that requires one-time passwords', () => {
  it('lets users without them only set them up; API keys stay usable', async () => {
    const own = await createTenant(api)
    const { admin } = await systemRoles(api, own)
    const [boss, clerk] = [
      await createAccount(api, own, { role_ids: [admin] }),
      await createAccount(api, own, { role_ids: [admin] }),
    ]
    const tokenOf = async ({ email }: { email: string }) => (await login(api, email)).body.access_token
    const [bossToken, clerkToken] = [await tokenOf(boss), await tokenOf(clerk)]
    const policy = (token: string, require_totp: boolean) =>
      api.call('PUT', '/api/auth/sign-in-policy', { token, body: { require_totp } })
    const key = await api.call('POST', '/api/api-keys', {
      token: clerkToken,
      body: { name: 'Job', permissions: ['read:device'], expires_in_days: 1 },
    })
    expect(outcome(await policy(bossToken, true))).toEqual([409, 'TOTP_NOT_ENROLLED'])
    const { bytes: secret } = await enrol(bossToken)
    await post('/totp/confirm', { code: codeOf({ secret }) }, bossToken)
    expect((await policy(bossToken, true)).body).toEqual({ require_totp: true })

    const get = (path: string, token: string) => api.call('GET', path, { token })
    expect((await get('/api/devices', bossToken)).status).toBe(200)
    expect(outcome(await get('/api/devices', clerkToken))).toEqual([403, 'TOTP_REQUIRED'])
    expect(outcome(await get('/api/api-keys', clerkToken))).toEqual([403, 'TOTP_REQUIRED'])
    expect((await get('/api/auth/me', clerkToken)).status).toBe(200)
    expect((await get('/api/auth/totp', clerkToken)).body).toMatchObject({ enabled: false, required: true })
    expect(await openLive(api.url, { token: clerkToken, devices: [] }).closed()).toMatchObject({ code: 4003 })
    expect((await get('/api/devices', key.body.key)).status).toBe(200)

    const enrolled = await enrol(clerkToken)
    await post('/totp/confirm', { code: codeOf({ secret: enrolled.bytes }) }, clerkToken)
    expect((await get('/api/devices', clerkToken)).status).toBe(200)
    expect((await policy(bossToken, false)).status).toBe(200)
    expect(
      (await get('/api/devices', await tokenOf(await createAccount(api, own, { role_ids: [admin] })))).status,
    ).toBe(200)
  })

  it('is configured by full administrators only', async () => {
    const role = await api.call('POST', '/api/roles', {
      token: tenant.admin.token,
      body: { name: 'User manager', permissions: ['manage:user'] },
    })
    const { email } = await createAccount(api, tenant, { role_ids: [role.body.id] })
    const response = await api.call('PUT', '/api/auth/sign-in-policy', {
      token: (await login(api, email)).body.access_token,
      body: { require_totp: false },
    })
    expect(outcome(response)).toEqual([403, 'PERMISSION_DENIED'])
  })
})

it('secrets of one-time passwords are sealed anew when the key is replaced', async () => {
  const member = await createMember()
  const newKey = randomBytes(32).toString('base64')
  const rotate = () =>
    inSystemTx(api.deps.database.kysely, (tx) => rotateTotpSecrets(tx, { oldKey: KEY, newKey }))
  expect((await rotate()).rotated).toBeGreaterThan(0)
  expect((await rotate()).rotated).toBe(0)
  expect((await secondStep(member, nextCode(member))).status).toBe(503)
  expect((await secondStep(member, member.recovery[0] ?? '')).status).toBe(200)
})
