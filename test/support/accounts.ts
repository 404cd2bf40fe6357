import { randomBytes } from 'node:crypto'
import type { ApiResponse, TestApi } from './api.ts'
import type { TestTenant } from './tenants.ts'

export const PASSWORD = 'ĞüzelŞifre12'

/** A user who can sign in, created over HTTP by the tenant's admin. */
export async function createAccount(
  api: TestApi,
  tenant: TestTenant,
  body: Record<string, unknown> = {},
): Promise<{ id: string; email: string }> {
  const response = await api.call('POST', '/api/users', {
    token: tenant.superuser.token,
    body: { email: newEmail(), password: PASSWORD, role_ids: [], ...body },
  })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}

export const newEmail = () => `user-${randomBytes(5).toString('hex')}@example.test`

export const login = (api: TestApi, email: string, password = PASSWORD): Promise<ApiResponse> =>
  api.call('POST', '/api/auth/login', { body: { email, password } })

export const refresh = (api: TestApi, token: string): Promise<ApiResponse> =>
  api.call('POST', '/api/auth/refresh', { body: { refresh_token: token } })

/** Ids of the three system roles of a tenant, by name. */
export async function systemRoles(
  api: TestApi,
  tenant: TestTenant,
): Promise<Record<'admin' | 'operator' | 'viewer', string>> {
  const { body } = await api.call('GET', '/api/roles?limit=200', { token: tenant.admin.token })
  const idOf = (roleName: string): string =>
    body.items.find(
      ({ name, is_system }: { name: string; is_system: boolean }) => is_system && name === roleName,
    ).id
  return { admin: idOf('admin'), operator: idOf('operator'), viewer: idOf('viewer') }
}

/** The token in the newest mail to an address, after background work is done. */
export async function readMailedToken(api: TestApi, email: string): Promise<string | undefined> {
  await api.deps.background.drain()
  const mail = api.mails.findLast(({ to }) => to === email)
  return /Token: (\S+)/.exec(mail?.text ?? '')?.[1]
}

/** Paths of the failures in a 422 response. */
export const failurePaths = ({ body }: ApiResponse): string[] =>
  body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')).sort()
