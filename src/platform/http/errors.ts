import type { FastifyError, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError, type ErrorShape } from '../../kernel/errors.ts'
import { DEFAULT_LANGUAGE, type Language, type Message, textOf } from '../../kernel/messages.ts'
import { isConnectionLoss, isTransactionConflict } from '../db/errors.ts'
import type { App } from './app-type.ts'
import { languageOf } from './language.ts'
import { RETRY_AFTER_CLASH_S, RETRY_AFTER_OUTAGE_S } from './limits.ts'
import { HTTP_TEXTS } from './messages.ts'
import { rowFaultBodies } from './row-faults.ts'
import { invalidInputs, type ValidationFailure, validationFailures } from './validation.ts'
import { failureText } from './validation-texts.ts'

/** The codes of InfluxDB, which its clients know, by status. */
const INFLUX_CODES: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  413: 'request too large',
  415: 'unsupported media type',
  422: 'unprocessable entity',
  429: 'too many requests',
  503: 'unavailable',
}

/** The parts of a body: the text in the language of the client, and what identifies the text. */
interface Parts {
  readonly status: number
  readonly code: string
  readonly message: string
  /** `message_code` and `parameters`. */
  readonly content: object
  readonly extra: AppError['extra']
}

const contentOf = ({ code, parameters }: Message) => ({ message_code: code, parameters })

function failureBody({ content, violation, ...failure }: ValidationFailure, language: Language): object {
  const said = content ?? (violation?.params['fault'] as Message | undefined)
  if (said) return { ...failure, msg: textOf(said, language), ...contentOf(said) }
  const isTranslated = violation !== undefined && language !== DEFAULT_LANGUAGE
  return isTranslated ? { ...failure, msg: failureText(violation, language) } : failure
}

const bodies: Readonly<Record<ErrorShape, (parts: Parts, language: Language) => object>> = {
  standard: ({ message, code, content }) => ({ detail: message, error_code: code, ...content }),
  extended: ({ message, code, content, extra }) => ({
    detail: message,
    error_code: code,
    ...content,
    ...extra,
  }),
  nested: ({ message, code, content, extra }) => ({
    detail: { error_code: code, message, ...content, ...extra },
  }),
  market: ({ message, code, content, extra }) => ({ detail: { code, message, ...content, ...extra } }),
  flat: ({ message, code, content, extra }) => ({ error_code: code, message, ...content, ...extra }),
  plain: ({ message }) => ({ detail: message }),
  collector: ({ status, code, message, content }) => ({
    code: INFLUX_CODES[status] ?? 'internal error',
    message,
    error_code: code,
    ...content,
  }),
  failures: ({ extra }, language) => ({
    detail: (extra['failures'] as ValidationFailure[]).map((failure) => failureBody(failure, language)),
  }),
}

const partsOf = ({ status, code, content, extra, rowFaults }: AppError, language: Language): Parts => ({
  status,
  code,
  message: textOf(content, language),
  content: contentOf(content),
  extra: rowFaults ? { ...extra, errors: rowFaultBodies(rowFaults, language) } : extra,
})

/**
 * Errors that have the standard shape in every scope: 401, PERMISSION_DENIED, RATE_LIMITED and errors of
 * the body.
 */
const ALWAYS_STANDARD = new Set([
  'TOKEN_EXPIRED',
  'INVALID_CREDENTIALS',
  'TENANT_INACTIVE',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
])

/** Errors that Fastify itself raises before a handler runs. */
const FRAMEWORK_ERRORS: Readonly<Record<number, readonly [code: string, message: Message]>> = {
  400: ['VALIDATION_ERROR', ERROR_TEXTS.JSON_INVALID()],
  413: ['PAYLOAD_TOO_LARGE', ERROR_TEXTS.BODY_TOO_LARGE()],
  415: ['UNSUPPORTED_MEDIA_TYPE', ERROR_TEXTS.CONTENT_TYPE_UNSUPPORTED()],
}

function asAppError(error: FastifyError | AppError): AppError | undefined {
  if (error instanceof AppError) return error
  const known = error.statusCode === undefined ? undefined : FRAMEWORK_ERRORS[error.statusCode]
  return known && error.code?.startsWith('FST_') ? new AppError(error.statusCode ?? 400, ...known) : undefined
}

const databaseUnreachable = () => new AppError(503, 'SERVICE_UNAVAILABLE', ERROR_TEXTS.DATABASE_UNREACHABLE())

/** No client receives this error; it appears in the log and in the metrics. */
const incompleteRequest = () => new AppError(400, 'VALIDATION_ERROR', HTTP_TEXTS.REQUEST_CUT_OFF())

const transactionConflict = () => new AppError(503, 'SERVICE_UNAVAILABLE', ERROR_TEXTS.TRANSACTION_CONFLICT())

function shapeOf(error: AppError, scope: ErrorShape): ErrorShape {
  // These clients read no other shape.
  if (scope === 'collector') return scope
  if (error.shape) return error.shape
  if (ALWAYS_STANDARD.has(error.code)) return 'standard'
  return error.code === 'SUPERUSER_REQUIRED' && scope === 'standard' ? 'nested' : scope
}

