import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../../src/platform/settings/config.ts'
import { startApi, type TestApi } from '../../support/api.ts'

const SECRET = 'secret-of-the-broker/+&='
const NETWORKS = ['127.0.0.0/8', '::1/128', '10.0.0.0/8']

let api: TestApi
afterEach(() => api.close())

const start = async (config: Partial<Config> = {}) => {
  api = await startApi({ config: { internalAllowedNetworks: NETWORKS, ...config } })
}
type Headers = Readonly<Record<string, string>>
const metrics = async (headers: Headers = {}) => (await api.call('GET', '/metrics', { headers })).status
const webhook = async (headers: Headers = {}, query = '') =>
  (await api.call('POST', `/api/internal/gateway/connected${query}`, { body: { clientid: 'x' }, headers }))
    .status
const readinessNotes = async (): Promise<string[]> => (await api.call('GET', '/readiness')).body.notes

describe('requests that a proxy forwards to internal endpoints', () => {
  it.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
    ['X-Forwarded-For with an internal address', { 'x-forwarded-for': '127.0.0.1' }],
    ['an empty X-Forwarded-For', { 'x-forwarded-for': '' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
  ] satisfies [string, Headers][])(
    'are not internal when an unknown proxy sends %s',
    async (_name, headers) => {
      await start({ brokerWebhookSecret: SECRET })
      expect(await metrics(headers)).toBe(404)
      expect(await webhook({ ...headers, authorization: `Bearer ${SECRET}` })).toBe(404)
      expect(await metrics()).toBe(200)
      expect(await webhook()).toBe(200)
    },
  )

  it('are checked by X-Forwarded-For when the proxy is trusted', async () => {
    await start({ trustedProxies: ['127.0.0.1'] })
    expect(await metrics({ 'x-forwarded-for': '203.0.113.9' })).toBe(404)
    expect(await metrics({ 'x-forwarded-for': '10.1.2.3' })).toBe(200)
    expect(await metrics({ 'x-forwarded-for': '10.1.2.3, 203.0.113.9' })).toBe(404)
    expect(await metrics({ 'x-forwarded-for': 'unknown' })).toBe(404)
    expect(await metrics()).toBe(200)
  })

  it('are not internal when a trusted proxy names the client in another header only', async () => {
    await start({ trustedProxies: ['127.0.0.1'] })
    expect(await metrics({ forwarded: 'for=10.1.2.3' })).toBe(404)
    expect(await metrics({ 'x-real-ip': '10.1.2.3' })).toBe(404)
    expect(await metrics({ 'x-forwarded-for': '10.1.2.3', via: '1.1 proxy' })).toBe(200)
  })
})

describe('webhooks of the broker', () => {
  it('from another machine require the secret, as bearer token or in the query', async () => {
    await start({ trustedProxies: ['127.0.0.1'], brokerWebhookSecret: SECRET })
    const remote = { 'x-forwarded-for': '10.1.2.3' }
    expect(await webhook(remote)).toBe(401)
    expect(await webhook({ ...remote, authorization: `Bearer ${SECRET}x` })).toBe(401)
    expect(await webhook({ ...remote, authorization: `Bearer ${SECRET}` })).toBe(200)
    const query = `?secret=${encodeURIComponent(SECRET)}`
    expect(await webhook(remote, query)).toBe(200)
    expect(await webhook(remote, '?secret=wrong')).toBe(401)
    expect(await webhook({ 'x-forwarded-for': '203.0.113.9' }, query)).toBe(404)
  })

  it('from another machine are refused when no secret is set', async () => {
    await start({ trustedProxies: ['127.0.0.1'] })
    expect(await webhook({ 'x-forwarded-for': '10.1.2.3' })).toBe(401)
    expect(await webhook({ 'x-forwarded-for': '10.1.2.3', authorization: 'Bearer undefined' })).toBe(401)
    expect(await webhook()).toBe(200)
  })
})

describe('/readiness', () => {
  it('reports a proxy that TRUSTED_PROXIES does not name', async () => {
    await start()
    expect(await readinessNotes()).toEqual([])
    await api.call('GET', '/health', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(await readinessNotes()).toEqual([expect.stringContaining('TRUSTED_PROXIES')])
  })

  it('reports open signup without verification on a public machine', async () => {
    const publicBaseUrl = 'https://netsaat.example'
    await start({ tenantSignupEnabled: true, publicBaseUrl })
    expect(await readinessNotes()).toEqual([expect.stringContaining('addresses are not verified')])
    await api.close()
    await start({ tenantSignupEnabled: true, publicBaseUrl, signupVerification: 'required' })
    expect(await readinessNotes()).toEqual([expect.stringContaining('reach nobody')])
    await api.close()
    await start({ tenantSignupEnabled: true })
    expect(await readinessNotes()).toEqual([])
  })

  it('reports networks that let clients choose their address, and an outside broker without secret', async () => {
    await start({
      trustedProxies: ['0.0.0.0/0'],
      internalAllowedNetworks: ['::/0'],
      mqttUrl: 'mqtt://broker.example',
    })
    expect(await readinessNotes()).toEqual([
      expect.stringContaining('TRUSTED_PROXIES'),
      expect.stringContaining('INTERNAL_ALLOWED_NETWORKS'),
      expect.stringContaining('BROKER_WEBHOOK_SECRET'),
    ])
  })
})
