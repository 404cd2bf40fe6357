import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import { unpackRows } from './packed-rows.ts'
import { TableFault, type TableLimits, type TableRow } from './table.ts'

const require = createRequire(import.meta.url)

/** To the thread: a file. While its rows are on their way, any message asks for more of them. */
export interface ThreadRequest {
  readonly bytes: Uint8Array
  readonly limits: TableLimits
}

/** From the thread: a portion of the rows as `packRows` makes it, that there are no more, or why not. */
export type ThreadResponse =
  | { readonly rows: string }
  | 'end'
  | { readonly fault: Pick<TableFault, 'kind' | 'message'> }
  | { readonly error: string }

export interface ThreadRules {
  /** Files that wait or are read; one more is answered 503. */
  readonly waitingMax: number
  readonly readingMaxMs: number
  readonly heapMb: number
  readonly idleMs: number
}

/**
 * Reads tables in a thread of its own, one at a time: seconds of parsing hold nobody up, and two large files
 * do not need memory for two. The thread is started by the first file and ends when none has come for a
 * while.
 */
export function makeTableThread(rules: ThreadRules) {
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const worker = startWorker(rules.heapMb)
    // Also when it dies between two files; a pending read has its own listeners.
    worker.on('error', () => forget(worker))
    return worker
  }
  function forget(worker: Worker): void {
    if (thread === worker) thread = undefined
    void worker.terminate()
  }

  async function readNext(request: ThreadRequest): Promise<TableRow[]> {
    clearTimeout(idle)
    thread ??= start()
    const worker = thread
    worker.ref()
    try {
      return await ask(worker, request, rules.readingMaxMs)
    } catch (error) {
      if (error instanceof TableFault) throw error
      forget(worker)
      throw faultOf(error)
    } finally {
      worker.unref()
      idle = setTimeout(() => forget(worker), rules.idleMs).unref()
    }
  }

  /** Throws TableFault, and 503 when too many files wait already. */
  return async (bytes: Buffer, limits: TableLimits): Promise<TableRow[]> => {
    if (waiting >= rules.waitingMax) {
      throw new AppError(503, 'SERVICE_UNAVAILABLE', 'many files are being read; try again')
    }
    waiting += 1
    const reading = last.then(() => readNext({ bytes, limits }))
    last = reading.catch(() => {})
    try {
      return await reading
    } finally {
      waiting -= 1
    }
  }
}

/**
 * One portion a message, and each is asked for: what else this thread has to do comes between them. While it
 * unpacks one the other thread reads the next, and no further.
 */
async function ask(worker: Worker, request: ThreadRequest, maxMs: number): Promise<TableRow[]> {
  const signal = AbortSignal.timeout(maxMs)
  const rows: TableRow[] = []
  worker.postMessage(request)
  for (;;) {
    const [answer] = (await once(worker, 'message', { signal })) as [ThreadResponse]
    if (answer === 'end') return rows
    if ('fault' in answer) throw new TableFault(answer.fault.kind, answer.fault.message)
    if ('error' in answer) throw new Error(`a table could not be read: ${answer.error}`)
    worker.postMessage('more')
    for (const row of unpackRows(answer.rows)) rows.push(row)
  }
}

function faultOf(error: unknown): unknown {
  const { name, code } = error as { name?: string; code?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new TableFault('tooLarge', 'the file needs too much memory to be read')
  if (name === 'AbortError') return new TableFault('unreadable', 'the file takes too long to read')
  return error
}

/**
 * The built program has the script of the thread as a file beside it; sources, as tests run them, need a loader.
 */
function startWorker(heapMb: number): Worker {
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb } }
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./reading-thread.js', import.meta.url), options)
  const loader = new URL('./dist/esm/api/index.mjs', pathToFileURL(require.resolve('tsx/package.json')))
  const script = new URL('./reading-thread.ts', import.meta.url)
  const lines = `import(${quoted(loader)}).then(({ register }) => register()).then(() => import(${quoted(script)}))`
  return new Worker(lines, { ...options, eval: true })
}

const quoted = ({ href }: URL): string => JSON.stringify(href)
