import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createAccount,
  failurePaths,
  login,
  newEmail,
  PASSWORD,
  readMailedToken,
  systemRoles,
} from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const DAY_MS = 86_400_000

let api: TestApi
let tenantA: TestTenant
let roles: Awaited<ReturnType<typeof systemRoles>>

beforeAll(async () => {
  api = await startApi()
})
// One tenant per test, because tests advance the clock beyond the lifetime of tokens.
beforeEach(async () => {
  tenantA = await createTenant(api)
  roles = await systemRoles(api, tenantA)
})
afterAll(() => api.close())

const invite = (body: unknown, token = tenantA.admin.token) =>
  api.call('POST', '/api/users/invitations', { token, body })
const accept = (token: unknown, body: Record<string, unknown> = {}) =>
  api.call('POST', '/api/auth/invitations/accept', {
    body: { token, full_name: 'Ayşe Yılmaz', password: PASSWORD, ...body },
  })
async function invitedToken(email: string): Promise<string> {
  expect((await invite({ email, role_ids: [roles.viewer] })).status).toBe(201)
  return (await readMailedToken(api, email)) ?? ''
}

describe('invitations', () => {
  it('are mailed, and create the user when accepted', async () => {
    const email = newEmail()
    const invited = await invite({ email: ` ${email.toUpperCase()}`, role_ids: [roles.operator] })
    expect(invited.status).toBe(201)
    expect(invited.body).toEqual({
      id: expect.any(String),
      email,
      role_ids: [roles.operator],
      language: null,
      created_at: new Date(api.clock.now()).toISOString(),
      expires_at: new Date(api.clock.now() + 7 * DAY_MS).toISOString(),
    })
    const token = await readMailedToken(api, email)
    expect(token).toMatch(/^[0-9a-z]+\.[\w-]{43}$/)
    const mail = api.mails.at(-1)
    expect(mail?.text).toContain(`\n/invitation?token=${token}\n`)
    expect(mail?.text).toContain('davet ediyor')
    expect(mail?.text).toContain('invites you')
    const accepted = await accept(token)
    expect(accepted.status).toBe(201)
    expect(accepted.body).toMatchObject({
      tenant_id: tenantA.uid,
      email,
      full_name: 'Ayşe Yılmaz',
      role_ids: [roles.operator],
      is_active: true,
      is_superuser: false,
    })
    expect((await login(api, email)).status).toBe(200)
  })

  it('work once, for 7 days, the newest only, and fail with one error', async () => {
    const email = newEmail()
    const revoked = await invitedToken(email)
    const expired = await invitedToken(email)
    const wrong = [await accept(revoked), await accept('x'), await accept(`${expired}A`)]
    api.clock.advance(7 * DAY_MS)
    wrong.push(await accept(expired))
    tenantA = await createTenant(api)
    roles = await systemRoles(api, tenantA)
    const used = await invitedToken(email)
    api.clock.advance(7 * DAY_MS - 1)
    expect((await accept(used)).status).toBe(201)
    wrong.push(await accept(used))
    for (const response of wrong) {
      expect(response.status).toBe(400)
      expect(response.text).toBe(wrong[0]?.text)
    }
    expect(wrong[0]?.body.error_code).toBe('INVALID_INVITATION_TOKEN')
  })

  it('are accepted once by concurrent requests', async () => {
    const token = await invitedToken(newEmail())
    const responses = await Promise.all(Array.from({ length: 6 }, () => accept(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
  })

  it('leave one open link when several are created concurrently', async () => {
    const email = newEmail()
    const invited = await Promise.all(Array.from({ length: 6 }, () => invite({ email })))
    expect(invited.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    await api.deps.background.drain()
    const tokens = api.mails
      .filter(({ to }) => to === email)
      .map(({ text }) => /Token: (\S+)/.exec(text)?.[1])
    const responses = []
    for (const token of tokens) responses.push((await accept(token)).status)
    expect(responses.sort()).toEqual([201, 400, 400, 400, 400, 400])
  })

  it('are rejected for an address that is registered, in any tenant and case', async () => {
    const tenantB = await createTenant(api)
    const user = await createAccount(api, tenantB)
    const response = await invite({ email: user.email.toUpperCase() })
    expect(response.status).toBe(409)
    expect(response.body).toMatchObject({
      detail: 'a user with this e-mail address exists',
      error_code: 'DUPLICATE_ENTRY',
    })
  })

  it('stay open when the address was registered meanwhile', async () => {
    const email = newEmail()
    const token = await invitedToken(email)
    const user = await createAccount(api, tenantA, { email })
    expect((await accept(token)).status).toBe(409)
    await api.call('DELETE', `/api/users/${user.id}`, { token: tenantA.admin.token })
    expect((await accept(token)).status).toBe(201)
  })

  it('do not need roles, and leave out those that were deleted', async () => {
    const { body: role } = await api.call('POST', '/api/roles', {
      token: tenantA.admin.token,
      body: { name: 'For a while', permissions: [] },
    })
    const email = newEmail()
    await invite({ email, role_ids: [role.id, roles.viewer] })
    await api.call('DELETE', `/api/roles/${role.id}`, { token: tenantA.admin.token })
    expect((await accept(await readMailedToken(api, email))).body.role_ids).toEqual([roles.viewer])
    const plain = newEmail()
    await invite({ email: plain })
    expect((await accept(await readMailedToken(api, plain))).body.role_ids).toEqual([])
  })

  it('apply the password policy without consuming the link', async () => {
    const token = await invitedToken(newEmail())
    const weak = await accept(token, { password: 'şifre' })
    expect(weak.status).toBe(422)
    expect(new Set(failurePaths(weak))).toEqual(new Set(['body.password']))
    expect(failurePaths(await accept(token, { full_name: undefined }))).toEqual(['body.full_name'])
    expect((await accept(token)).status).toBe(201)
  })

  it('are invalid while the tenant is inactive', async () => {
    const token = await invitedToken(newEmail())
    const { kysely } = api.deps.database
    await kysely.updateTable('tenant').set({ is_active: false }).where('id', '=', tenantA.id).execute()
    expect((await accept(token)).status).toBe(400)
  })

  it('require the permission, and roles that the caller may grant', async () => {
    expect((await invite('{nonsense', tenantA.operator.token)).status).toBe(403)
    const { body: role } = await api.call('POST', '/api/roles', {
      token: tenantA.admin.token,
      body: { name: 'Inviter', permissions: ['manage:user'] },
    })
    const { email } = await createAccount(api, tenantA, { role_ids: [role.id] })
    const { access_token } = (await login(api, email)).body
    const tooMuch = await invite({ email: newEmail(), role_ids: [roles.admin] }, access_token)
    expect([tooMuch.status, tooMuch.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    const foreign = (await systemRoles(api, await createTenant(api))).viewer
    const unknown = await invite({ email: newEmail(), role_ids: [randomUUID()] })
    expect([unknown.status, unknown.body.error_code]).toEqual([422, 'INVALID_REFERENCE'])
    expect((await invite({ email: newEmail(), role_ids: [foreign] })).text).toBe(unknown.text)
    expect(failurePaths(await invite({ email: 'x', role_ids: 'y' }))).toEqual(['body.email', 'body.role_ids'])
  })

  it('are rejected when their mail cannot be queued', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    while (api.deps.background.run('hold a place', () => held));
    const email = newEmail()
    const response = await invite({ email })
    expect([response.status, response.body.error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    release()
    await api.deps.background.drain()
    expect(await accept(await invitedToken(email))).toMatchObject({ status: 201 })
  })

  it('store no token in plain text', async () => {
    const token = await invitedToken(newEmail())
    const rows = await api.deps.database.kysely.selectFrom('invitation').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('pending invitations', () => {
  const list = (query = '', token = tenantA.viewer.token) =>
    api.call('GET', `/api/users/invitations${query}`, { token })
  const revoke = (id: string, token = tenantA.admin.token) =>
    api.call('DELETE', `/api/users/invitations/${id}`, { token })
  const emailsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.items.map(({ email }: { email: string }) => email)

  it('are listed until they are accepted, replaced or revoked, also after they expired', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => `${name}-${newEmail()}`)
    const firstToken = await invitedToken(first ?? '')
    await invitedToken(second ?? '')
    const replaced = await invite({ email: third })
    const current = await invite({ email: third, language: 'en' })
    const listed = await list('?sort_by=email&sort_order=asc', tenantA.admin.token)
    expect(listed.body).toMatchObject({ total: 3, skip: 0 })
    expect(listed.body.items.at(-1)).toEqual(current.body)
    expect(emailsOf(listed)).toEqual([first, second, third])
    expect(emailsOf(await list(`?search=${second?.slice(0, 8)}`, tenantA.admin.token))).toEqual([second])
    expect((await revoke(replaced.body.id)).status).toBe(404)
    await accept(firstToken)
    const reader = await createAccount(api, tenantA, { role_ids: [roles.admin] })
    api.clock.advance(8 * DAY_MS)
    const { access_token } = (await login(api, reader.email)).body
    expect(emailsOf(await list('?sort_by=email&sort_order=asc', access_token))).toEqual([second, third])
  })

  it('are revoked once, and their links stop working', async () => {
    const email = newEmail()
    const token = await invitedToken(email)
    const { body } = await list('', tenantA.admin.token)
    const [{ id }] = body.items
    expect((await revoke(id)).status).toBe(204)
    expect((await revoke(id)).status).toBe(404)
    expect((await accept(token)).body).toMatchObject({ error_code: 'INVALID_INVITATION_TOKEN' })
    expect((await list('', tenantA.admin.token)).body.total).toBe(0)
  })

  it('are not revoked by a user who could not grant their roles', async () => {
    const { body: role } = await api.call('POST', '/api/roles', {
      token: tenantA.admin.token,
      body: { name: 'inviter', permissions: ['read:user', 'manage:user'] },
    })
    const inviter = await createAccount(api, tenantA, { role_ids: [role.id] })
    const { access_token } = (await login(api, inviter.email)).body
    const stronger = await invite({ email: newEmail(), role_ids: [roles.admin] })
    expect((await revoke(stronger.body.id, access_token)).status).toBe(403)
    const without = await invite({ email: newEmail() })
    expect((await revoke(without.body.id, access_token)).status).toBe(204)
  })

  it('are not shown without the permission, and revoked with another one only', async () => {
    const { body } = await invite({ email: newEmail() })
    const noRoles = await createAccount(api, tenantA)
    const { access_token } = (await login(api, noRoles.email)).body
    expect((await list('', access_token)).status).toBe(403)
    expect((await revoke(body.id, tenantA.viewer.token)).status).toBe(403)
    const other = await createTenant(api)
    expect((await list('', other.admin.token)).body.total).toBe(0)
    expect((await revoke(body.id, other.admin.token)).status).toBe(404)
    expect((await revoke('x')).status).toBe(422)
  })
})
