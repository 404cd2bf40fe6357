import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAddressPolicy } from './address-policy.ts'
import { AddressRefusedError, makeConnectGuard } from './connect-guard.ts'
import { makeGuardedFetch } from './guarded-fetch.ts'
import { makeOwnEndpoints } from './own-endpoints.ts'

const MAX_BYTES = 1000
const paths: string[] = []
const server = createServer((request, response) => {
  const path = request.url ?? ''
  paths.push(path)
  if (path === '/redirect') return void response.writeHead(302, { location: '/target' }).end()
  if (path === '/long') return void response.end('x'.repeat(MAX_BYTES + 1))
  if (path === '/silent') return
  if (path === '/empty') return void response.writeHead(204).end()
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => response.setHeader('set-cookie', ['a=1', 'b=2']).end(`${request.method} ${body}`))
})
let base: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetchOf = (allowedNetworks: readonly string[], timeoutMs = 10_000) =>
  makeGuardedFetch({
    guardOf: () =>
      makeConnectGuard({
        policy: makeAddressPolicy({ allowedNetworks, isPublicPermitted: true }),
        ownEndpoints: makeOwnEndpoints([]),
      }),
    timeoutMs,
    bodyMaxBytes: MAX_BYTES,
  })
const get = (path: string, init: object = {}) =>
  fetchOf(['127.0.0.1'])(base + path, { method: 'GET', headers: {}, ...init })

describe('guarded fetch', () => {
  it('sends a form and returns status, headers and body', async () => {
    const body = new URLSearchParams({ code: 'ş' })
    const response = await get('/', { method: 'POST', body })
    expect([response.status, await response.text()]).toEqual([200, 'POST code=%C5%9F'])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await get('/empty')).status).toBe(204)
  })

  it('does not follow redirects', async () => {
    expect((await get('/redirect')).status).toBe(302)
    expect(paths).not.toContain('/target')
  })

  it('limits the length of a response, and its time', async () => {
    await expect(get('/long')).rejects.toThrow('longer than 1000 bytes')
    await expect(
      fetchOf(['127.0.0.1'], 1)(`${base}/silent`, { method: 'GET', headers: {} }),
    ).rejects.toThrow()
    await expect(get('/silent', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    )
  })

  it('refuses an address that is not permitted, without a connection', async () => {
    const before = paths.length
    const url = base.replace('127.0.0.1', 'localhost')
    for (const target of [base, url])
      await expect(fetchOf([])(target, { method: 'GET', headers: {} })).rejects.toThrow(AddressRefusedError)
    // The aborted request of the test before may arrive meanwhile, with a path of its own.
    expect(paths.slice(before)).not.toContain('/')
  })
})
