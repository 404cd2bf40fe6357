import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, conflict, unprocessable } from '../../kernel/errors.ts'
import type { Sealer } from '../auth/sealer.ts'
import {
  type Claim,
  claimKey,
  type KeyedRequest,
  markCommitted,
  releaseKey,
  storeAnswer,
} from '../db/idempotency-keys.ts'
import type { App } from './app-type.ts'
import { unwritableIn } from './json-text.ts'
import { IDEMPOTENCY_ANSWER_BYTES_MAX, IDEMPOTENCY_KEY_MAX_LENGTH } from './limits.ts'
import { HTTP_TEXTS } from './messages.ts'
import { invalidInput } from './validation.ts'

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`)

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request holds its Idempotency-Key. */
    keyed?: KeyedRequest | undefined
  }
  interface FastifyContextConfig {
    /** For the OpenAPI document: the route honours the header Idempotency-Key. */
    acceptsIdempotencyKey?: boolean
  }
}

function keyedRequest({ app, key }: { readonly app: App; readonly key: string }, request: FastifyRequest) {
  const { method, url, body, principal } = request
  const { config, clock } = app.deps
  if (!KEY.test(key))
    throw invalidInput(
      ['header', 'idempotency-key'],
      HTTP_TEXTS.IDEMPOTENCY_KEY_SYNTAX({ max: IDEMPOTENCY_KEY_MAX_LENGTH }),
    )
  return {
    tenantId: principal.tenantId,
    userId: principal.id,
    key,
    route: `${method} ${url}`,
    bodyHash: hashOf(body ?? null, config.secretKey),
    now: clock.now(),
    processId: app.life.id,
  }
}

/**
 * An HMAC, because a body may contain a password: a reader of the table must not be able to test passwords
 * against the hash.
 */
function hashOf(body: unknown, secretKey: string): Buffer {
  const fault = unwritableIn(body)
  if (fault !== undefined) throw invalidInput(['body'], fault)
  return createHmac('sha256', secretKey).update(JSON.stringify(body)).digest()
}

function refusal(kind: Exclude<Claim['kind'], 'mine' | 'answered'>): AppError {
  switch (kind) {
    case 'busy':
      return conflict('IDEMPOTENCY_KEY_IN_USE', HTTP_TEXTS.IDEMPOTENCY_KEY_BUSY())
    case 'otherRequest':
      return unprocessable('IDEMPOTENCY_KEY_REUSED', HTTP_TEXTS.IDEMPOTENCY_KEY_OTHER_REQUEST())
    case 'unknown':
      return conflict('IDEMPOTENCY_OUTCOME_UNKNOWN', HTTP_TEXTS.IDEMPOTENCY_OUTCOME_UNKNOWN())
  }
}

/**
 * Called in a scope: its POSTs take an optional Idempotency-Key. The first answer (2xx, or a refusal of the
 * handler) is kept for a day and given again; after a 5xx the key is free again. The claim is marked in the
 * same transaction as the work, so that a crash between the two is distinguishable from a crash before.
 * `sealer`: for answers that show a secret.
 */
export function acceptIdempotencyKeys(app: App, sealer?: Sealer): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST') route.config = { ...route.config, acceptsIdempotencyKey: true }
  })
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    const key = request.headers['idempotency-key']
    if (key === undefined || request.method !== 'POST') return undefined
    const { database } = app.deps
    const keyed = keyedRequest({ app, key: String(key) }, request)
    await app.life.prove()
    const claim = await claimKey(database.kysely, keyed)
    if (claim.kind === 'answered') {
      return reply
        .code(claim.status)
        .header('Idempotent-Replay', 'true')
        .type('application/json; charset=utf-8')
        .send(sealer ? sealer.open(claim.answer, sealContext(keyed)) : claim.answer)
    }
    if (claim.kind !== 'mine') throw refusal(claim.kind)
    request.keyed = keyed
    request.lastInTx = async (tx) => {
      if (!(await markCommitted(tx, keyed))) throw refusal('busy')
    }
    return undefined
  })

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const { keyed } = request
    if (!keyed) return payload
    request.keyed = undefined
    try {
      await settle(app, keyed, { status: reply.statusCode, payload, sealer })
    } catch (error) {
      // The work is committed and its response is sent; a repeated request will be answered that the outcome
      // is not known.
      request.log.warn({ err: error }, 'the answer could not be kept under its Idempotency-Key')
    }
    return payload
  })
}

interface Outcome {
  readonly status: number
  readonly payload: unknown
  readonly sealer: Sealer | undefined
}

const sealContext = ({ tenantId, userId, key }: KeyedRequest): string => `answer ${tenantId} ${userId} ${key}`

async function settle(app: App, keyed: KeyedRequest, { status, payload, sealer }: Outcome): Promise<void> {
  const { kysely } = app.deps.database
  if (status >= 500) return releaseKey(kysely, keyed)
  const answer = typeof payload === 'string' ? payload : ''
  if (Buffer.byteLength(answer) > IDEMPOTENCY_ANSWER_BYTES_MAX) return
  await storeAnswer(kysely, keyed, {
    status,
    answer: sealer ? sealer.seal(answer, sealContext(keyed)) : answer,
  })
}
