import { describe, expect, it } from 'vitest'
import { baseUrl, call } from './client.ts'

describe('the service', () => {
  it('reports health and readiness', async () => {
    expect((await call(undefined, 'GET', '/health')).status).toBe(200)
    expect((await call(undefined, 'GET', '/readiness')).status).toBe(200)
  })

  it('serves its OpenAPI document and the documentation page', async () => {
    const { status, body } = await call(undefined, 'GET', '/openapi.json')
    expect(status).toBe(200)
    expect(Object.keys(body.paths).length).toBeGreaterThan(200)
    const page = await fetch(`${baseUrl()}/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
  })

  it('answers an unknown path with an error in JSON', async () => {
    const { status, body } = await call('admin', 'GET', '/api/no-such-thing')
    expect(status).toBe(404)
    expect(body).toBeTypeOf('object')
  })

  it('lists tenants for the superuser only', async () => {
    const { status, body } = await call('superuser', 'GET', '/api/v1/admin/tenants?limit=1')
    expect([status, body.items.length]).toEqual([200, 1])
  })
})
