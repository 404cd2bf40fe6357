import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { LOG_REPEAT_MS } from './limits.ts'

/** `sentence` is one of a fixed set; `count` is the number of events of this call, 1 when absent. */
type LogThrottled = (about: object, sentence: string, count?: number) => void

/** A throttled log for events that clients can cause at will, so that they cannot flood the log. */
export interface ThrottledLog {
  readonly warn: LogThrottled
  readonly error: LogThrottled
}

/**
 * Writes a sentence at once and then at most every LOG_REPEAT_MS; `times` is the number of all events since
 * the last line.
 */
export function makeThrottledLog(
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  { now }: Pick<Clock, 'now'>,
): ThrottledLog {
  const written = new Map<string, { readonly at: number; left: number }>()
  const logAt =
    (level: 'warn' | 'error'): LogThrottled =>
    (about, sentence, count = 1) => {
      const at = now()
      const last = written.get(sentence)
      // The absolute value, because the clock may be set back.
      if (last && Math.abs(at - last.at) < LOG_REPEAT_MS) {
        last.left += count
        return
      }
      written.set(sentence, { at, left: 0 })
      log[level]({ ...about, times: (last?.left ?? 0) + count }, sentence)
    }
  return { warn: logAt('warn'), error: logAt('error') }
}
