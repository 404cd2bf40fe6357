import type { FastifyBaseLogger } from 'fastify'
import { makeConcurrencyLimit } from './concurrency-limit.ts'
import { BACKGROUND_AT_ONCE, BACKGROUND_WAITING_MAX } from './limits.ts'

/**
 * Work that a request starts and does not wait for, such as sending a mail.
 *
 * Purpose: the response does not depend on a slow mail server, and its duration does not reveal whether a
 * mail was sent. A graceful stop waits for the work (`drain`).
 *
 * Trade-offs:
 * - Nothing is persisted: work that is still waiting when the process is killed is lost. What must not be
 *   lost goes into a table and is sent by a job.
 * - At most BACKGROUND_AT_ONCE tasks run and BACKGROUND_WAITING_MAX wait; beyond that `run` returns false and
 *   the caller decides. There are no retries.
 */
export interface Background {
  /** False when the queue is full: the work is not started. */
  run(name: string, work: () => Promise<unknown>): boolean
  /** Resolves when all accepted work has ended, whether it succeeded or failed. */
  drain(): Promise<void>
}

/** Only the message of a failure is logged: the error itself may carry rows or mail texts, and so tokens. */
export function makeBackground(log: Pick<FastifyBaseLogger, 'error' | 'warn'>): Background {
  const pending = new Set<Promise<void>>()
  const turns = makeConcurrencyLimit({
    atOnce: BACKGROUND_AT_ONCE,
    waitingMax: BACKGROUND_WAITING_MAX,
    refuse: () => new Error('too much background work'),
  })

  async function settle(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await turns.run(work)
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
