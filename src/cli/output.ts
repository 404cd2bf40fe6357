import type { Writable } from 'node:stream'

/** A reader that takes nothing for so long does not delay the end of a service any longer. */
const FLUSH_MAX_MS = 10_000

/**
 * Resolves when everything that was written has left the process, or its reader is gone or takes nothing. What a pipe
 * does not take at once is written later, and the end of the process would cut it off.
 */
export function flushed(stream: Writable, maxMs = FLUSH_MAX_MS): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, maxMs)
    stream.once('error', end)
    stream.write('', end)
  })
}
