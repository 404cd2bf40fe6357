import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../platform/async/with-timeout.ts'
import { SHUTDOWN_MAX_MS } from './limits.ts'
import type { Service } from './start.ts'

/**
 * Starts the service and keeps it running until the process is asked to end, or fails in a way that nobody
 * caught. Answers the exit code. Asked during the start, it stops as soon as it has started; asked twice, at
 * once.
 */
export async function runUntilStopped(
  start: () => Promise<Service>,
  log: FastifyBaseLogger,
): Promise<number> {
  const asked = listenForTheEnd(log)
  const service = await start()
  const code = await asked
  try {
    await withTimeout(SHUTDOWN_MAX_MS, service.stop(), () => new Error('the stop took too long'))
    return code
  } catch (error) {
    log.error({ err: error }, 'the service did not stop cleanly')
    return 1
  }
}

/** Resolves with the exit code when it is time to stop. */
function listenForTheEnd(log: FastifyBaseLogger): Promise<number> {
  return new Promise((resolve) => {
    let isAsked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(1)
        isAsked = true
        log.info({ signal }, 'asked to stop')
        resolve(0)
      })
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        log.fatal({ err: error }, 'an error that nobody caught: the service stops')
        resolve(1)
      })
    }
  })
}
