import { startThread, type ThreadScript } from '../../../platform/async/start-thread.ts'
import { WORK_THREAD_YOUNG_GENERATION_MB } from './limits.ts'

/** What a thread of a computation sends: its progress, then one result. */
export type WorkMessage<Result> = { readonly done: number } | { readonly result: Result }

interface WorkOptions {
  readonly script: ThreadScript
  /** Name in errors. */
  readonly what: string
  readonly heapMb: number
  readonly timeoutMs: number
  readonly onProgress: (done: number) => void
  /** Ends the thread; the promise is then rejected. */
  readonly signal: AbortSignal
}

/**
 * Performs work in a thread of its own, so that it blocks no request. Rejects when the thread ends without a result, is
 * aborted, or exceeds its time.
 */
export function workInThread<Result>(work: unknown, options: WorkOptions): Promise<Result> {
  const { script, what, heapMb, timeoutMs, onProgress, signal } = options
  const worker = startThread(script, {
    maxOldGenerationSizeMb: heapMb,
    maxYoungGenerationSizeMb: WORK_THREAD_YOUNG_GENERATION_MB,
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new Error(`the computation exceeded its time: ${what}`)), timeoutMs)
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
    worker.on('message', (message: WorkMessage<Result>) => {
      if ('done' in message) {
        onProgress(message.done)
        return
      }
      stop()
      resolve(message.result)
    })
    worker.once('error', end)
    worker.once('exit', () => end(new Error(`the thread has ended: ${what}`)))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    worker.postMessage(work)
  })
}
