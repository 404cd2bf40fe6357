import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ config: { corsOrigins: ['https://app.example'] } })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const create = async (name: string) =>
  (await api.call('POST', '/api/regions', { token: tenant.admin.token, body: { name } })).body

/** Bytes that fetch would not send. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    let response = ''
    socket.on('data', (data) => {
      response += String(data)
    })
    socket.on('close', () => resolve(response))
    socket.on('error', reject)
    socket.end(text)
  })

describe('request ids', () => {
  it('accept a valid id from the caller and return it, also with an error', async () => {
    const response = await api.call('GET', '/api/regions', { headers: { 'x-request-id': 'gate-7:42' } })
    expect(response.headers.get('x-request-id')).toBe('gate-7:42')
  })

  it('are generated when missing or unsafe for a log', async () => {
    for (const given of [{}, { 'x-request-id': '{"a":"b"}' }, { 'x-request-id': 'x'.repeat(200) }]) {
      const id = (await api.call('GET', '/health', { headers: given })).headers.get('x-request-id')
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    api.call('OPTIONS', '/api/regions', {
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization, x-any',
      },
    })

  it('answer the preflight of a listed origin without a token', async () => {
    const response = await preflight('https://app.example')
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, x-any')
  })

  it('expose errors to a listed origin too', async () => {
    const response = await api.call('GET', '/api/regions', { headers: { origin: 'https://app.example/' } })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example/')
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
  })

  it('allow no other origin, and none at all without a list', async () => {
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    const closed = await startApi()
    const response = await closed.call('OPTIONS', '/api/regions', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect(response.status).toBe(404)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    await closed.close()
  })
})

describe('ETags', () => {
  it('answer 304 to a client that has the current version', async () => {
    const { id } = await create('tagged')
    const first = await api.call('GET', `/api/regions/${id}`, { token: tenant.viewer.token })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/)
    const again = await api.call('GET', `/api/regions/${id}`, {
      token: tenant.viewer.token,
      headers: { 'if-none-match': `W/${etag}` },
    })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await api.call('GET', '/api/regions', { token: tenant.viewer.token })).headers.get('etag')).toBe(
      null,
    )
  })

  it('reject a change of an outdated version with 412 and change nothing', async () => {
    const { id } = await create('contested')
    const path = `/api/regions/${id}`
    const read = () => api.call('GET', path, { token: tenant.admin.token })
    const put = (etag: string | null, code: string) =>
      api.call('PUT', path, {
        token: tenant.admin.token,
        body: { code },
        headers: { 'if-match': etag ?? '' },
      })
    const etag = (await read()).headers.get('etag')
    expect((await put(etag, 'one')).status).toBe(200)
    const refused = await put(etag, 'two')
    expect(refused.status).toBe(412)
    expect(refused.body.error_code).toBe('PRECONDITION_FAILED')
    expect((await read()).body.code).toBe('one')
    expect((await put('*', 'three')).status).toBe(200)
    const remove = await api.call('DELETE', path, {
      token: tenant.admin.token,
      headers: { 'if-match': '"stale"' },
    })
    expect(remove.status).toBe(412)
  })

  it('are compared by the rules of RFC 9110 for If-Match', async () => {
    const { id } = await create('compared')
    const path = `/api/regions/${id}`
    const { token } = tenant.admin
    const etag = (await api.call('GET', path, { token })).headers.get('etag') ?? ''
    const statusOf = async (ifMatch: string, code = etag) => {
      const tag = (await api.call('GET', path, { token })).headers.get('etag') ?? ''
      const headers = { 'if-match': ifMatch.replaceAll(etag, tag) }
      return (
        await api.call('PUT', path, { token, body: { code: code.slice(0, 5) + ifMatch.length }, headers })
      ).status
    }
    const tag = etag.slice(1, -1)
    const written = tag.split('.')[0]
    for (const [ifMatch, status] of [
      ['*', 200],
      [' * ', 200],
      [etag, 200],
      [`"other", ${etag}`, 200],
      [`"a,b",\t${etag} , W/"x"`, 200],
      // A weak tag is never equal in the strong comparison.
      [`W/${etag}`, 412],
      ['"other"', 412],
      ['""', 412],
      [`"${written}"`, 412],
    ] as const)
      expect([ifMatch, await statusOf(ifMatch)]).toEqual([ifMatch, status])
    for (const invalid of [
      '',
      '   ',
      ',',
      'other',
      tag,
      `"${tag}`,
      `"${written}`,
      `${etag} ${etag}`,
      `*, ${etag}`,
      'w/"x"',
    ]) {
      const response = await api.call('PUT', path, {
        ...{ token, body: { code: 'never' }, headers: { 'if-match': invalid } },
      })
      expect([invalid, response.status, response.body.detail?.[0]?.loc]).toEqual([
        invalid,
        422,
        ['header', 'if-match'],
      ])
    }
    expect((await api.call('GET', path, { token })).body.code).not.toBe('never')
  })

  it('let one of twenty concurrent writers with the same tag succeed', async () => {
    const { id } = await create('raced')
    const path = `/api/regions/${id}`
    const etag = (await api.call('GET', path, { token: tenant.admin.token })).headers.get('etag') ?? ''
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api.call('PUT', path, {
          token: tenant.admin.token,
          body: { code: `w${i}` },
          headers: { 'if-match': etag },
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(19)
  })

  it('ignore reports of the device for If-Match, but not for If-None-Match', async () => {
    const { token } = tenant.admin
    const meter = { name: 'live', device_type: 'energy_analyzer', extra_metadata: { last_seen: 'here' } }
    const path = `/api/devices/${(await api.call('POST', '/api/devices', { token, body: meter })).body.id}`
    const read = (headers = {}) => api.call('GET', path, { token, headers })
    const etag = (await read()).headers.get('etag') ?? ''
    const timestamp = new Date(api.clock.now()).toISOString()
    const samples = [{ device_id: path.slice(-36), timestamp, values: { voltage: 230 } }]
    expect((await api.call('POST', '/api/measurements', { token, body: { samples } })).status).toBe(201)
    const newVersion = await read({ 'if-none-match': etag })
    expect([newVersion.status, newVersion.body.is_online]).toEqual([200, true])
    const put = (extra_metadata: object) =>
      api.call('PUT', path, { token, body: { extra_metadata }, headers: { 'if-match': etag } })
    expect((await put({ last_seen: 'there' })).status).toBe(200)
    expect((await put({ last_seen: 'nowhere' })).status).toBe(412)
  })

  it('answer 404 for an unknown record, with or without a tag', async () => {
    const response = await api.call('PUT', '/api/regions/00000000-0000-4000-8000-000000000000', {
      token: tenant.admin.token,
      body: { code: 'x' },
      headers: { 'if-match': '"any"' },
    })
    expect(response.status).toBe(404)
  })
})

describe('query parameters', () => {
  const ignoredOf = async (path: string, token: string | undefined = tenant.admin.token) => {
    const { status, headers } = await api.call('GET', path, { token })
    return [status, headers.get('x-ignored-parameters')]
  }

  it('that an operation does not know are named in a header', async () => {
    expect(await ignoredOf('/api/devices?nmae=meter&limit=5&is_onlin=true')).toEqual([200, 'nmae, is_onlin'])
    expect(await ignoredOf('/api/auth/me?page=2')).toEqual([200, 'page'])
    expect(await ignoredOf('/api/devices?limit=0&nmae=meter')).toEqual([422, 'nmae'])
  })

  it('that it knows are not named', async () => {
    expect(await ignoredOf('/api/devices?name=meter&limit=5')).toEqual([200, null])
    expect(await ignoredOf('/api/regions')).toEqual([200, null])
  })

  it('with any name and in any number leave a valid header', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `a${i}%0d%0aX-Evil:%20ğ=1`).join('&')
    const { status, headers } = await api.call('GET', `/api/devices?${many}`, { token: tenant.admin.token })
    expect(status).toBe(200)
    expect(headers.get('x-evil')).toBeNull()
    expect(headers.get('x-ignored-parameters')?.split(', ')).toHaveLength(10)
    expect(headers.get('x-ignored-parameters')).toContain('a0%0D%0AX-Evil%3A%20%C4%9F')
  })
})

describe('HTTP server', () => {
  it('rejects a body that is too large with 413', async () => {
    const response = await api.call('POST', '/api/regions', {
      token: tenant.admin.token,
      body: { name: 'x'.repeat(9 * 1024 * 1024) },
    })
    expect(response.status).toBe(413)
    expect(response.body.error_code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('does not log an internal error when a client aborts within its body', async () => {
    const statuses: number[] = []
    const open = await startApi({
      extend: (app) =>
        app.post('/hung-up', {
          config: { access: { kind: 'everyone' } },
          onSend: async (_request, reply) => void statuses.push(reply.statusCode),
          handler: async () => 'never',
        }),
    })
    const socket = connect(Number(new URL(open.url).port), '127.0.0.1')
    const head = 'POST /hung-up HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000'
    socket.write(`${head}\r\n\r\n{"na`, () => setTimeout(() => socket.destroy(), 100))
    await expect.poll(() => statuses).toEqual([400])
    await open.close()
  })

  it('answers unknown methods and paths and malformed requests with its own error format', async () => {
    expect((await api.call('PATCH', '/health')).body.error_code).toBe('RESOURCE_NOT_FOUND')
    expect((await api.call('GET', '/api/%zz')).body).toMatchObject({
      detail: 'no such endpoint',
      error_code: 'RESOURCE_NOT_FOUND',
    })
    expect(await raw('NONSENSE\r\n\r\n')).toContain('"error_code":"VALIDATION_ERROR"')
    expect(await raw(`GET /health HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)).toContain('431')
  })

  it('sends the headers that prevent content sniffing', async () => {
    const { headers } = await api.call('GET', '/health')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
