import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

describe('system', () => {
  it('says that it lives and that it is ready, to anybody', async () => {
    expect((await api.call('GET', '/health')).body).toEqual({ status: 'ok' })
    const ready = await api.call('GET', '/readiness')
    expect(ready.status).toBe(200)
    expect(ready.body).toMatchObject({ status: 'ready', checks: { database: 'ok' } })
  })

  it('names the dependency that fails, and says nothing of its inside', async () => {
    api.deps.readiness.check('planted', async () => {
      throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
    })
    const answer = await api.call('GET', '/readiness')
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({
      status: 'not_ready',
      checks: { database: 'ok', planted: 'failed' },
    })
    expect(answer.text).not.toContain('10.1.2.3')
    api.deps.readiness.check('planted', async () => {})
  })

  it('does not wait for a dependency that hangs', async () => {
    api.deps.readiness.check('planted', () => new Promise(() => {}))
    const answer = await api.call('GET', '/readiness')
    expect(answer.body.checks.planted).toBe('no answer in time')
    api.deps.readiness.check('planted', async () => {})
  })

  it('tells a front end what it needs before login, and nothing secret', async () => {
    const { body, text } = await api.call('GET', '/api/config/public')
    expect(body).toMatchObject({
      tenant_signup_enabled: false,
      password_policy: { min_length: 12, max_length: 128 },
      time_zone: 'Europe/Istanbul',
    })
    expect(text).not.toContain(api.deps.config.secretKey)
  })

  it('measures requests by route pattern for the inner network', async () => {
    await api.call('GET', '/api/regions/7')
    const { status, text } = await api.call('GET', '/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/netsaat_http_request_seconds_count\{method="GET",route="\/api\/regions\/:id"/)
    expect(text).toMatch(/netsaat_db_connections\{state="idle"\}/)
    expect(text).not.toContain('/api/regions/7')
  })

  it('hides the measurements from everybody else', async () => {
    const closed = await startApi({ config: { internalAllowedNetworks: ['10.9.9.9'] } })
    const answer = await closed.call('GET', '/metrics')
    expect(answer.status).toBe(404)
    expect(answer.body.error_code).toBe('RESOURCE_NOT_FOUND')
    await closed.close()
  })
})