/** InfluxDB answers invalid parameters with 400, and its clients read one message. */
function invalidParameters(failures: readonly ValidationFailure[], language: Language): AppError {
  const faults = failures.map(({ loc, msg, violation }) => {
    const fault = violation ? failureText(violation, language) : msg
    return `${loc.at(-1)} ${fault}`
  })
  const message = HTTP_TEXTS.PARAMETERS_NOT_VALID({ faults: faults.join('; ') })
  return new AppError(400, 'VALIDATION_ERROR', message)
}

/** Failures that no schema states, such as a NUL in a parameter, are answered like those of the schema. */
function forCollector(error: AppError, language: Language): AppError {
  const failures = error.extra['failures'] as ValidationFailure[] | undefined
  return failures ? invalidParameters(failures, language) : error
}

/** The body of an error in a scope; in the market scope SUPERUSER_REQUIRED carries both keys. */
function errorBody(error: AppError, scope: ErrorShape, language: Language): object {
  const parts = partsOf(error, language)
  if (error.code === 'SUPERUSER_REQUIRED' && scope === 'market') {
    const { code, message, content } = parts
    return { detail: { error_code: code, code, message, ...content } }
  }
  return bodies[shapeOf(error, scope)](parts, language)
}

function send(reply: FastifyReply, error: AppError, scope: ErrorShape): FastifyReply {
  if (error.status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  if (error.retryAfterS !== undefined) void reply.header('Retry-After', error.retryAfterS)
  if (error.code === 'SERVICE_UNAVAILABLE' && !reply.hasHeader('Retry-After'))
    void reply.header('Retry-After', RETRY_AFTER_CLASH_S)
  if (error.status === 429 && !reply.hasHeader('Retry-After')) void reply.header('Retry-After', 1)
  return reply.code(error.status).send(errorBody(error, scope, languageOf(reply)))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The error shape for the OpenAPI document and unknown paths; the innermost scope wins. */
    errorShape?: ErrorShape
    /** The code of unknown paths below the prefix of the scope. */
    notFoundCode?: string
  }
}

/**
 * Sets the shape of the errors of a scope's routes, and the code of unknown paths in it; called once per
 * scope.
 */
export function setErrorShape(app: App, scope: ErrorShape, notFoundCode = 'RESOURCE_NOT_FOUND'): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, errorShape: scope, notFoundCode }
  })
  app.setErrorHandler<FastifyError | AppError>((error, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof AppError) && error.validation) {
      const failures = validationFailures(request)
      const invalid =
        scope === 'collector'
          ? invalidParameters(failures, languageOf(reply))
          : invalidInputs(HTTP_TEXTS.REQUEST_NOT_VALID(), failures)
      return send(reply, invalid, scope)
    }
    if (request.raw.destroyed && !request.raw.complete) {
      request.log.info({ reason: error.message }, 'the client went away before its request had arrived')
      return send(reply, incompleteRequest(), scope)
    }
    const known = asAppError(error)
    if (known)
      return send(reply, scope === 'collector' ? forCollector(known, languageOf(reply)) : known, scope)
    if (isConnectionLoss(error)) {
      request.log.warn({ reason: error.message }, 'the database is out of reach')
      return send(reply.header('Retry-After', RETRY_AFTER_OUTAGE_S), databaseUnreachable(), scope)
    }
    if (isTransactionConflict(error)) {
      request.log.warn({ reason: error.message }, 'the transaction conflicted with another one')
      return send(reply.header('Retry-After', RETRY_AFTER_CLASH_S), transactionConflict(), scope)
    }
    request.log.error({ err: error }, 'unexpected error')
    return send(reply, new AppError(500, 'INTERNAL_ERROR', ERROR_TEXTS.UNEXPECTED_ERROR()), scope)
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a path that no route serves, in the error shape of the scope below whose prefix it lies. */
    answerUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply
  }
}

const isBelow = (url: string, prefix: string): boolean =>
  url.startsWith(prefix) && /^([/?]|$)/.test(url.slice(prefix.length))

/**
 * Answers unknown paths; called before the routes are registered. A client of a scope parses all of its errors
 * in one shape, so an unknown path below the prefix of a scope has the shape of that scope.
 */
export function setNotFoundHandler(app: App): void {
  const scopes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    if (route.prefix) scopes.set(route.prefix, route)
  })
  // The config is read at the time of the request: the hooks of inner scopes set it after this hook.
  app.decorate('answerUnknownPath', (request: FastifyRequest, reply: FastifyReply) => {
    const prefixes = [...scopes.keys()].filter((prefix) => isBelow(request.url, prefix))
    const prefix = prefixes.sort((a, b) => b.length - a.length)[0] ?? ''
    const { errorShape = 'standard', notFoundCode = 'RESOURCE_NOT_FOUND' } = scopes.get(prefix)?.config ?? {}
    return send(reply, new AppError(404, notFoundCode, HTTP_TEXTS.ENDPOINT_UNKNOWN()), errorShape)
  })
  app.setNotFoundHandler((request, reply) => app.answerUnknownPath(request, reply))
}
