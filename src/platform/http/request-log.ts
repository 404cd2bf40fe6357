import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { loggableUrl } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { App } from './app-type.ts'

const SANE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** Returns the caller's X-Request-Id when it is safe in a log line, else a new id. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}

/** Adds the request id to every response; every log line of the request contains it too. */
export function echoRequestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id)
    done()
  })
}

/**
 * Writes one log line and one measurement per request. Routes are labelled by their pattern, so that the
 * number of labels is bounded.
 */
export function observe(app: App, { httpSeconds }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, ip } = request
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    httpSeconds.observe(
      { method, route: request.routeOptions.url ?? 'unknown', status: String(status) },
      reply.elapsedTime / 1000,
    )
    request.log.info({ method, url: loggableUrl(url), status, ms, ip }, 'answered')
    done()
  })
}
