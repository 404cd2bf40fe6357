import type { Socket } from 'node:net'
import {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { REQUEST_ARRIVAL_LONG_MAX_MS } from '../../kernel/limits.ts'
import type { Deps } from '../runtime/deps.ts'
import type { App } from './app-type.ts'
import { setSecurityHeaders } from './headers.ts'
import { BODY_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_HEADERS_MAX_MS } from './limits.ts'
import { parseNetworks } from './networks.ts'
import { requestId } from './request-log.ts'

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, code: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'the request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'HEADERS_TOO_LARGE',
    'the headers are too large',
  ],
}
const BAD_REQUEST = ['400 Bad Request', 'VALIDATION_ERROR', 'the request is not valid HTTP'] as const

/**
 * Answers bytes that could not be parsed as a request. There are no request and reply objects, so the
 * response is written to the socket directly.
 */
const answerClientError: ClientErrorHandler = (error, socket) => {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  answerSocket(error.code, socket)
}

/**
 * Answers a request that has not arrived in time with 408 and closes the connection, which cannot be used
 * any more.
 */
export const answerTimeout = (socket: Socket): void => answerSocket('ERR_HTTP_REQUEST_TIMEOUT', socket)

function answerSocket(errorCode: string, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const [status, code, detail] = CLIENT_ERRORS[errorCode] ?? BAD_REQUEST
  const body = JSON.stringify({ detail, error_code: code })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Answers a URL that cannot be decoded; it matches no route and so reaches no hook and no error handler. */
function answerFrameworkError(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('X-Request-Id', request.id)
  setSecurityHeaders(reply)
  request.server.answerUnknownPath(request, reply)
}

/** Fastify's own list of networks refuses 0.0.0.0/0. */
function trustProxies(texts: readonly string[]): (address: string) => boolean {
  const trusted = parseNetworks(texts)
  return (address) => trusted.contains(address)
}

/**
 * The options of the HTTP server: limits on size and time, trusted proxies for the client's address, and
 * request ids.
 */
export const serverOptions = ({ config, log }: Deps): FastifyHttpOptions<RawServerDefault> => ({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: BODY_BYTES_MAX,
  requestTimeout: REQUEST_ARRIVAL_LONG_MAX_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  http: { headersTimeout: REQUEST_HEADERS_MAX_MS },
  // Requests that were sent before the stop are answered, with "connection: close".
  return503OnClosing: false,
  trustProxy: trustProxies(config.trustedProxies),
  requestIdHeader: false,
  genReqId: requestId,
  clientErrorHandler: answerClientError,
  frameworkErrors: answerFrameworkError,
  routerOptions: { maxParamLength: 200 },
})

/**
 * Processes requests with an unknown Expect header like any other. Node would answer them with an empty 417, which
 * clients of the API do not know.
 */
export function ignoreUnknownExpectations({ server }: App): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
