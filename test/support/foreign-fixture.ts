import { randomBytes } from 'node:crypto'
import type { TestApi } from './api.ts'
import type { TestTenant } from './tenants.ts'

/**
 * The context in which records of a tenant are created, for the walk over all routes with an id (cross-tenant
 * test).
 */
export interface ForeignFixture {
  readonly api: TestApi
  readonly tenant: TestTenant
}
export type PathIds = Readonly<Record<string, string>>

export const unique = (prefix: string): string => `${prefix} ${randomBytes(6).toString('hex')}`

export async function post({ api, tenant }: ForeignFixture, path: string, body: object): Promise<string> {
  const response = await api.call('POST', path, { token: tenant.superuser.token, body })
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${response.text}`)
  return response.body.id
}
