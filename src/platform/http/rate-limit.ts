import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import type { App } from './app-type.ts'
import { isInnerRequest } from './inner-requests.ts'
import { addressKey } from './networks.ts'
import type { Bucket, RateStore, Window } from './rate-store.ts'

interface Where {
  /** Part of the key: each name has its own count. */
  readonly name: string
  /** `POST /api/auth/login`, or a path prefix that ends in a slash. */
  readonly at: string
  /** A path prefix below `at` that has a rule of its own. */
  readonly except?: string
  /**
   * Returns the key by which attempts are counted; the client's address by default. Undefined: not counted.
   * Receives the principal, if the route has one, and the validated body.
   */
  readonly by?: (request: FastifyRequest) => string | undefined
}

export type RateRule = Where &
  (
    | { readonly kind: 'window'; readonly window: Window }
    | { readonly kind: 'bucket'; readonly bucket: Bucket }
    | { readonly kind: 'inFlight'; readonly limit: number }
  )

/** A rule with the limit 0 is disabled. */
const isOn = (rule: RateRule): boolean => {
  if (rule.kind === 'window') return rule.window.limit > 0
  if (rule.kind === 'bucket') return rule.bucket.perSecond > 0 && rule.bucket.burst > 0
  return rule.limit > 0
}

const tooMany = () => new AppError(429, 'RATE_LIMITED', ERROR_TEXTS.TOO_MANY_REQUESTS())

function refuse(reply: FastifyReply, waitMs: number): never {
  void reply.header('Retry-After', Math.max(1, Math.ceil(waitMs / 1000)))
  throw tooMany()
}

type Call = readonly [request: FastifyRequest, reply: FastifyReply]

async function apply(rule: RateRule, store: RateStore, [request, reply]: Call): Promise<void> {
  const subject = rule.by ? rule.by(request) : addressKey(request.ip)
  if (subject === undefined) return
  const key = `${rule.name}:${subject}`
  if (rule.kind === 'inFlight') return enter(key, rule.limit, store, [request, reply])
  const waitMs =
    rule.kind === 'window' ? await store.window(key, rule.window) : await store.bucket(key, rule.bucket)
  if (waitMs > 0) refuse(reply, waitMs)
}

/**
 * Occupies a slot of an in-flight rule, and releases it when the response is finished or the client has
 * disconnected.
 */
async function enter(key: string, limit: number, store: RateStore, [, reply]: Call): Promise<void> {
  const lease = await store.enter(key, limit)
  if (lease === undefined) refuse(reply, 1000)
  const leave = () => void store.leave(key, lease)
  if (reply.raw.closed) leave()
  else reply.raw.once('close', leave)
}

/** Without the slash that a client may add to the path of a list. */
const routeOf = (request: FastifyRequest): string =>
  (request.routeOptions.url ?? request.url).replace(/(?<=.)\/$/, '')

/**
 * Applies rate limits before all other checks: 429 precedes 401. A rule that needs the body is applied
 * after its validation.
 */
export function limitRates(app: App, store: RateStore, rules: readonly RateRule[]): void {
  const on = rules.filter(isOn)
  app.addHook('onClose', () => store.close())
  if (on.length === 0) return
  const prefixed = on.filter(({ at }) => at.endsWith('/'))
  const rulesAt = (method: string, url: string): RateRule[] => [
    ...prefixed.filter(({ at, except }) => url.startsWith(at) && !(except && url.startsWith(except))),
    ...on.filter(({ at }) => at === `${method} ${url}`),
  ]
  const rulesOf = (request: FastifyRequest, withBody: boolean) =>
    isInnerRequest(request)
      ? []
      : rulesAt(request.method, routeOf(request)).filter(({ by }) => (by !== undefined) === withBody)
  app.addHook('onRequest', async (request, reply) => {
    for (const rule of rulesOf(request, false)) await apply(rule, store, [request, reply])
  })
  if (!on.some(({ by }) => by)) return
  app.addHook('preHandler', async (request, reply) => {
    for (const rule of rulesOf(request, true)) await apply(rule, store, [request, reply])
  })
}
