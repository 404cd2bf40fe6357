/**
 * Threads that derive keys from passwords.
 *
 * Purpose. A derivation takes more than 0.1 s of processor time. Threads of our own, other than those of
 * Node's thread pool, leave that pool to files and name lookups, and run at a lower priority (Linux), so that
 * the event loop and the database go first while all processors are busy.
 *
 * A thread derives one key at a time. It is started for the first key that finds no idle thread, and ends when
 * it has been idle for a while. The caller bounds how many keys are derived at once. A key whose thread dies
 * is derived again by another thread.
 */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../async/start-thread.ts'
import type { Derivation } from './derive.ts'
import { HASHING_ATTEMPTS_MAX, HASHING_THREAD_HEAP_MB, HASHING_THREAD_IDLE_MS } from './limits.ts'

export type HashingResponse = { readonly key: Uint8Array } | { readonly error: string }

export interface HashingThreadsOptions {
  /** Tests use a short time. */
  readonly idleMs?: number
  /** Tests end the threads that it starts. */
  readonly start?: () => Worker
}

const SCRIPT = { source: new URL('./hashing-thread.ts', import.meta.url), built: 'hashing-thread' }
const startHashingThread = () => startThread(SCRIPT, { maxOldGenerationSizeMb: HASHING_THREAD_HEAP_MB })

/** The thread has ended before it responded. */
class ThreadEnded extends Error {}

/** The key that a thread derives; throws ThreadEnded when the thread ends instead. */
async function ask(worker: Worker, derivation: Derivation): Promise<Buffer> {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  worker.once('exit', onExit)
  worker.postMessage(derivation)
  // Also rejects when the thread emits an error, which ends it.
  const responses = await once(worker, 'message', { signal: ended.signal })
    .catch((cause: unknown) => {
      throw new ThreadEnded('a hashing thread has ended', { cause })
    })
    .finally(() => worker.off('exit', onExit))
  const [response] = responses as [HashingResponse]
  if ('error' in response) throw new Error(response.error)
  return Buffer.from(response.key)
}

/** Makes the function that derives a key in a thread of its own. */
export function makeHashingThreads({
  idleMs = HASHING_THREAD_IDLE_MS,
  start = startHashingThread,
}: HashingThreadsOptions = {}): (derivation: Derivation) => Promise<Buffer> {
  /** The thread that was used last is the last one, so that unneeded ones become idle for long. */
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []

  function takeThread(): Worker {
    const last = idle.pop()
    if (!last) return startOne()
    clearTimeout(last.timer)
    last.worker.ref()
    return last.worker
  }
  function startOne(): Worker {
    const worker = start()
    // An error ends the thread; `ask` handles the end.
    worker.on('error', () => {})
    worker.once('exit', () => forget(worker))
    return worker
  }
  function keep(worker: Worker): void {
    worker.unref()
    idle.push({ worker, timer: setTimeout(() => void worker.terminate(), idleMs).unref() })
  }
  function forget(worker: Worker): void {
    const index = idle.findIndex((one) => one.worker === worker)
    if (index < 0) return
    clearTimeout(idle[index]?.timer)
    idle.splice(index, 1)
  }

  async function deriveOnce(derivation: Derivation): Promise<Buffer> {
    const worker = takeThread()
    try {
      const key = await ask(worker, derivation)
      keep(worker)
      return key
    } catch (error) {
      void worker.terminate()
      throw error
    }
  }

  return async (derivation) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await deriveOnce(derivation)
      } catch (error) {
        if (!(error instanceof ThreadEnded) || attempt === HASHING_ATTEMPTS_MAX) throw error
      }
    }
  }
}
