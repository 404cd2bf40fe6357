import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../platform/async/with-timeout.ts'
import type { Service } from './start.ts'

/**
 * Starts the service and runs it until the process receives a signal or an uncaught error. Resolves with
 * the exit code. After a signal during the start it stops as soon as it has started; after a second signal
 * it ends immediately.
 */
export async function runUntilStopped(
  start: () => Promise<Service>,
  log: FastifyBaseLogger,
): Promise<number> {
  const exitCode = waitForStop(log)
  const service = await start()
  const code = await exitCode
  try {
    await withTimeout(service.stopMaxMs, service.stop(), () => new Error('the stop took too long'))
    return code
  } catch (error) {
    log.error({ err: error }, 'the service did not stop cleanly')
    return 1
  }
}

/** Resolves with the exit code after a signal or an uncaught error. */
function waitForStop(log: FastifyBaseLogger): Promise<number> {
  return new Promise((resolve) => {
    let isStopRequested = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isStopRequested) process.exit(1)
        isStopRequested = true
        log.info({ signal }, 'stop requested by a signal')
        resolve(0)
      })
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        log.fatal({ err: error }, 'uncaught error: the service stops')
        resolve(1)
      })
    }
  })
}
