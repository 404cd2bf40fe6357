import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { lockResource } from '../db/locks.ts'
import type { SystemTx, TenantTx } from '../db/tenant.ts'
import type { App } from './app-type.ts'

/** How a single resource is read: the handler of its GET and the schema of its answer. */
interface Reader {
  readonly handler: RouteHandlerMethod
  readonly answer: Record<string, unknown> | undefined
}

const isSingle = (url: string): boolean => /\/:[A-Za-z_]+$/.test(url)
const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** `*`, or a list of tags. A weak tag never matches If-Match, and counts as its strong twin in If-None-Match. */
function matchesTag(header: string, etag: string, { weak }: { weak: boolean }): boolean {
  return header
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag || (weak && tag === `W/${etag}`))
}

/**
 * Optimistic locking without a version column. The ETag of a single resource is a hash of what its GET answers;
 * If-Match on a PUT, PATCH or DELETE of the same path reads that answer again, inside the transaction of the write
 * and under a lock on the path, so that of two writers with the same tag one gets 412.
 */
export function honourETags(app: App): void {
  const readers = new Map<string, Reader>()
  app.addHook('onRoute', ({ method, url, handler, schema }) => {
    if (method !== 'GET' || !isSingle(url)) return
    const responses = schema?.response as Record<string, Record<string, unknown>> | undefined
    readers.set(url, { handler, answer: responses?.['200'] })
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload)
    if (!readers.has(request.routeOptions.url ?? '')) return done(null, payload)
    const etag = etagOf(payload)
    void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    const known = request.headers['if-none-match']
    if (known === undefined || !matchesTag(known, etag, { weak: true })) return done(null, payload)
    void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length')
    return done(null, null)
  })

  app.addHook('preHandler', (request, reply, done) => {
    const wanted = request.headers['if-match']
    const reader = readers.get(request.routeOptions.url ?? '')
    if (wanted !== undefined && reader && /^(PUT|PATCH|DELETE)$/.test(request.method)) {
      request.firstInTx = async (tx) => {
        request.firstInTx = undefined
        await lockResource(tx, `${request.principal.tenantUid} ${request.url.split('?')[0]}`)
        const body = await readAgain(app, reader, { request, reply, tx })
        if (!matchesTag(wanted, etagOf(body), { weak: false }))
          throw new AppError(
            412,
            'PRECONDITION_FAILED',
            'the record has changed since it was read; read it again',
          )
      }
    }
    done()
  })
}

interface Reading {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly tx: TenantTx | SystemTx
}

/** What the GET would answer now, read on the connection of the write. It throws the GET's 404. */
async function readAgain(app: App, reader: Reader, { request, reply, tx }: Reading): Promise<string> {
  const inTx = Object.create(request, {
    query: { value: {} },
    tenantDb: { value: () => tx },
    systemDb: { value: () => tx },
    tenantTx: { value: (work: (tx: unknown) => unknown) => work(tx) },
    systemTx: { value: (work: (tx: unknown) => unknown) => work(tx) },
  }) as FastifyRequest
  let sent: unknown
  const silent: object = new Proxy(
    {},
    {
      get: (_target, name) => (value: unknown) => {
        if (name === 'send') sent = value
        return silent
      },
    },
  )
  const returned: unknown = await reader.handler.call(app, inTx, silent as FastifyReply)
  const payload = (sent ?? returned) as Record<string, unknown>
  return reader.answer ? String(reply.serializeInput(payload, reader.answer)) : JSON.stringify(payload)
}
