import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'
import { REQUEST_ARRIVAL_MAX_MS } from './limits.ts'
import { answerTimeout } from './server-options.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long a request may take to arrive, for large files; at most REQUEST_ARRIVAL_LONG_MAX_MS. */
    arrivalMaxMs?: number
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * 408 for a request that has not arrived in time. Node knows one time for all routes, which is that of the
 * slowest; more than the usual time is only for a request that is let in and not answered yet.
 */
export function limitArrival(app: App, usualMs = REQUEST_ARRIVAL_MAX_MS): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (!hasBody(request)) return done()
    const longerMs = (request.routeOptions.config.arrivalMaxMs ?? usualMs) - usualMs
    const cut = (): void => {
      if (raw.complete) return
      if (reply.raw.headersSent) raw.socket.destroy()
      else answerTimeout(raw.socket)
    }
    const wait = (): void => {
      if (longerMs <= 0 || reply.raw.headersSent) cut()
      else timer = setTimeout(cut, longerMs).unref()
    }
    let timer = setTimeout(wait, usualMs).unref()
    raw.once('close', () => clearTimeout(timer))
    raw.once('end', () => clearTimeout(timer))
    done()
  })
}
