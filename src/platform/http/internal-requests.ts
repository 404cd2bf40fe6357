import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { hashLinkToken } from '../auth/link-token.ts'
import type { App } from './app-type.ts'
import { HTTP_TEXTS } from './messages.ts'
import { type Networks, parseNetworks } from './networks.ts'

/**
 * Decides which requests are internal: those that a machine of INTERNAL_ALLOWED_NETWORKS sends itself.
 *
 * A proxy on the same machine connects from loopback for every client. So a request with a header of
 * a proxy is internal only if the proxy is trusted (TRUSTED_PROXIES) and names an internal client in
 * X-Forwarded-For. The other headers do not name a client reliably; they only show that there is a proxy. A
 * proxy that adds no header at all cannot be recognized.
 */

/** Headers that show that a request was forwarded. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'] as const

const LOOPBACK = parseNetworks(['127.0.0.0/8', '::1/128'])
const PRIVATE = parseNetworks([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
])

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined)

const peerOf = ({ socket }: FastifyRequest): string => socket.remoteAddress ?? ''

export interface InternalRequests {
  isInternal(request: FastifyRequest): boolean
  /** True for a request that a program on this machine sends itself, without a proxy. */
  isFromThisMachine(request: FastifyRequest): boolean
}

export function makeInternalRequests(allowed: Networks, trustedProxies: Networks): InternalRequests {
  const clientIsKnown = (request: FastifyRequest): boolean =>
    !isForwarded(request) ||
    (trustedProxies.contains(peerOf(request)) &&
      String(request.headers['x-forwarded-for'] ?? '').trim() !== '')
  return {
    isInternal: (request) => clientIsKnown(request) && allowed.contains(request.ip),
    isFromThisMachine: (request) => !isForwarded(request) && LOOPBACK.contains(peerOf(request)),
  }
}

/**
 * The returned function returns true once a proxy in a private network that is not trusted has forwarded a
 * request. A client with a public address may have sent the headers itself, so it does not count.
 */
export function detectUnknownProxies(app: App, trustedProxies: Networks): () => boolean {
  let isDetected = false
  app.addHook('onRequest', (request, _reply, done) => {
    const peer = peerOf(request)
    if (!isDetected && isForwarded(request) && PRIVATE.contains(peer) && !trustedProxies.contains(peer))
      isDetected = true
    done()
  })
  return () => isDetected
}

const wrongSecret = () => new AppError(401, 'INVALID_CREDENTIALS', HTTP_TEXTS.BROKER_SECRET_NEEDED())

function givenSecret({ headers, query }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(.+?) *$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const { secret } = (query ?? {}) as { secret?: unknown }
  return typeof secret === 'string' ? secret : undefined
}

/** Throws 401 without the secret, or when none is set. Hashes are compared, because they have equal length. */
export function requireWebhookSecret(request: FastifyRequest, expected: string | undefined): void {
  const given = givenSecret(request)
  if (expected === undefined || given === undefined) throw wrongSecret()
  if (!timingSafeEqual(hashLinkToken(given), hashLinkToken(expected))) throw wrongSecret()
}
