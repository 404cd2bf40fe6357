import cors from '@fastify/cors'
import type { FastifyReply } from 'fastify'
import type { Readiness } from '../observability/readiness.ts'
import type { App } from './app-type.ts'

/** The headers of responses that scripts of other origins may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replay',
  'Location',
  'Retry-After',
  'X-Ignored-Parameters',
  'X-Request-Id',
  'X-Total-Count',
]

/** Normalizes an origin for comparison: without white space and without one trailing slash. */
const normal = (origin: string): string => origin.trim().replace(/\/$/, '').toLowerCase()

/**
 * Adds CORS headers for the configured origins. It is registered before the access rules, because a
 * preflight request carries no token.
 */
export async function allowOrigins(app: App, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = new Set(origins.map(normal))
  await app.register(cors, {
    origin: (origin, answer) => answer(null, origin !== undefined && allowed.has(normal(origin))),
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: EXPOSED_HEADERS,
    strictPreflight: false,
    maxAge: 600,
  })
}

/**
 * Adds the headers that keep a browser from guessing the type of responses, framing or storing them; during the
 * stop, also `Connection: close`, so that clients connect elsewhere.
 */
export function addSecurityHeaders(app: App, { isStopping }: Readiness): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping()) void reply.header('Connection', 'close')
    setSecurityHeaders(reply)
    done(null, payload)
  })
}

export function setSecurityHeaders(reply: FastifyReply): void {
  void reply.header('X-Content-Type-Options', 'nosniff')
  void reply.header('X-Frame-Options', 'DENY')
  void reply.header('Referrer-Policy', 'no-referrer')
  if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store')
}
