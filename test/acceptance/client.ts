/**
 * The HTTP client of the acceptance tests. It repeats a request that the rate limit rejected, as a client
 * should.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { NetsaatClient } from '../../clients/typescript/src/index.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON body, undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: untyped JSON; each test asserts the fields that it reads
  readonly body: any
}

export interface RequestOptions {
  readonly token?: string
  /** Sent as JSON; a form is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const RATE_LIMIT_RETRIES = 20

export async function request(
  baseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const { token, body, headers = {} } = options
  const isForm = body instanceof FormData
  const init: RequestInit = {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(baseUrl + path, init)
    const text = await response.text()
    if (response.status === 429 && attempt < RATE_LIMIT_RETRIES) {
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
      continue
    }
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }
}

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
  typeof user === 'string' ? inject('acceptance').tokens[user] : user.token

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
