import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FuzzClient, makeClient, type RawResponse } from '../../fuzz/client.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
let client: FuzzClient
beforeAll(async () => {
  const rateLimits = { ...testConfig().rateLimits, signupPerEmailHour: 100, invitationsPerTenantDay: 100 }
  api = await startApi({ config: { rateLimits } })
  client = makeClient(api.url, 60_000)
})
afterAll(async () => {
  client.close()
  await api.close()
})

/** Sends the path unchanged, which `fetch` would normalize. */
async function get(path: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  const response = await client.send({ method: 'GET', path, headers, body: undefined })
  if (response.kind === 'none') throw new Error(`${path}: ${response.reason}`)
  return response
}

const codeOf = ({ body }: RawResponse): unknown =>
  (JSON.parse(body.toString()) as { error_code?: unknown }).error_code

it('answers a counted operation whose path ends in a slash with 404, with and without a token', async () => {
  const tenant = await createTenant(api)
  const path = '/api/auth/email-verification/request/'
  expect((await api.call('POST', path)).status).toBe(404)
  expect((await api.call('POST', path, { token: tenant.admin.token })).status).toBe(404)
})

describe('paths below the browsable documentation', () => {
  it.each([
    '/docs/static/%2e%2e/package.json',
    '/docs/%2e%2e/%2e%2e/index.js',
    '/docs/..%2f..%2findex.js',
    '/docs/%2e%2e%5cpackage.json',
    '/docs/.hidden',
    '/docs/unknown.css',
    '/docs/%00',
  ])('answer %s with 404 or 422, and never with 500', async (path) => {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, path.includes('%00') ? 422 : 404])
    if (response.status === 404) expect(codeOf(response)).toBe('RESOURCE_NOT_FOUND')
  })

  it.each([
    { 'If-Match': '"stale"' },
    { Range: 'bytes=999999999-' },
    { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'Accept-Encoding': 'nonsense;q=0' },
  ])('answer conditional requests (%o) for the script with the script', async (headers) => {
    const { status } = await get('/docs/explorer.js', headers as Record<string, string>)
    expect(status).toBe(200)
  })
})

describe('a request that no route receives', () => {
  it('has a request id in its response when its URL cannot be decoded', async () => {
    const response = await get('/api/devices/%ff', { 'X-Request-Id': 'from-the-client' })
    expect(response.status).toBe(404)
    expect(response.headers['x-request-id']).toBe('from-the-client')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })

  it('is answered like any other when it has an unknown Expect header', async () => {
    const response = await get('/health', { Expect: 'nonsense' })
    expect(response.status).toBe(200)
  })
})
