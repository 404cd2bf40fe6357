import type { Message } from '../../../kernel/messages.ts'
import { startThread } from '../../../platform/async/start-thread.ts'
import type { ScenarioOutcome, ScenarioWork } from './compute-work.ts'
import { SCENARIO_THREAD_HEAP_MB, SCENARIO_TIMEOUT_MS } from './limits.ts'

export interface FaultOfChange {
  readonly changeIndex: number
  readonly field: string
  readonly content: Message
}

/** What the thread sends: a finished month, then one of the others. */
export type ThreadMessage =
  | { readonly month: true }
  | { readonly outcome: ScenarioOutcome }
  | { readonly fault: FaultOfChange }

const SCRIPT = { source: new URL('./scenario-thread.ts', import.meta.url), built: 'scenario-thread' }

interface Progress {
  readonly onMonth: () => void
  /** Ends the thread; the promise is then rejected. */
  readonly signal: AbortSignal
}

/**
 * Computes a scenario in a thread of its own, so that it blocks no request. Rejects when the thread ends without a
 * result, is aborted, or exceeds its time.
 */
export function computeInThread(
  work: ScenarioWork,
  { onMonth, signal }: Progress,
): Promise<Exclude<ThreadMessage, { readonly month: true }>> {
  const worker = startThread(SCRIPT, { maxOldGenerationSizeMb: SCENARIO_THREAD_HEAP_MB })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(new Error('the computation of a scenario exceeded its time')),
      SCENARIO_TIMEOUT_MS,
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
      if ('month' in message) {
        onMonth()
        return
      }
      stop()
      resolve(message)
    })
    worker.once('error', end)
    worker.once('exit', () => end(new Error('the thread of a scenario has ended')))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    worker.postMessage(work)
  })
}
