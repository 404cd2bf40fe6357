/**
 * Threads of calculations.
 *
 * Purpose. A month of ten facilities takes a tenth of a second of processor time or more, for which no request may
 * wait.
 *
 * Two kinds. A calculation of up to `KEPT_FACILITY_HOURS_MAX` uses a kept thread: it is started for the first one that
 * finds no idle thread, performs one calculation after another, and ends when it has been idle for a while. A larger
 * calculation has a thread of its own, which ends with it and returns its memory. The kinds have separate queues, so
 * that no small calculation waits for minutes behind large ones.
 *
 * Failures. A thread is kept only after a calculation that succeeded. A thread that ends fails its calculation, whose
 * transaction is rolled back, and the next calculation starts another one. A thread that needs more than its heap fails
 * the calculation with `GROUP_TOO_LARGE`.
 */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { AppError, unprocessable } from '../../../kernel/errors.ts'
import { makeConcurrencyLimit } from '../../../platform/async/concurrency-limit.ts'
import { startThread } from '../../../platform/async/start-thread.ts'
import { makeSerializer } from '../../../platform/async/yield.ts'
import type { EngineSteps } from './engine-steps.ts'
import type { StepRequest, StepResponse } from './engine-thread.ts'
import {
  CALCULATION_STEP_MAX_MS,
  CALCULATION_THREAD_HEAP_MB,
  CALCULATION_THREAD_IDLE_MS,
  CALCULATION_THREADS_MAX,
  CALCULATION_THREADS_WAITING_MAX,
  KEPT_FACILITY_HOURS_MAX,
} from './limits.ts'
import { CALCULATION_TEXTS } from './messages.ts'

/** The steps where they may be performed in another thread. */
export type Steps = {
  readonly [Name in keyof EngineSteps]: (
    ...args: Parameters<EngineSteps[Name]>
  ) => ReturnType<EngineSteps[Name]> | Promise<Awaited<ReturnType<EngineSteps[Name]>>>
}

export interface EngineThreadOptions {
  /** Tests use a short time. */
  readonly idleMs?: number
  /** Tests end the threads that it starts. */
  readonly start?: () => Worker
}

/** Gives a thread to a piece of work. Throws 503 when too many of its kind wait. */
export type WithThread = <T>(facilityHours: number, work: (steps: Steps) => Promise<T>) => Promise<T>

const SCRIPT = { source: new URL('./engine-thread.ts', import.meta.url), built: 'engine-thread' }
const startEngineThread = () => startThread(SCRIPT, { maxOldGenerationSizeMb: CALCULATION_THREAD_HEAP_MB })

export function makeEngineThreads({
  idleMs = CALCULATION_THREAD_IDLE_MS,
  start = startEngineThread,
}: EngineThreadOptions = {}): WithThread {
  const [small, large] = [makeQueue(), makeQueue()]
  const idle = makeIdleThreads(idleMs)
  return (facilityHours, work) =>
    facilityHours > KEPT_FACILITY_HOURS_MAX
      ? large.run(() => withOwnThread(start, work))
      : small.run(() => withKeptThread(idle, start, work))
}

const makeQueue = () =>
  makeConcurrencyLimit({
    atOnce: CALCULATION_THREADS_MAX,
    waitingMax: CALCULATION_THREADS_WAITING_MAX,
    refuse: () => new AppError(503, 'SERVICE_UNAVAILABLE', CALCULATION_TEXTS.CALCULATION_THREADS_BUSY()),
  })

type Work<T> = (steps: Steps) => Promise<T>

async function withOwnThread<T>(start: () => Worker, work: Work<T>): Promise<T> {
  const worker = started(start)
  try {
    return await work(stepsIn(worker))
  } finally {
    await worker.terminate()
  }
}

async function withKeptThread<T>(idle: IdleThreads, start: () => Worker, work: Work<T>): Promise<T> {
  const worker = idle.take() ?? started(start)
  const steps = stepsIn(worker)
  try {
    const result = await work(steps)
    // A thread that has ended meanwhile is no fault of the calculation, which is complete.
    await Promise.resolve(steps.forget()).then(
      () => idle.keep(worker),
      () => worker.terminate(),
    )
    return result
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

function started(start: () => Worker): Worker {
  const worker = start()
  // Between two steps nobody else listens; the next step then finds that the thread has ended.
  worker.on('error', () => {})
  return worker
}

interface IdleThreads {
  take(): Worker | undefined
  keep(worker: Worker): void
}

/** The thread that was used last is taken first, so that unneeded ones end. Idle threads keep no process alive. */
function makeIdleThreads(idleMs: number): IdleThreads {
  const threads: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  return {
    take() {
      for (let last = threads.pop(); last; last = threads.pop()) {
        clearTimeout(last.timer)
        // The id is -1 after the end of a thread.
        if (last.worker.threadId < 0) continue
        last.worker.ref()
        return last.worker
      }
      return undefined
    },
    keep(worker) {
      worker.unref()
      const end = () => {
        const index = threads.findIndex((one) => one.worker === worker)
        threads.splice(index, 1)
        void worker.terminate()
      }
      threads.push({ worker, timer: setTimeout(end, idleMs).unref() })
    },
  }
}

function stepsIn(worker: Worker): Steps {
  // A response is that of the one step that is performed.
  const inOrder = makeSerializer()
  const perform = <T>(step: keyof EngineSteps, args: readonly unknown[] = [], moved: ArrayBuffer[] = []) =>
    inOrder(() => ask(worker, { step, args }, moved)) as Promise<T>
  return {
    begin: (input) => perform('begin', [input]),
    continueInput: (lists) => perform('continueInput', [lists]),
    addFacts: (span, fields) => perform('addFacts', [span, fields], [fields.buffer]),
    compute: () => perform('compute'),
    packedInput: (owner) => perform('packedInput', [owner]),
    nextRows: (owner, spare) => perform('nextRows', [owner, spare], spare ? [spare] : []),
    forget: () => perform('forget'),
  }
}

/**
 * Sends one step to the thread; buffers in `moved` are moved, not copied. Throws when it fails, when the thread ends,
 * and when it takes too long.
 */
async function ask(worker: Worker, request: StepRequest, moved: readonly ArrayBuffer[]): Promise<unknown> {
  const stopped = new AbortController()
  const onExit = () => stopped.abort(new Error('the thread of a calculation has ended'))
  worker.once('exit', onExit)
  try {
    // The id is -1 after the end of a thread.
    if (worker.threadId < 0) onExit()
    worker.postMessage(request, moved)
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(CALCULATION_STEP_MAX_MS)])
    const [response] = (await once(worker, 'message', { signal })) as [StepResponse]
    if ('error' in response) throw new Error(`a calculation failed in its thread: ${response.error}`)
    return response.value
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw unprocessable('BUSINESS_RULE_VIOLATION', CALCULATION_TEXTS.GROUP_TOO_LARGE())
    }
    throw error
  } finally {
    worker.off('exit', onExit)
  }
}
