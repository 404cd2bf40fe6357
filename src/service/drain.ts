import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../platform/http/app-type.ts'
import { DRAIN_MAX_MS, DRAIN_QUIET_MS } from './limits.ts'

const POLL_MS = 20

/** Requests whose answer has not gone out whole. */
export function countInFlight(server: Server): () => number {
  let count = 0
  server.on('request', (_request, response) => {
    count += 1
    response.once('close', () => {
      count -= 1
    })
  })
  return () => count
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
 * Until nothing has been in flight for a while: a connection taken on last has its request still on the way.
 */
async function untilQuiet(inFlight: () => number): Promise<void> {
  let quietMs = 0
  for (let waited = 0; waited < DRAIN_MAX_MS && quietMs < DRAIN_QUIET_MS; waited += POLL_MS) {
    await sleep(POLL_MS)
    quietMs = inFlight() === 0 ? quietMs + POLL_MS : 0
  }
}

export interface Draining {
  readonly app: App
  readonly inFlight: () => number
  /** From here on every answer says "connection: close". */
  readonly announce: () => void
}

/**
 * Ends the HTTP side without cutting a request. The port is given up first, while clients still hold their
 * connections and so have no reason to make new ones; then each answer ends its connection, and what is in
 * flight is finished. Answers how many requests had to be cut because they took longer than DRAIN_MAX_MS.
 */
export async function drain({ app, inFlight, announce }: Draining): Promise<number> {
  await stopListening(app.server)
  announce()
  await untilQuiet(inFlight)
  const cut = inFlight()
  const closed = app.close()
  // What is left asks nothing; a connection that never sent a request would hold the close up.
  app.server.closeAllConnections()
  await closed
  return cut
}
