import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

describe('system', () => {
  it('reports health and readiness without a login', async () => {
    expect((await api.call('GET', '/health')).body).toEqual({ status: 'ok' })
    const ready = await api.call('GET', '/readiness')
    expect(ready.status).toBe(200)
    expect(ready.body).toMatchObject({ status: 'ready', checks: { database: 'ok' } })
  })

  it('names the failing dependency without its error message', async () => {
    api.deps.readiness.check('planted', async () => {
      throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
    })
    const response = await api.call('GET', '/readiness')
    expect(response.status).toBe(503)
    expect(response.body).toMatchObject({
      status: 'not_ready',
      checks: { database: 'ok', planted: 'failed' },
    })
    expect(response.text).not.toContain('10.1.2.3')
    api.deps.readiness.check('planted', async () => {})
  })

  it('does not wait for a dependency that hangs', async () => {
    api.deps.readiness.check('planted', () => new Promise(() => {}))
    const response = await api.call('GET', '/readiness')
    expect(response.body.checks.planted).toBe('no answer in time')
    api.deps.readiness.check('planted', async () => {})
  })

  it('returns the public configuration without secrets', async () => {
    const { body, text } = await api.call('GET', '/api/config/public')
    expect(body).toMatchObject({
      tenant_signup_enabled: false,
      market_prices_enabled: false,
      password_policy: { min_length: 12, max_length: 128 },
      time_zone: 'Europe/Istanbul',
    })
    expect(text).not.toContain(api.deps.config.secretKey)
  })

  it('exposes request metrics by route pattern to internal networks', async () => {
    await api.call('GET', '/api/regions/7')
    const { status, text } = await api.call('GET', '/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/netsaat_http_request_seconds_count\{method="GET",route="\/api\/regions\/:id"/)
    expect(text).toMatch(/netsaat_db_connections\{state="idle"\}/)
    expect(text).not.toContain('/api/regions/7')
  })

  it('hides the metrics from other networks', async () => {
    const closed = await startApi({ config: { internalAllowedNetworks: ['10.9.9.9'] } })
    const response = await closed.call('GET', '/metrics')
    expect(response.status).toBe(404)
    expect(response.body.error_code).toBe('RESOURCE_NOT_FOUND')
    await closed.close()
  })
})
