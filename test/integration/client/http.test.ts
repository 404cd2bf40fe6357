import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  NetsaatClient,
} from '../../../clients/typescript/src/index.ts'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let client: NetsaatClient

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  client = new NetsaatClient({ baseUrl: `${api.url}/`, credentials: { accessToken: tenant.admin.token } })
})
afterAll(() => api.close())

const createRegion = async (name: string) => (await client.post('/api/regions', { body: { name } })).data
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  )

describe('the TypeScript client with the service', () => {
  it('creates, reads, changes and deletes a record', async () => {
    const { id } = await createRegion('Ege')
    const path = { id }
    const { data, etag, requestId } = await client.get('/api/regions/{id}', { path })
    expect(data.name).toBe('Ege')
    expect(requestId).toMatch(/^[\w-]{36}$/)
    await client.put('/api/regions/{id}', { path, body: { name: 'Batı' }, ifMatch: etag })
    const outdated = await failureOf(
      client.put('/api/regions/{id}', { path, body: { name: 'Ege' }, ifMatch: etag }),
    )
    expect(outdated).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' })
    expect((await client.delete('/api/regions/{id}', { path })).data).toBeUndefined()
  })

  it('edits a record again when somebody else changed it in between', async () => {
    const { id } = await createRegion('Kuzey')
    const path = { id }
    let attempts = 0
    const change = ({ name }: { readonly name: string }) => {
      attempts += 1
      return { name: `${name}!` }
    }
    const racing = new NetsaatClient({
      baseUrl: api.url,
      credentials: { accessToken: tenant.admin.token },
      fetch: async (url, init) => {
        if (init?.method === 'PUT' && attempts === 1)
          await client.put('/api/regions/{id}', { path, body: { name: 'Güney' } })
        return fetch(url, init)
      },
    })
    const { data } = await racing.edit('/api/regions/{id}', { path }, change)
    expect([data.name, attempts]).toEqual(['Güney!', 2])
  })

  it('reads lists page by page, in envelopes and as arrays', async () => {
    for (let count = 0; count < 5; count += 1) await createRegion(`page ${count}`)
    const names: string[] = []
    for await (const { name } of client.list('/api/regions', {
      query: { limit: 2, search: 'page', sort_by: 'name', sort_order: 'asc' },
    }))
      names.push(name)
    expect(names).toEqual([0, 1, 2, 3, 4].map((count) => `page ${count}`))
    for (let count = 0; count < 3; count += 1)
      await client.post('/api/mahsuplasma/organizations', {
        body: { name: `Firma ${count}`, org_type: 'supplier' },
      })
    const organizations: string[] = []
    for await (const { name } of client.list('/api/mahsuplasma/organizations', { query: { limit: 2 } }))
      organizations.push(name)
    expect(organizations.filter((name) => name.startsWith('Firma')).sort()).toEqual([
      'Firma 0',
      'Firma 1',
      'Firma 2',
    ])
  })

  it('throws errors with code, text, parameters and request id', async () => {
    const unknown = await failureOf(
      client.get('/api/regions/{id}', { path: { id: '00000000-0000-4000-8000-000000000000' } }),
    )
    expect(unknown).toBeInstanceOf(ApiError)
    expect(unknown).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' })
    expect((unknown as ApiError).requestId).toBeDefined()
    expect((unknown as ApiError).messageCode).toBeDefined()
    const invalid = (await failureOf(client.post('/api/regions', { body: { name: '' } }))) as ApiError
    expect([invalid.status, invalid.code, invalid.issues[0]?.loc]).toEqual([
      422,
      'VALIDATION_ERROR',
      ['body', 'name'],
    ])
  })

  it('replaces an expired token once for concurrent requests', async () => {
    const tokens = makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
    const user = { id: tenant.admin.id, tenantUid: tenant.uid }
    const renewed: string[] = []
    let refreshes = 0
    const expiring = new NetsaatClient({
      baseUrl: api.url,
      credentials: {
        accessToken: tokens.issue('access', user, api.clock.now() - 3_600_000),
        refreshToken: tokens.issue('refresh', user),
        onAccessToken: (token) => renewed.push(token),
      },
      fetch: (url, init) => {
        if (String(url).endsWith('/refresh')) refreshes += 1
        return fetch(url, init)
      },
    })
    await Promise.all([1, 2, 3, 4].map(() => expiring.get('/api/regions')))
    expect([refreshes, renewed.length]).toEqual([1, 1])
  })

  it('returns a file as a stream', async () => {
    const credentials = { accessToken: tenant.superuser.token }
    const superuser = new NetsaatClient({ baseUrl: api.url, credentials })
    const { data, headers } = await superuser.get('/api/mahsuplasma/history/template')
    expect(headers.get('content-type')).toContain('spreadsheetml')
    const bytes = new Uint8Array(await new Response(data).arrayBuffer())
    expect(String.fromCharCode(...bytes.slice(0, 2))).toBe('PK')
  })

  it('works with an API key', async () => {
    const { data } = await client.post('/api/api-keys', {
      body: { name: 'reader', permissions: ['read:region'], expires_in_days: 1 },
    })
    const reader = new NetsaatClient({ baseUrl: api.url, credentials: { apiKey: data.key } })
    expect((await reader.get('/api/regions')).status).toBe(200)
    expect(await failureOf(reader.get('/api/users'))).toMatchObject({ status: 403 })
  })
})

