import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../observability/error-text.ts'
import { EMBEDDED_AGAIN_MAX_MS, EMBEDDED_AGAIN_MIN_MS, EMBEDDED_STEADY_MS } from './limits.ts'
import type { PostmasterPid } from './postmaster-pid.ts'
import { type LaunchOptions, launchServer, type RunningServer } from './server.ts'

export interface KeepOptions extends LaunchOptions {
  /** A process that no longer owns the folder must not start a server on it: that would stop the owner's server. */
  readonly isOwner: () => Promise<boolean>
}

export interface KeptServer {
  /** Where it listens: the same after every start. */
  readonly address: PostmasterPid
  /** It ended by itself and was not started again yet. */
  isAway(): boolean
  /** To be called once. */
  stop(): Promise<void>
}

/**
 * Starts the server, and restarts it whenever it ends by itself: killed for lack of memory, or by hand. Its
 * clients find it at the same address. A first start that fails is an error; a later one is retried without end.
 */
export async function keepServer({ isOwner, ...options }: KeepOptions): Promise<KeptServer> {
  const { log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let server = await launchServer(options)
  const { address } = server
  let isAway = false

  async function again(): Promise<RunningServer | undefined> {
    try {
      return await launchServer({ ...options, port: address.port, signal })
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: messageOf(error) }, 'PostgreSQL could not be started again')
      return undefined
    }
  }

  async function watch(): Promise<void> {
    let delayMs = 0
    for (;;) {
      const begun = performance.now()
      const tail = await server.ended
      if (tail === undefined) return
      isAway = true
      log.warn({ tail }, 'PostgreSQL ended by itself: it is started again')
      await server.stop()
      if (performance.now() - begun > EMBEDDED_STEADY_MS) delayMs = 0
      for (let next: RunningServer | undefined; !next; ) {
        await sleep(delayMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        if (!(await isOwner()))
          return log.warn('another service has taken the data folder: this one stays without')
        delayMs = Math.min(EMBEDDED_AGAIN_MAX_MS, Math.max(EMBEDDED_AGAIN_MIN_MS, 2 * delayMs))
        next = await again()
        if (next) server = next
      }
      isAway = false
      log.info('PostgreSQL serves again')
    }
  }

  const watching = watch()
  return {
    address,
    isAway: () => isAway,
    async stop() {
      stopping.abort()
      if (!isAway) await server.stop()
      await watching
    },
  }
}
