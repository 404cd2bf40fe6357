import { randomBytes } from 'node:crypto'
import type { TestApi } from './api.ts'
import type { TestTenant } from './tenants.ts'

/** What the walk over all routes with an id needs of each resource: a real record of a tenant, and bodies that are valid. */
export interface World {
  readonly api: TestApi
  readonly tenant: TestTenant
}
export type PathIds = Readonly<Record<string, string>>

export const unique = (word: string): string => `${word} ${randomBytes(6).toString('hex')}`

export async function post({ api, tenant }: World, path: string, body: object): Promise<string> {
  const answer = await api.call('POST', path, { token: tenant.superuser.token, body })
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body.id
}
