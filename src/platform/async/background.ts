import type { FastifyBaseLogger } from 'fastify'
import { makeTurns } from './concurrency-limit.ts'
import { BACKGROUND_AT_ONCE, BACKGROUND_WAITING_MAX } from './limits.ts'

/** Work that a request starts and does not wait for, such as a mail. A graceful stop waits for it. */
export interface Background {
  /** False when too much is waiting already: the work is not taken on. */
  run(name: string, work: () => Promise<unknown>): boolean
  /** Resolves when all that was taken on has ended, well or not. */
  drain(): Promise<void>
}

/** Only the message of a failure is logged: the error itself may carry rows or mail texts, and so tokens. */
export function makeBackground(log: Pick<FastifyBaseLogger, 'error' | 'warn'>): Background {
  const pending = new Set<Promise<void>>()
  const turns = makeTurns({
    atOnce: BACKGROUND_AT_ONCE,
    waitingMax: BACKGROUND_WAITING_MAX,
    refuse: () => new Error('too much background work'),
  })

  async function settle(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await turns.take(work)
    } catch (error) {
      log.error(
        { task: name, reason: error instanceof Error ? error.message : 'unknown' },
        'background work failed',
      )
    }
  }

  return {
    run(name, work) {
      if (!turns.hasRoom()) {
        log.warn({ task: name }, 'background work refused: too much is waiting')
        return false
      }
      const ending = settle(name, work)
      pending.add(ending)
      void ending.finally(() => pending.delete(ending))
      return true
    },
    async drain() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
