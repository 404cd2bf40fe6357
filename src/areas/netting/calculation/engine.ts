/**
 * Where a calculation is computed.
 *
 * That of a few hours is computed on the event loop, where it takes some milliseconds. All others are computed in
 * threads (`engine-threads.ts`), so that requests do not wait for them. The statements stay on the event loop: facts
 * are sent to the thread in pieces as they are read, and rows come back in pieces as they are inserted, so neither side
 * holds both. Both modes perform the same `EngineSteps`.
 *
 * Lock order: a calculation waits for a thread after it has locked its group and accounts; a calculation that has a
 * thread waits for no further lock of a group or account.
 */
import type { Worker } from 'node:worker_threads'
import type { CopiedFields } from '../../../platform/db/copied-fields.ts'
import type { EncodedRows } from '../../../platform/db/copy-rows.ts'
import { makeEngineSteps, type WindowResult } from './engine-steps.ts'
import { makeEngineThreads, type Steps } from './engine-threads.ts'
import { CALCULATION_THREAD_HOURS_MIN } from './limits.ts'
import type { RowOwner } from './result-rows.ts'
import { type FactSpan, splitInput, type WindowInput } from './window-input.ts'

/**
 * The facts of a window in pieces, each with the span that it belongs to, as the fields of FACT_COLUMNS. `spares`:
 * buffers of earlier pieces, for later ones.
 */
export type FactPieces = (spares: ArrayBuffer[]) => AsyncIterable<FactPiece>
export interface FactPiece {
  readonly span: FactSpan
  readonly fields: CopiedFields
}

/** Computes one window after another. */
export interface Engine {
  /** Takes the input of a window. */
  load(input: WindowInput, facts: FactPieces): Promise<void>
  /** The result of the loaded window without its rows. After the last rows it costs nothing. */
  result(): Promise<WindowResult>
  /**
   * The rows of the loaded window, then that of its input. Where the result was not requested before, they are computed
   * while the first of them are inserted. The first piece is begun at once.
   */
  rows(owner: RowOwner): AsyncGenerator<EncodedRows>
  /**
   * Takes the buffer of rows back that were inserted, for later ones. V8 counts a buffer of another thread as memory of
   * this one: a new buffer for each piece starts a full garbage collection of the event loop's heap again and again.
   * The buffers of facts are used again for the same reason.
   */
  reuse(rows: EncodedRows): void
}

/** While this thread reads or inserts a piece, the other one works on the next. */
function engineOf(steps: Steps): Engine {
  const spares: ArrayBuffer[] = []
  /** Settles when the thread has the facts of the window. */
  let added: Promise<unknown> = Promise.resolve()
  const nextRows = (owner: RowOwner) => handled(async () => steps.nextRows(owner, spares.pop()))
  async function* rowsAfter(
    first: ReturnType<typeof nextRows>,
    owner: RowOwner,
  ): AsyncGenerator<EncodedRows> {
    let next = first
    for (let rows = await next; rows; rows = await next) {
      next = nextRows(owner)
      yield rows
    }
    yield await steps.packedInput(owner)
  }
  return {
    async load(input, facts) {
      const [first, ...others] = splitInput(input)
      await steps.begin(first)
      for (const lists of others) await steps.continueInput(lists)
      const factSpares: ArrayBuffer[] = []
      for await (const { span, fields } of facts(factSpares)) {
        await added
        added = handled(async () => factSpares.push(await steps.addFacts(span, fields)))
      }
    },
    async result() {
      await added
      return steps.compute()
    },
    rows(owner) {
      const first = handled(async () => {
        await added
        return steps.nextRows(owner)
      })
      return rowsAfter(first, owner)
    },
    reuse({ table, bytes }) {
      // The input may be many times as large as a piece of rows.
      if (table !== 'calculation_input') spares.push(bytes.buffer)
    },
  }
}

/** Starts work whose failure counts only if its result is awaited. */
function handled<T>(work: () => Promise<T>): Promise<T> {
  const result = work()
  result.catch(() => {})
  return result
}

export interface EngineOptions {
  /** Tests use fewer. */
  readonly threadHoursMin?: number
  /** Tests use a short time. */
  readonly idleMs?: number
  /** Tests end the threads that it starts. */
  readonly start?: () => Worker
}

/** Gives an engine to a piece of work; the engine ends with it. */
export type WithEngine = <T>(facilityHours: number, work: (engine: Engine) => Promise<T>) => Promise<T>

/** Makes the function that gives an engine. It throws 503 when too many calculations wait for a thread. */
export function makeEngines({
  threadHoursMin = CALCULATION_THREAD_HOURS_MIN,
  ...options
}: EngineOptions = {}): WithEngine {
  const inThread = makeEngineThreads(options)
  return (facilityHours, work) =>
    facilityHours < threadHoursMin
      ? work(engineOf(makeEngineSteps()))
      : inThread(facilityHours, (steps) => work(engineOf(steps)))
}

export const withEngine = makeEngines()
