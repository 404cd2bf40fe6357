import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../platform/http/app-type.ts'
import { DRAIN_MAX_MS, DRAIN_QUIET_MS } from './limits.ts'

const POLL_MS = 20

/** The requests and connections that a server has to finish before it may close. */
export interface Traffic {
  /** Requests whose response has not been sent completely. */
  requests(): number
  connections(): number
}

/** Starts counting; must be called before the server listens. */
export function countTraffic(server: Server): Traffic {
  let requests = 0
  let connections = 0
  server.on('request', (_request, response) => {
    requests += 1
    response.once('close', () => {
      requests -= 1
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => {
      connections -= 1
    })
  })
  return { requests: () => requests, connections: () => connections }
}

/**
 * Closes the port and leaves every connection open, which `http.Server.close` does not. It happens right after
 * the event loop has accepted the waiting connections, because the system resets those that nobody accepted.
 */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      NetServer.prototype.close.call(server)
      resolve()
    })
  })

/**
 * Resolves when no connection is left, or when no request has been in flight for DRAIN_QUIET_MS: the next request of an
 * open connection may be on its way. The time is counted in turns of the event loop, each of which reads what has
 * arrived, so that a busy machine gives clients more time.
 */
async function untilQuiet({ requests, connections }: Traffic): Promise<void> {
  let quietMs = 0
  for (let waited = 0; waited < DRAIN_MAX_MS && quietMs < DRAIN_QUIET_MS; waited += POLL_MS) {
    if (connections() === 0) return
    await sleep(POLL_MS)
    quietMs = requests() === 0 ? quietMs + POLL_MS : 0
  }
}

export interface Draining {
  readonly app: Pick<App, 'server' | 'close'>
  readonly traffic: Traffic
  /** Makes readiness answer 503, and every further response contain "connection: close". */
  readonly announce: () => void
  /** Milliseconds before the port is closed, in which a proxy learns from readiness that requests belong elsewhere. */
  readonly noticeMs: number
}

/**
 * Ends the HTTP side without cutting a request. During the notice everything is served, also new connections. Without
 * one the port is closed first, while clients still hold their connections and have no reason to open new ones; then
 * each response ends its connection, and the requests in flight are finished. Returns how many requests were cut
 * because they took longer than DRAIN_MAX_MS.
 */
export async function drain({ app, traffic, announce, noticeMs }: Draining): Promise<number> {
  if (noticeMs > 0) {
    announce()
    await sleep(noticeMs)
  }
  await stopListening(app.server)
  announce()
  await untilQuiet(traffic)
  const cut = traffic.requests()
  const closed = app.close()
  // The remaining connections have no request; one that never sent a request would delay the close.
  app.server.closeAllConnections()
  await closed
  return cut
}
