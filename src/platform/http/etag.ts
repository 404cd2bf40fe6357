import { createHash } from 'node:crypto'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Language } from '../../kernel/messages.ts'
import { lockResource } from '../db/locks.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../db/tenant.ts'
import type { App, Principal } from './app-type.ts'
import { readIfMatch } from './if-match.ts'
import { languageOf } from './language.ts'
import { messageFields, withMessageTexts } from './message-texts.ts'

/**
 * Optimistic locking without a version column.
 *
 * A route declares that it reads a single resource by `getResource` in place of `app.get`. Its answers then
 * carry an ETag, If-None-Match is answered with 304, and the PUT, PATCH and DELETE of the same path honour
 * If-Match.
 *
 * The ETag has two parts: the hash of the fields that people write, and the hash of the whole answer.
 * If-Match compares the first part only, so a meter that reports does not keep people from editing its
 * record. The fields that the service itself records are the route's `observed`. If-None-Match compares both
 * parts.
 *
 * If-Match reads the resource again with the reader of its GET, inside the transaction of the write and under
 * an advisory lock on the path: of two writers with the same tag one gets 412. The cost is one more read for
 * writes that carry the header; no table needs a version, and no store has to know about tags.
 */

/**
 * The part of a request that the reader of a resource may use. For If-Match the database is the transaction
 * of the write.
 */
export interface ResourceRequest<Params = unknown, Query = unknown> {
  readonly params: Params
  /** Empty when the resource is read for If-Match: the query of a write differs from that of the GET. */
  readonly query: Query
  readonly principal: Principal
  tenantDb(): TenantDb
  systemDb(): SystemDb
}

interface Resource {
  readonly read: (request: ResourceRequest, language: () => Language) => object | Promise<object>
  /** The schema of the response. */
  readonly answer: Record<string, unknown>
  readonly observed: ReadonlySet<string>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for a route of `getResource`. */
    resource?: Resource
  }
}

interface ResourceOptions<Params extends TSchema, Query extends TSchema, Answer extends TSchema> {
  /** The access rule of the route. */
  readonly config: FastifyContextConfig
  /** Fields that the service itself updates continually; they are ignored by If-Match. */
  readonly observed?: readonly (keyof Static<Answer> & string)[]
  readonly schema: FastifySchema & {
    readonly params: Params
    readonly querystring?: Query
    readonly response: { readonly 200: Answer }
  }
}

/**
 * Adds the GET of a single resource with an ETag. `read` may run a second time, for the If-Match of a write. It calls
 * `language` for a response with texts, which declares their language.
 */
export function getResource<Params extends TSchema, Answer extends TSchema, Query extends TSchema = TSchema>(
  app: App,
  path: string,
  { config, observed = [], schema }: ResourceOptions<Params, Query, Answer>,
  read: (
    request: ResourceRequest<Static<Params>, Static<Query>>,
    language: () => Language,
  ) => Static<Answer> | Promise<Static<Answer>>,
): void {
  const resource = {
    read: read as Resource['read'],
    answer: schema.response[200] as unknown as Resource['answer'],
    // The service writes messages, and their texts depend on the reader.
    observed: new Set([...observed, ...messageFields(schema.response[200])]),
  }
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    read(request as Parameters<typeof read>[0], () => languageOf(reply))
  // `read` compared the type of the response with its schema; Fastify's own types cannot express this for
  // generics.
  const untyped = app as unknown as FastifyInstance
  const plain: FastifySchema = schema
  untyped.get(path, { config: { ...config, resource }, schema: plain }, handler)
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Returns the hash of the fields that people write, a point, and the hash of the whole response. */
function etagOf(body: string, { observed }: Resource): string {
  const written = Object.entries(JSON.parse(body) as object).filter(([key]) => !observed.has(key))
  return `"${hashOf(JSON.stringify(written))}.${hashOf(body)}"`
}

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())

/** Returns whether If-None-Match contains the tag: the client has the current response. */
export const isKnown = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)

/** The part of a tag up to its point: the hash of the fields that people write. */
const writtenPart = (tag: string): string => tag.slice(0, tag.indexOf('.') + 1)

/** Returns whether If-Match has the tag, so that the record is unchanged; a weak tag never matches. */
const isUnwritten = (wanted: ReturnType<typeof readIfMatch>, etag: string): boolean =>
  wanted === '*' || wanted.some((tag) => writtenPart(tag) === writtenPart(etag))

/** Sends and compares the ETags of the routes made by `getResource`; registered before them. */
export function honourETags(app: App): void {
  const resources = new Map<string, Resource>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'GET' && config?.resource) resources.set(url, config.resource)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { resource } = request.routeOptions.config
    if (!resource || request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload)
    const etag = etagOf(payload, resource)
    void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    const known = request.headers['if-none-match']
    if (known === undefined || !isKnown(known, etag)) return done(null, payload)
    void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length')
    return done(null, null)
  })

  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers['if-match']
    const resource = resources.get(request.routeOptions.url ?? '')
    if (header !== undefined && resource && /^(PUT|PATCH|DELETE)$/.test(request.method)) {
      const wanted = readIfMatch(header)
      request.firstInTx = async (tx) => {
        request.firstInTx = undefined
        await lockResource(tx, `${request.principal.tenantUid} ${pathOf(request)}`)
        const body = await readAgain(resource, { request, reply, tx })
        if (!isUnwritten(wanted, etagOf(body, resource)))
          throw new AppError(412, 'PRECONDITION_FAILED', ERROR_TEXTS.RECORD_CHANGED())
      }
    }
  })
}

/** The path in lower case, because ids are case-insensitive. */
const pathOf = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? url).toLowerCase()

interface Write {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly tx: TenantTx | SystemTx
}

/**
 * Returns the body that the GET would return now, read on the connection of the write. Throws the GET's
 * 404.
 */
async function readAgain({ read, answer }: Resource, { request, reply, tx }: Write): Promise<string> {
  const { params, principal } = request
  const payload: object = await read(
    {
      params,
      query: {},
      principal,
      // A superuser may write a record of any tenant in a system transaction, and its reader filters by the
      // tenant.
      tenantDb: () => tx as TenantTx,
      systemDb: () => tx as SystemTx,
    },
    () => languageOf(reply),
  )
  const texts = withMessageTexts(payload, answer, () => languageOf(reply))
  return String(reply.serializeInput(texts as Record<string, unknown>, answer))
}
