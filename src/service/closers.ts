import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../platform/async/with-timeout.ts'
import { CLOSE_MAX_MS } from './limits.ts'

interface Closer {
  readonly name: string
  readonly close: () => Promise<void>
  readonly maxMs: number
}

/**
 * Collects the started parts and closes them in reverse order, each within its own timeout and even when
 * another one failed.
 */
export function makeClosers(log: FastifyBaseLogger) {
  const closers: Closer[] = []
  return {
    add: (name: string, close: () => Promise<void>, maxMs = CLOSE_MAX_MS) =>
      void closers.push({ name, close, maxMs }),
    async closeAll() {
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        try {
          await withTimeout(closer.maxMs, closer.close(), () => new Error('it took too long'))
        } catch (error) {
          log.error({ err: error, part: closer.name }, 'a part of the service did not stop cleanly')
        }
      }
    },
  }
}
export type Closers = ReturnType<typeof makeClosers>
