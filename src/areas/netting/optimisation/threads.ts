import type { Message } from '../../../kernel/messages.ts'
import { startThread } from '../../../platform/async/start-thread.ts'
import type { OptimisationWork, Outcome } from './compute-work.ts'
import { OPTIMISATION_THREAD_HEAP_MB, OPTIMISATION_TIMEOUT_MS } from './limits.ts'

/** What the thread sends: a finished step, then one of the others. */
export type ThreadMessage =
  | { readonly step: true }
  | { readonly outcome: Outcome }
  | { readonly fault: { readonly field: string; readonly content: Message } }

const SCRIPT = { source: new URL('./optimisation-thread.ts', import.meta.url), built: 'optimisation-thread' }

interface Progress {
  readonly onStep: () => void
  /** Ends the thread; the promise is then rejected. */
  readonly signal: AbortSignal
}

/**
 * Computes an optimisation in a thread of its own, so that it blocks no request and its memory is freed with it.
 * Rejects when the thread ends without a result, is aborted, or exceeds its time.
 */
export function computeInThread(
  work: OptimisationWork,
  { onStep, signal }: Progress,
): Promise<Exclude<ThreadMessage, { readonly step: true }>> {
  const worker = startThread(SCRIPT, { maxOldGenerationSizeMb: OPTIMISATION_THREAD_HEAP_MB })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(new Error('the computation of an optimisation exceeded its time')),
      OPTIMISATION_TIMEOUT_MS,
    )
    const onAbort = () => end(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      void worker.terminate()
    }
    const end = (error: unknown) => {
      stop()
      reject(error)
    }
    worker.on('message', (message: ThreadMessage) => {
      if ('step' in message) {
        onStep()
        return
      }
      stop()
      resolve(message)
    })
    worker.once('error', end)
    worker.once('exit', () => end(new Error('the thread of an optimisation has ended')))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    worker.postMessage(work)
  })
}
