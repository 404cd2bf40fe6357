/** The HTTP client of the acceptance tests. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { NetsaatClient } from '../../clients/typescript/src/index.ts'
import { type ApiResponse, RATE_LIMIT_RETRIES, request } from './request.ts'
import type { AcceptanceTarget } from './setup.ts'
import { signIn } from './sign-in.ts'

export { request }

/** A prepared user, or one of a tenant that a test has created. */
export type User = 'superuser' | 'admin' | 'operator' | 'viewer' | { readonly token: string }

/** Sends a request as a user, or without a token when no user is given. */
export function call(
  user: User | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  return request(baseUrl(), method, path, {
    ...(user && { token: tokenOf(user) }),
    ...(body !== undefined && { body }),
  })
}

/** The TypeScript client of a user, for tests that use the API as programs do. */
export const clientOf = (user: User): NetsaatClient =>
  new NetsaatClient({
    baseUrl: baseUrl(),
    credentials: { accessToken: tokenOf(user) },
    retries: RATE_LIMIT_RETRIES,
  })

export const baseUrl = (): string => inject('acceptance').baseUrl
export const tokenOf = (user: User): string =>
  typeof user === 'string' ? (renewed ?? inject('acceptance')).tokens[user] : user.token

/** A token is valid for 30 minutes, and a file of tests takes less than 25. */
const TOKEN_AGE_MAX_MS = 5 * 60_000
let renewed: Pick<AcceptanceTarget, 'tokens' | 'issuedAt'> | undefined

/** Signs in again when the tokens are old: on a slow machine other tests have run since. */
export async function renewTokens(): Promise<void> {
  const { accounts, ...first } = inject('acceptance')
  if (Date.now() - (renewed ?? first).issuedAt < TOKEN_AGE_MAX_MS) return
  const issuedAt = Date.now()
  const tokens = { ...first.tokens }
  for (const user of ['superuser', 'admin', 'operator', 'viewer'] as const)
    tokens[user] = await signIn(first.baseUrl, accounts[user])
  renewed = { tokens, issuedAt }
}

/** A name that no other record of the tenant has. */
export const uniqueName = (kind: string): string => `${kind} ${randomBytes(5).toString('hex')}`

/** Sends a request that must succeed; returns the body. */
export async function create(user: User, path: string, body: unknown) {
  const response = await call(user, 'POST', path, body)
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`)
  return response.body
}

/** The admin of a new tenant, for a test that changes a setting of its tenant. */
export async function createTenant(): Promise<{ readonly token: string }> {
  const account = { email: `${randomBytes(6).toString('hex')}@acceptance.test`, password: 'Tenant-4711-pass' }
  const { email: admin_email, password: admin_password } = account
  await create('superuser', '/api/v1/admin/tenants', {
    ...{ name: uniqueName('tenant'), admin_email, admin_password },
  })
  const { status, body, text } = await call(undefined, 'POST', '/api/auth/login', account)
  if (status !== 200) throw new Error(`${admin_email} cannot sign in: ${status} ${text}`)
  return { token: body.access_token }
}

/** A subregion in a separate region. */
export async function createSubregion(): Promise<string> {
  const region = await create('admin', '/api/regions', { name: uniqueName('region') })
  const subregion = await create('admin', '/api/subregions', {
    name: uniqueName('subregion'),
    region_id: region.id,
  })
  return subregion.id
}

export async function createMeter(): Promise<string> {
  const device = await create('admin', '/api/devices', {
    name: uniqueName('meter'),
    device_type: 'energy_analyzer',
    device_source: 'manual',
  })
  return device.id
}

/** Reads until the condition holds. A deployment may be slow, so the limit is generous. */
export async function eventually<T>(
  read: () => Promise<T>,
  isReached: (value: T) => boolean,
  maxMs = 120_000,
): Promise<T> {
  const until = performance.now() + maxMs
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    if (performance.now() > until) throw new Error(`not reached: ${JSON.stringify(value)}`)
    await sleep(500)
  }
}