describe('the TypeScript client with failures', () => {
  let server: Server
  let responses: ((request: IncomingMessage, response: ServerResponse) => void)[]
  let received: { readonly method: string; readonly key: string | undefined; readonly body: string }[]
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    new NetsaatClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options })
  const respond =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
  const cut = (_request: IncomingMessage, response: ServerResponse) => void response.destroy()

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const key = request.headers['idempotency-key']
      const body = await text(request)
      received.push({ method: request.method ?? '', key: key as string | undefined, body })
      responses.shift()?.(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const expectResponses = (...list: typeof responses) => {
    responses = list
    received = []
  }

  it('sends a GET again after a cut connection and after 503', async () => {
    expectResponses(cut, respond(503, { detail: 'busy', error_code: 'X' }), respond(200, { items: [] }))
    expect((await clientOf().get('/api/regions')).data).toEqual({ items: [] })
    expect(received).toHaveLength(3)
  })

  it('sends a POST again with the same Idempotency-Key, where the operation honours it', async () => {
    const body = { name: 'Tedarikçi', org_type: 'supplier' } as const
    expectResponses(cut, respond(201, { id: '1' }))
    await clientOf().post('/api/mahsuplasma/organizations', { body })
    expect(received).toHaveLength(2)
    expect(received[0]?.key).toMatch(/^[\w-]{36}$/)
    expect(received[1]).toEqual(received[0])
  })

  it('does not send other POSTs again, because their outcome is unknown', async () => {
    expectResponses(cut)
    const failure = await failureOf(clientOf().post('/api/regions', { body: { name: 'Ege' } }))
    expect(failure).toBeInstanceOf(ConnectionError)
    expect(received).toEqual([{ method: 'POST', key: undefined, body: '{"name":"Ege"}' }])
  })

  it('waits for Retry-After of 429, and throws when it is too long or the attempts are used up', async () => {
    const limited = (seconds: string) =>
      respond(429, { detail: 'slow down', error_code: 'RATE_LIMITED' }, { 'retry-after': seconds })
    expectResponses(limited('0'), respond(201, { id: '1' }))
    await clientOf().post('/api/regions', { body: { name: 'Ege' } })
    expect(received).toHaveLength(2)
    expectResponses(limited('3600'))
    expect(await failureOf(clientOf().get('/api/regions'))).toMatchObject({ retryAfterMs: 3_600_000 })
    expectResponses(limited('0'), limited('0'))
    const failure = await failureOf(clientOf({ retries: 1 }).get('/api/regions'))
    expect(failure).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(received).toHaveLength(2)
  })

  it('ends an attempt after the timeout, and every attempt when the caller aborts', async () => {
    expectResponses(() => {})
    const late = await failureOf(clientOf({ retries: 0, timeoutMs: 50 }).get('/api/regions'))
    expect(late).toMatchObject({ name: 'ConnectionError', isTimeout: true })
    expectResponses(() => {})
    const controller = new AbortController()
    const call = clientOf().get('/api/regions', { signal: controller.signal })
    controller.abort(new Error('the page was left'))
    expect(await failureOf(call)).toMatchObject({ message: 'the page was left' })
  })
})

it('the types refuse unknown paths, missing parameters and wrong bodies', () => {
  const compile = (typed: NetsaatClient) => {
    // @ts-expect-error: no such path
    void typed.get('/api/nothing')
    // @ts-expect-error: the path parameter is required
    void typed.get('/api/regions/{id}')
    // @ts-expect-error: a name is a text
    void typed.post('/api/regions', { body: { name: 1 } })
    // @ts-expect-error: no such sorting
    void typed.get('/api/regions', { query: { sort_by: 'colour' } })
  }
  expect(compile).toBeTypeOf('function')
})
