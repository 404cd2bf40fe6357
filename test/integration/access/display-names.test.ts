import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failurePaths, newEmail, PASSWORD, readMailedToken } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ config: { tenantSignupEnabled: true } })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const BAD_NAMES = ['Fatura https://evil.example', 'Netsaat\nDestek', 'a\u202ecba']
const post = (path: string, body: object, token?: string) => api.call('POST', path, { token, body })

const signUp = (body: object) =>
  post('/api/auth/signup', {
    tenant_name: 'Çatı GES',
    full_name: 'Ece Ak',
    email: newEmail(),
    password: PASSWORD,
    ...body,
  })
const createUser = (body: object) =>
  post('/api/users', { email: newEmail(), password: PASSWORD, role_ids: [], ...body }, tenant.superuser.token)

function expectRefused(response: ApiResponse, path: string) {
  expect(response.status).toBe(422)
  expect(failurePaths(response)).toEqual([path])
}

describe('names of tenants and users', () => {
  it.each(BAD_NAMES)('are refused by every endpoint: %j', async (name) => {
    expectRefused(await signUp({ tenant_name: name }), 'body.tenant_name')
    expectRefused(await signUp({ full_name: name }), 'body.full_name')
    expectRefused(await createUser({ full_name: name }), 'body.full_name')
    const { body: user } = await createUser({ full_name: null })
    const path = `/api/users/${user.id}`
    const changed = await api.call('PUT', path, { token: tenant.admin.token, body: { full_name: name } })
    expectRefused(changed, 'body.full_name')
    const email = newEmail()
    await post('/api/users/invitations', { email }, tenant.admin.token)
    const token = await readMailedToken(api, email)
    const accept = { token, full_name: name, password: PASSWORD }
    expectRefused(await post('/api/auth/invitations/accept', accept), 'body.full_name')
    const create = { name, admin_email: newEmail(), admin_password: PASSWORD, admin_full_name: name }
    const created = await post('/api/v1/admin/tenants', create, tenant.superuser.token)
    expect(failurePaths(created)).toEqual(['body.admin_full_name', 'body.name'])
  })

  it('name the rule', async () => {
    const { body } = await signUp({ tenant_name: BAD_NAMES[0] })
    expect(body.detail).toMatchObject([
      {
        loc: ['body', 'tenant_name'],
        msg: 'must not contain a URL or an e-mail address',
        type: 'display-name',
      },
    ])
  })

  it('stored earlier cannot become a link in the mail of an invitation', async () => {
    await api.deps.database.kysely
      .updateTable('tenant')
      .set({ name: 'Öde: www.evil.example\nTıkla' })
      .where('id', '=', tenant.id)
      .execute()
    const email = newEmail()
    await post('/api/users/invitations', { email }, tenant.admin.token)
    await api.deps.background.drain()
    const mail = api.mails.findLast(({ to }) => to === email)
    expect(mail?.text).toContain('"Öde: www. evil. example Tıkla" invites you')
  })
})
