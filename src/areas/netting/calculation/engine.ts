/**
 * Where a calculation is computed.
 *
 * A small one is computed on the event loop. A large one, of a group with many facilities and a month, takes seconds of
 * processor time and hundreds of megabytes, so it is computed in a thread of its own, which ends with the calculation
 * and returns its memory. The statements stay on the event loop: facts are sent to the thread in pieces as they are
 * read, and rows come back in pieces as they are inserted, so neither side holds both. Both modes perform the same
 * `EngineSteps`.
 *
 * Lock order: a calculation waits for a thread after it has locked its group and accounts; a calculation that has a
 * thread waits for no further lock of a group or account.
 */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { AppError, unprocessable } from '../../../kernel/errors.ts'
import { makeConcurrencyLimit } from '../../../platform/async/concurrency-limit.ts'
import { startThread } from '../../../platform/async/start-thread.ts'
import type { EncodedRows } from '../../../platform/db/copy-rows.ts'
import { type EngineSteps, makeEngineSteps, type WindowResult } from './engine-steps.ts'
import type { StepRequest, StepResponse } from './engine-thread.ts'
import type { FactText } from './fact-text.ts'
import {
  CALCULATION_STEP_MAX_MS,
  CALCULATION_THREAD_HEAP_MB,
  CALCULATION_THREAD_HOURS_MIN,
  CALCULATION_THREADS_MAX,
  CALCULATION_THREADS_WAITING_MAX,
} from './limits.ts'
import { CALCULATION_TEXTS } from './messages.ts'
import type { RowOwner } from './result-rows.ts'
import type { FactSpan, WindowInput } from './window-input.ts'

/** The facts of a window in pieces, each with the span that it belongs to. */
export type FactPieces = AsyncIterable<{ readonly span: FactSpan; readonly texts: readonly FactText[] }>

/** Computes one window after another; what it returns besides the result belongs to the last one. */
export interface Engine {
  compute(input: WindowInput, facts: FactPieces): Promise<WindowResult>
  /** The row of the input, then those of the result. */
  rows(owner: RowOwner): AsyncGenerator<EncodedRows>
}

/** The steps where they may be performed in another thread. */
type Steps = {
  readonly [Name in keyof EngineSteps]: (
    ...args: Parameters<EngineSteps[Name]>
  ) => ReturnType<EngineSteps[Name]> | Promise<Awaited<ReturnType<EngineSteps[Name]>>>
}

/** While this thread reads or inserts a piece, the other one works on the next. */
const engineOf = (steps: Steps): Engine => ({
  async compute(input, facts) {
    await steps.begin(input)
    let added = Promise.resolve()
    for await (const { span, texts } of facts) {
      await added
      added = handled(async () => steps.addFacts(span, texts))
    }
    await added
    return steps.compute()
  },
  async *rows(owner) {
    let next: Promise<EncodedRows | undefined> = handled(async () => steps.packedInput(owner))
    for (let rows = await next; rows; rows = await next) {
      next = handled(async () => steps.nextRows(owner))
      yield rows
    }
  },
})

/** Starts work whose failure counts only if its result is awaited. */
function handled<T>(work: () => Promise<T>): Promise<T> {
  const result = work()
  result.catch(() => {})
  return result
}

const SCRIPT = { source: new URL('./engine-thread.ts', import.meta.url), built: 'engine-thread' }
const startEngineThread = () => startThread(SCRIPT, { maxOldGenerationSizeMb: CALCULATION_THREAD_HEAP_MB })

export interface EngineOptions {
  /** Tests use fewer. */
  readonly threadHoursMin?: number
  /** Tests end the threads that it starts. */
  readonly start?: () => Worker
}

/** Gives an engine to a piece of work; the engine ends with it. */
export type WithEngine = <T>(facilityHours: number, work: (engine: Engine) => Promise<T>) => Promise<T>

/** Makes the function that gives an engine. It throws 503 when too many calculations wait for a thread. */
export function makeEngines({
  threadHoursMin = CALCULATION_THREAD_HOURS_MIN,
  start = startEngineThread,
}: EngineOptions = {}): WithEngine {
  const threads = makeConcurrencyLimit({
    atOnce: CALCULATION_THREADS_MAX,
    waitingMax: CALCULATION_THREADS_WAITING_MAX,
    refuse: () => new AppError(503, 'SERVICE_UNAVAILABLE', CALCULATION_TEXTS.CALCULATION_THREADS_BUSY()),
  })
  return (facilityHours, work) =>
    facilityHours < threadHoursMin
      ? work(engineOf(makeEngineSteps()))
      : threads.run(() => withThread(start, (steps) => work(engineOf(steps))))
}

export const withEngine = makeEngines()

async function withThread<T>(start: () => Worker, work: (steps: Steps) => Promise<T>): Promise<T> {
  const worker = start()
  // Between two steps nobody else listens; the next step then finds that the thread has ended.
  worker.on('error', () => {})
  try {
    return await work(stepsIn(worker))
  } finally {
    await worker.terminate()
  }
}

function stepsIn(worker: Worker): Steps {
  const perform = <T>(step: keyof EngineSteps, ...args: readonly unknown[]) =>
    ask(worker, { step, args }) as Promise<T>
  return {
    begin: (input) => perform('begin', input),
    addFacts: (span, texts) => perform('addFacts', span, texts),
    compute: () => perform('compute'),
    packedInput: (owner) => perform('packedInput', owner),
    nextRows: (owner) => perform('nextRows', owner),
  }
}

/** Sends one step to the thread. Throws when it fails, when the thread ends, and when it takes too long. */
async function ask(worker: Worker, request: StepRequest): Promise<unknown> {
  const stopped = new AbortController()
  const onExit = () => stopped.abort(new Error('the thread of a calculation has ended'))
  worker.once('exit', onExit)
  try {
    // The id is -1 after the end of a thread.
    if (worker.threadId < 0) onExit()
    worker.postMessage(request)
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
