import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount, login, systemRoles } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let other: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  other = await createTenant(api)
})
afterAll(() => api.close())

async function linkedUser(body: Record<string, unknown> = {}): Promise<string> {
  const { id } = await createAccount(api, tenant, body)
  await api.deps.database.pool.query(
    `insert into oidc_identity (tenant_id, issuer, subject, user_id, created_at)
     values ($1, 'https://login.example.test', $2::text, $2::uuid, $3)`,
    [tenant.id, id, new Date(api.clock.now())],
  )
  return id
}

const unlink = (id: string, token: string) => api.call('DELETE', `/api/users/${id}/oidc-link`, { token })

it('a user is unlinked from the account of the provider, which is in the change log', async () => {
  const id = await linkedUser()
  const { token } = tenant.admin
  expect((await unlink(id, token)).status).toBe(204)
  const { body } = await unlink(id, token)
  expect(body).toMatchObject({ error_code: 'RESOURCE_NOT_FOUND', parameters: { what: 'OpenID link' } })
  const log = await api.call('GET', '/api/changes?resource_type=oidc_identity', { token })
  const actions = log.body.items.map((item: { action: string; resource_id: string }) => [
    item.action,
    item.resource_id,
  ])
  expect(actions.sort()).toEqual([
    ['create', id],
    ['delete', id],
  ])
})

it('is refused without the permission, for stronger users, other tenants and API keys', async () => {
  const id = await linkedUser()
  expect((await unlink(id, tenant.viewer.token)).status).toBe(403)
  expect((await unlink(id, other.admin.token)).status).toBe(404)
  expect((await unlink(randomUUID(), tenant.admin.token)).status).toBe(404)
  const role = await api.call('POST', '/api/roles', {
    token: tenant.admin.token,
    body: { name: 'manages users', permissions: ['read:user', 'manage:user'] },
  })
  const manager = await createAccount(api, tenant, { role_ids: [role.body.id] })
  const { admin } = await systemRoles(api, tenant)
  const stronger = await linkedUser({ role_ids: [admin] })
  const { access_token } = (await login(api, manager.email)).body
  expect((await unlink(stronger, access_token)).status).toBe(403)
  const key = await api.call('POST', '/api/api-keys', {
    token: tenant.admin.token,
    body: { name: 'a program', permissions: ['manage:user'], expires_in_days: 1 },
  })
  expect(key.status, key.text).toBe(201)
  expect((await unlink(id, key.body.key)).status).toBe(403)
  const { rows } = await api.deps.database.pool.query('select user_id from oidc_identity order by created_at')
  expect(rows).toHaveLength(2)
})
