import type { Message } from '../../../kernel/messages.ts'
import { workInThread } from '../shared/index.ts'
import type { ScenarioOutcome, ScenarioWork } from './compute-work.ts'
import { SCENARIO_THREAD_HEAP_MB, SCENARIO_TIMEOUT_MS } from './limits.ts'

export interface FaultOfChange {
  readonly changeIndex: number
  readonly field: string
  readonly content: Message
}

/** The result of the thread. */
export type ScenarioAnswer = { readonly outcome: ScenarioOutcome } | { readonly fault: FaultOfChange }

const SCRIPT = { source: new URL('./scenario-thread.ts', import.meta.url), built: 'scenario-thread' }

/** Computes a scenario in a thread; `onProgress` gets the number of finished months. */
export const computeInThread = (
  work: ScenarioWork,
  options: { readonly onProgress: (done: number) => void; readonly signal: AbortSignal },
): Promise<ScenarioAnswer> =>
  workInThread(work, {
    ...{ script: SCRIPT, what: 'scenario', heapMb: SCENARIO_THREAD_HEAP_MB, timeoutMs: SCENARIO_TIMEOUT_MS },
    ...options,
  })
