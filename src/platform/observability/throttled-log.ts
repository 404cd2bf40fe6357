import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { LOG_REPEAT_MS } from './limits.ts'

/** `sentence` is one of few; `count` is how often it happened just now, 1 when absent. */
type Say = (about: object, sentence: string, count?: number) => void

/**
 * For what others can make happen as often as they like: a flood of it must not become a flood of the log.
 */
export interface ThrottledLog {
  readonly warn: Say
  readonly error: Say
}

/**
 * Writes a sentence at once, and then at most every LOG_REPEAT_MS, with `times` for all that happened since.
 */
export function makeThrottledLog(
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  { now }: Pick<Clock, 'now'>,
): ThrottledLog {
  const written = new Map<string, { readonly at: number; left: number }>()
  const sayBy =
    (level: 'warn' | 'error'): Say =>
    (about, sentence, count = 1) => {
      const at = now()
      const last = written.get(sentence)
      if (last && at < last.at + LOG_REPEAT_MS) {
        last.left += count
        return
      }
      written.set(sentence, { at, left: 0 })
      log[level]({ ...about, times: (last?.left ?? 0) + count }, sentence)
    }
  return { warn: sayBy('warn'), error: sayBy('error') }
}
