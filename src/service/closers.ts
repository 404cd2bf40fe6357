import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../platform/async/with-timeout.ts'
import { CLOSE_MAX_MS, SHUTDOWN_MAX_MS } from './limits.ts'

interface Closer {
  readonly name: string
  /** Receives the milliseconds that are left of the whole stop. */
  readonly close: (remainingMs: number) => Promise<void>
  readonly maxMs: number
}

/**
 * Collects the started parts and closes them in reverse order, each within its own timeout and even when
 * another one failed. All of it should take at most SHUTDOWN_MAX_MS, after the notice of the drain: a part may use
 * what the others have left.
 */
export function makeClosers(log: FastifyBaseLogger, noticeMs = 0) {
  const closers: Closer[] = []
  return {
    add: (name: string, close: Closer['close'], maxMs = CLOSE_MAX_MS) =>
      void closers.push({ name, close, maxMs }),
    async closeAll() {
      const end = performance.now() + noticeMs + SHUTDOWN_MAX_MS
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        try {
          const closing = closer.close(Math.max(0, end - performance.now()))
          await withTimeout(closer.maxMs, closing, () => new Error('it took too long'))
        } catch (error) {
          log.error({ err: error, part: closer.name }, 'a part of the service did not stop cleanly')
        }
      }
    },
  }
}
export type Closers = ReturnType<typeof makeClosers>
