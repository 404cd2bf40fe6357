import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { App } from './app-type.ts'

const SANE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** The caller's X-Request-Id when it could stand in a log line as it is, else a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}

/** Every answer names its request, and so does every log line of it. */
export function echoRequestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id)
    done()
  })
}
