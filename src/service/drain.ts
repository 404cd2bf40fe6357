import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { DRAIN_ANNOUNCE_MS, DRAIN_MAX_MS } from '../kernel/limits.ts'
import type { App } from '../platform/http/app-type.ts'

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

async function waitFor(condition: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += POLL_MS) {
    if (condition()) return true
    await sleep(POLL_MS)
  }
  return condition()
}

export interface Draining {
  readonly app: App
  readonly inFlight: () => number
  /** From here on every answer says "connection: close". */
  readonly announce: () => void
}

/**
 * Ends the HTTP side without cutting a request. Busy keep-alive connections learn with their next answer that they end,
 * so for a moment the port stays open; then it closes, and what is in flight is finished. Answers how many requests
 * had to be cut because they took longer than DRAIN_MAX_MS.
 */
export async function drain({ app, inFlight, announce }: Draining): Promise<number> {
  announce()
  await sleep(DRAIN_ANNOUNCE_MS)
  const closed = app.close()
  await waitFor(() => inFlight() === 0, DRAIN_MAX_MS)
  const cut = inFlight()
  // Connections that never sent a request count as busy for Node, and would hold the close up.
  app.server.closeAllConnections()
  await closed
  return cut
}
