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
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** What the service itself writes down about a record from minute to minute; no edit is lost by it. */
const OBSERVED: ReadonlySet<string> = new Set([
  ...['is_online', 'last_seen', 'last_login_at'],
  ...['last_success_at', 'failures', 'failing_since', 'last_error'],
  ...['config_state', 'reported_version', 'reported_at'],
])

/** The same of one kind of record, where others have people write these. */
const OBSERVED_AT: Readonly<Record<string, ReadonlySet<string>>> = {
  '/api/ocpp/chargers/:id': new Set([
    ...['status', 'connectors', 'last_heartbeat', 'last_message_at', 'connected_at', 'disconnected_at'],
    ...['ocpp_version', 'firmware_version', 'booted_at', 'security_profile'],
    ...['contested_at', 'events_left_out'],
  ]),
}

/** The hash of what people write, a point, and the hash of all. */
function etagOf(body: string, url: string | undefined): string {
  const observed = OBSERVED_AT[url ?? '']
  const written = Object.entries(JSON.parse(body) as object).filter(
    ([key]) => !OBSERVED.has(key) && !observed?.has(key),
  )
  return `"${hashOf(JSON.stringify(written))}.${hashOf(body)}"`
}

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())

/** If-None-Match: the client has the whole answer. */
export const isKnown = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)

/** If-Match: nobody has written since; a weak tag never matches. */
const isUnwritten = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag.split('.')[0] === etag.split('.')[0])

/**
 * Optimistic locking without a version column. The ETag of a single resource is made of what its GET answers, in two
 * parts: a meter that reports must not keep people from editing its record. If-Match on a PUT, PATCH or DELETE of the
 * same path reads that answer again, inside the transaction of the write and under a lock on the path, so that of two
 * writers with the same tag one gets 412.
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
    const etag = etagOf(payload, request.routeOptions.url)
    void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    const known = request.headers['if-none-match']
    if (known === undefined || !isKnown(known, etag)) return done(null, payload)
    void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length')
    return done(null, null)
  })

  app.addHook('preHandler', (request, reply, done) => {
    const wanted = request.headers['if-match']
    const reader = readers.get(request.routeOptions.url ?? '')
    if (wanted !== undefined && reader && /^(PUT|PATCH|DELETE)$/.test(request.method)) {
      request.firstInTx = async (tx) => {
        request.firstInTx = undefined
        await lockResource(tx, `${request.principal.tenantUid} ${pathOf(request)}`)
        const body = await readAgain(app, reader, { request, reply, tx })
        if (!isUnwritten(wanted, etagOf(body, request.routeOptions.url)))
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

/** Ids may be spelled in capitals, and are the same. */
const pathOf = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? url).toLowerCase()

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
