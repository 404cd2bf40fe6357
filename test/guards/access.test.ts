import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forEveryone, requireAccessRules } from '../../src/platform/http/access.ts'
import type { App } from '../../src/platform/http/app-type.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { routeCollector } from '../support/routes.ts'

/** Every route without a token; a new one is added deliberately. */
const PUBLIC = [
  'DELETE /api/auth/session',
  'GET /',
  'GET /api/auth/oidc/callback',
  'GET /api/config/public',
  'GET /api/firmware/download/:token',
  'GET /docs',
  'GET /docs/explorer.js',
  'GET /email-verification',
  'GET /health',
  'GET /invitation',
  'GET /openapi.json',
  'GET /password-reset',
  'GET /readiness',
  'GET /signup',
  'POST /api/auth/email-verification/confirm',
  'POST /api/auth/invitations/accept',
  'POST /api/auth/login',
  'POST /api/auth/login/totp',
  'POST /api/auth/oidc/start',
  'POST /api/auth/oidc/token',
  'POST /api/auth/password-reset/confirm',
  'POST /api/auth/password-reset/request',
  'POST /api/auth/refresh',
  'POST /api/auth/session/refresh',
  'POST /api/auth/signup',
  'POST /api/auth/signup/confirm',
  'POST /api/auth/signup/resend',
  'POST /api/ocpp/uploads/:token',
  'POST /api/ocpp/uploads/:token/:name',
  'POST /api/v1/zigbee/claims/redeem',
  'PUT /api/auth/session',
  'PUT /api/ocpp/uploads/:token',
  'PUT /api/ocpp/uploads/:token/:name',
]
const BY_NETWORK = ['GET /metrics']
const BY_BROKER = ['POST /api/internal/gateway/connected', 'POST /api/internal/gateway/disconnected']

const { routes, onRoute } = routeCollector()
let api: TestApi
beforeAll(async () => {
  api = await startApi({ onRoute })
})
afterAll(() => api.close())

const named = (kind: string) =>
  routes
    .filter(({ access }) => access?.kind === kind)
    .map(({ method, url }) => `${method} ${url}`)
    .sort()

describe('access rules of routes', () => {
  it('are declared by every route', () => {
    expect(routes.length).toBeGreaterThan(60)
    expect(routes.filter(({ access }) => !access)).toEqual([])
  })

  it('allow public access on these routes only', () => {
    expect(named('everyone')).toEqual(PUBLIC)
    expect(named('network')).toEqual(BY_NETWORK)
    expect(named('broker')).toEqual(BY_BROKER)
  })

  it('answer 401 without a token on every other route, with any path and body', async () => {
    const closed = routes.filter(
      ({ access }) => !['everyone', 'network', 'broker'].includes(access?.kind ?? ''),
    )
    const open: string[] = []
    for (const { method, url } of closed) {
      const path = url.replaceAll(/:[a-z_]+/g, 'x')
      const response = await api.call(method, path, method === 'GET' ? {} : { body: '{nonsense' })
      if (response.status !== 401 || response.body.error_code !== 'INVALID_CREDENTIALS')
        open.push(`${method} ${url}: ${response.status}`)
    }
    expect(open).toEqual([])
  })

  it('stop the start when a route declares none', () => {
    const app = Fastify() as unknown as App
    requireAccessRules(app)
    expect(() => app.get('/silent', () => 'x')).toThrow(
      'GET /silent says neither which permission it needs nor that it is public',
    )
    expect(() => app.get('/public', forEveryone, () => 'x')).not.toThrow()
  })
})
