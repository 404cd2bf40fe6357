import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { startThread } from '../async/start-thread.ts'
import { TABLE_TEXTS } from './messages.ts'
import { unpackRows } from './packed-rows.ts'
import { TableFault, type TableLimits, type TableRow } from './table.ts'

const SCRIPT = { source: new URL('./reading-thread.ts', import.meta.url), built: 'reading-thread' }

/** A message to the thread: a file. While its rows are being sent, any message requests the next chunk. */
export interface ThreadRequest {
  readonly bytes: Uint8Array
  readonly limits: TableLimits
  /** The position of the sheet of a workbook. */
  readonly sheetIndex: number
}

/** A message from the thread: a chunk of rows encoded by `packRows`, the end of the rows, or an error. */
export type ThreadResponse =
  | { readonly rows: string }
  | 'end'
  | { readonly fault: Pick<TableFault, 'kind' | 'content'> }
  | { readonly error: string }

export interface ThreadRules {
  /** Files that wait or are read; a further one is answered 503. */
  readonly waitingMax: number
  readonly readingMaxMs: number
  readonly heapMb: number
  readonly idleMs: number
}

export interface TableReader {
  /** Throws TableFault, or 503 when too many files wait already. */
  rows(bytes: Buffer, limits: TableLimits, sheetIndex?: number): Promise<TableRow[]>
  /**
   * The same rows, which become objects only while they are iterated: a hundred thousand of them take a tenth of the
   * memory, and each iteration decodes them again.
   */
  lazyRows(bytes: Buffer, limits: TableLimits): Promise<Iterable<TableRow>>
}

/** Receives a chunk encoded by `packRows`. */
type TakeChunk = (rows: string) => void

/**
 * Makes the reader of tables in a separate thread, one file at a time, so that seconds of parsing do not
 * block the event loop and two large files do not need memory at the same time. The first file starts the
 * thread; it ends when no file has come for a while.
 */
export function makeTableThread(rules: ThreadRules): TableReader {
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const worker = startThread(SCRIPT, { maxOldGenerationSizeMb: rules.heapMb })
    // Handles an exit between two files; a pending read has its own listeners.
    worker.on('error', () => forget(worker))
    return worker
  }
  function forget(worker: Worker): void {
    if (thread === worker) thread = undefined
    void worker.terminate()
  }

  async function readNext(request: ThreadRequest, take: TakeChunk): Promise<void> {
    clearTimeout(idle)
    thread ??= start()
    const worker = thread
    worker.ref()
    try {
      await ask(worker, request, { maxMs: rules.readingMaxMs, take })
    } catch (error) {
      if (error instanceof TableFault) throw error
      forget(worker)
      throw faultOf(error)
    } finally {
      worker.unref()
      idle = setTimeout(() => forget(worker), rules.idleMs).unref()
    }
  }

  async function read(request: ThreadRequest, take: TakeChunk): Promise<void> {
    if (waiting >= rules.waitingMax) {
      throw new AppError(503, 'SERVICE_UNAVAILABLE', ERROR_TEXTS.TABLE_READERS_BUSY())
    }
    waiting += 1
    const reading = last.then(() => readNext(request, take))
    last = reading.catch(() => {})
    try {
      await reading
    } finally {
      waiting -= 1
    }
  }

  return {
    async rows(bytes, limits, sheetIndex = 0) {
      const rows: TableRow[] = []
      await read({ bytes, limits, sheetIndex }, (chunk) => void rows.push(...unpackRows(chunk)))
      return rows
    },
    async lazyRows(bytes, limits) {
      const chunks: string[] = []
      await read({ bytes, limits, sheetIndex: 0 }, (chunk) => void chunks.push(chunk))
      return {
        *[Symbol.iterator]() {
          for (const chunk of chunks) yield* unpackRows(chunk)
        },
      }
    },
  }
}

/**
 * Receives one chunk per message and requests each one, so that other work of this thread runs in between.
 * While this thread decodes a chunk the other one reads the next, but no further.
 */
async function ask(
  worker: Worker,
  request: ThreadRequest,
  { maxMs, take }: { readonly maxMs: number; readonly take: TakeChunk },
): Promise<void> {
  const signal = AbortSignal.timeout(maxMs)
  worker.postMessage(request)
  for (;;) {
    const [answer] = (await once(worker, 'message', { signal })) as [ThreadResponse]
    if (answer === 'end') return
    if ('fault' in answer) throw new TableFault(answer.fault.kind, answer.fault.content)
    if ('error' in answer) throw new Error(`a table could not be read: ${answer.error}`)
    worker.postMessage('more')
    take(answer.rows)
  }
}

function faultOf(error: unknown): unknown {
  const { name, code } = error as { name?: string; code?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new TableFault('tooLarge', TABLE_TEXTS.TABLE_NEEDS_MUCH_MEMORY())
  if (name === 'AbortError') return new TableFault('unreadable', TABLE_TEXTS.TABLE_TAKES_TOO_LONG())
  return error
}
