import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../observability/error-text.ts'
import { EMBEDDED_AGAIN_MAX_MS, EMBEDDED_AGAIN_MIN_MS, EMBEDDED_STEADY_MS } from './limits.ts'
import type { PostmasterPid } from './postmaster-pid.ts'
import { type LaunchOptions, launchServer, type RunningServer } from './server.ts'

export interface KeepOptions extends LaunchOptions {
  /**
   * Returns whether this process still owns the folder. One that does not must not start a server on it,
   * because that would stop the owner's server.
   */
  readonly isOwner: () => Promise<boolean>
}

export interface KeptServer {
  /** The address on which the server listens; it is the same after every restart. */
  readonly address: PostmasterPid
  /** True while the server has ended by itself and is not restarted yet. */
  isAway(): boolean
  /** Must be called only once; `maxMs` as of the server. */
  stop(maxMs?: number): Promise<void>
}

/**
 * Starts the server and restarts it whenever it ends by itself, for example when the kernel killed it for
 * lack of memory. Clients find it at the same address. A first start that fails rejects; a later one is
 * retried without end.
 */
export async function keepServer({ isOwner, ...options }: KeepOptions): Promise<KeptServer> {
  const { log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let server = await launchServer(options)
  const { address } = server
  let isAway = false

  async function relaunch(): Promise<RunningServer | undefined> {
    try {
      return await launchServer({ ...options, port: address.port, signal, onLaunch: undefined })
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: messageOf(error) }, 'PostgreSQL could not be restarted')
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
      log.warn({ tail }, 'PostgreSQL ended by itself and is restarted')
      await server.stop()
      if (performance.now() - begun > EMBEDDED_STEADY_MS) delayMs = 0
      for (let next: RunningServer | undefined; !next; ) {
        await sleep(delayMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        if (!(await isOwner()))
          return log.warn('another service has taken the data folder: PostgreSQL is not restarted')
        delayMs = Math.min(EMBEDDED_AGAIN_MAX_MS, Math.max(EMBEDDED_AGAIN_MIN_MS, 2 * delayMs))
        next = await relaunch()
        if (next) server = next
      }
      isAway = false
      log.info('PostgreSQL is available again')
    }
  }

  const watching = watch()
  return {
    address,
    isAway: () => isAway,
    async stop(maxMs) {
      stopping.abort()
      if (!isAway) await server.stop(maxMs)
      await watching
    },
  }
}
