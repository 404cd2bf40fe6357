import type { FastifyBaseLogger } from 'fastify'
import { SHUTDOWN_MAX_MS } from '../kernel/limits.ts'
import { within } from '../platform/within.ts'
import type { Service } from './start.ts'

/**
 * Keeps the service running until the process is asked to end, or fails in a way that nobody caught. Answers the exit
 * code. A second signal ends the process at once.
 */
export function runUntilStopped(service: Service, log: FastifyBaseLogger): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false
    const end = (code: number): void => {
      if (isStopping) return
      isStopping = true
      const tooLate = () => new Error(`the stop took longer than ${SHUTDOWN_MAX_MS} ms`)
      within(SHUTDOWN_MAX_MS, service.stop(), tooLate).then(
        () => resolve(code),
        (error: unknown) => {
          log.error({ err: error }, 'the service did not stop in time')
          resolve(1)
        },
      )
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1)
        log.info({ signal }, 'asked to stop')
        end(0)
      })
    }
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        log.fatal({ err: error }, 'an error that nobody caught: the service stops')
        end(1)
      })
    }
  })
}
