import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'
import { REQUEST_ARRIVAL_MAX_MS } from './limits.ts'
import { answerTimeout } from './server-options.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Milliseconds in which a request must have arrived, for large files; at most
     * REQUEST_ARRIVAL_LONG_MAX_MS.
     */
    arrivalMaxMs?: number
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Rejects a request that has not arrived in time with 408. Node has one timeout for all routes, which must
 * be that of the slowest route; this hook enforces the shorter timeout of the others. The longer one
 * applies only to a request that passed the access check and has no response yet.
 */
export function limitArrival(app: App, usualMs = REQUEST_ARRIVAL_MAX_MS): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // A request that the process sends to itself (`inject`) has no socket and has arrived as a whole.
    if (!hasBody(request) || !(raw.socket instanceof Socket)) return done()
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
