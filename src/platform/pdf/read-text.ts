import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeConcurrencyLimit } from '../async/concurrency-limit.ts'
import { startThread } from '../async/start-thread.ts'
import { TableFault } from '../tables/index.ts'
import type { ExtractedText } from './extract-text.ts'
import { PDF_FILES_WAITING_MAX, PDF_READING_HEAP_MB, PDF_READING_MAX_MS } from './limits.ts'
import { PDF_TEXTS } from './messages.ts'
import type { PdfLine } from './text-lines.ts'

const SCRIPT = { source: new URL('./reading-thread.ts', import.meta.url), built: 'pdf-thread' }

/** The header may follow other bytes. */
const HEADER_WITHIN_BYTES = 1024
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, HEADER_WITHIN_BYTES).includes('%PDF-')

const oneAtATime = makeConcurrencyLimit({
  atOnce: 1,
  waitingMax: PDF_FILES_WAITING_MAX,
  refuse: () => new AppError(503, 'SERVICE_UNAVAILABLE', ERROR_TEXTS.TABLE_READERS_BUSY()),
})

/**
 * Reads the text of a PDF as lines of cells. A thread of its own bounds the time and memory that a hostile document can
 * take; it ends with the document. Throws TableFault, or 503 when too many files wait.
 */
export const readPdfText = (bytes: Buffer): Promise<readonly PdfLine[]> =>
  oneAtATime.run(() => readInThread(bytes))

interface Bounds {
  readonly maxMs: number
  readonly heapMb: number
}
const BOUNDS: Bounds = { maxMs: PDF_READING_MAX_MS, heapMb: PDF_READING_HEAP_MB }

/** The same, at once and with given bounds. */
export function readInThread(bytes: Buffer, { maxMs, heapMb } = BOUNDS): Promise<readonly PdfLine[]> {
  const worker = startThread(SCRIPT, { maxOldGenerationSizeMb: heapMb })
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      // Errors of a thread that is being terminated have no receiver.
      worker.on('error', () => {})
      void worker.terminate()
      settle()
    }
    const refuse = (kind: 'unreadable' | 'tooLarge', content: TableFault['content']) =>
      end(() => reject(new TableFault(kind, content)))
    const timer = setTimeout(() => refuse('unreadable', PDF_TEXTS.PDF_TAKES_TOO_LONG()), maxMs)
    worker.once('message', (response: ExtractedText) => {
      if ('lines' in response) end(() => resolve(response.lines))
      else refuse('unreadable', response.refusal)
    })
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse('tooLarge', PDF_TEXTS.PDF_NEEDS_MUCH_MEMORY())
      else end(() => reject(error))
    })
    worker.once('exit', () => end(() => reject(new Error('the thread that reads a PDF has ended'))))
    worker.postMessage(new Uint8Array(bytes))
  })
}
