import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { sourceStack } from './source-stack.ts'

const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'new_password',
  'secret',
  'token',
  'portal_password',
  'subscription_key',
]
const paths = ['req.headers.authorization', ...REDACTED.flatMap((key) => [key, `*.${key}`])]

interface Thrown {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: string
  readonly constraint?: string
  readonly cause?: unknown
}

/**
 * Returns the logged fields of an error. The other fields of a database error (`detail`, `where`,
 * parameters) contain customers' rows and are omitted.
 */
function describeError(error: unknown, depth = 0): object {
  const { name, message, stack, code, constraint, cause } = (error ?? {}) as Thrown
  return {
    type: name ?? 'Error',
    message: message ?? String(error),
    ...(code && { code }),
    ...(constraint && { constraint }),
    stack: stack && sourceStack(stack),
    ...(cause && depth < 3 ? { cause: describeError(cause, depth + 1) } : {}),
  }
}

const SECRET_QUERY = /([?&](?:[a-z_]*token|ticket|password|secret|key|code)=)[^&#]*/gi

const SECRET_PATH = /(\/download\/)[\w-]{40,}/g

/**
 * Returns a URL without secrets for the log: sockets carry a token in the query, download links one in the
 * path.
 */
export const loggableUrl = (url: string): string =>
  url.replace(SECRET_QUERY, '$1…').replace(SECRET_PATH, '$1…').slice(0, 500)

/** Structured lines on stderr (stdout carries only the ready line); nothing secret is ever logged. */
export const makeLog = (level: string, stream: pino.DestinationStream = toStderr()): FastifyBaseLogger =>
  pino(
    {
      level,
      base: null,
      redact: { paths, censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    stream,
  )

const toStderr = () => pino.destination({ dest: 2, sync: true })
