import type { Message } from '../../../kernel/messages.ts'
import { workInThread } from '../shared/index.ts'
import type { OptimisationWork, Outcome } from './compute-work.ts'
import { OPTIMISATION_THREAD_HEAP_MB, OPTIMISATION_TIMEOUT_MS } from './limits.ts'

/** The result of the thread. */
export type OptimisationAnswer =
  | { readonly outcome: Outcome }
  | { readonly fault: { readonly field: string; readonly content: Message } }

const SCRIPT = { source: new URL('./optimisation-thread.ts', import.meta.url), built: 'optimisation-thread' }

/** Computes an optimisation in a thread; `onProgress` gets the number of finished steps. */
export const computeInThread = (
  work: OptimisationWork,
  options: { readonly onProgress: (done: number) => void; readonly signal: AbortSignal },
): Promise<OptimisationAnswer> =>
  workInThread(work, {
    ...{ script: SCRIPT, what: 'optimisation', heapMb: OPTIMISATION_THREAD_HEAP_MB },
    ...{ timeoutMs: OPTIMISATION_TIMEOUT_MS, ...options },
  })
