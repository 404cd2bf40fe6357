import { pipeline, type Readable, Transform } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import type { App } from './app-type.ts'
import { HTTP_TEXTS } from './messages.ts'

/** A file that is being uploaded. */
export interface AnyFile {
  /** The name in the form; undefined where the body is the file itself. */
  readonly name: string | undefined
  readonly content: Readable
}

const tooLarge = (bytesMax: number) =>
  new AppError(413, 'PAYLOAD_TOO_LARGE', HTTP_TEXTS.UPLOAD_BYTES_EXCEEDED({ max: bytesMax }))

/**
 * Accepts any content type in a scope; the body is not read until `openFile` is called. `routes` adds the
 * routes once the scope is ready.
 */
export function acceptAnyBody(app: App, bytesMax: number, routes: () => void): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // One byte more than a file may have, so that a larger file is detected.
  const limits = { fileSize: bytesMax + 1, files: 1, fields: 10, parts: 12, headerPairs: 50 }
  void app.register(multipart, { limits })
  app.addHook('onRequest', async ({ headers }) => {
    const isForm = headers['content-type']?.startsWith('multipart/') ?? false
    const most = isForm ? bytesMax + BOUNDARIES_BYTES : bytesMax
    if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(bytesMax)
  })
  app.after(routes)
}
const BOUNDARIES_BYTES = 64 * 1024

/**
 * Begins to read the file: the only file of a multipart form, or the body itself. Throws 400 without a
 * file; the stream of the content fails with 413.
 */
export async function openFile(request: FastifyRequest, bytesMax: number): Promise<AnyFile> {
  const file = request.isMultipart() ? await request.file() : undefined
  if (request.isMultipart() && !file)
    throw new AppError(400, 'VALIDATION_ERROR', HTTP_TEXTS.UPLOAD_WITHOUT_FILE())
  // Errors of the form appear at the end of the file's stream.
  const content = pipeline(file?.file ?? request.raw, bounded(bytesMax), () => {})
  return { name: file?.filename, content }
}

/** Passes chunks on up to the limit, and fails beyond it. */
function bounded(bytesMax: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(tooLarge(bytesMax))
      else done(null, chunk)
    },
  })
}

/** Returns a signal that is aborted when the sender disconnects before the whole body has arrived. */
export function abortSignalOf({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete) gone.abort(new Error('the sender has gone'))
  })
  return gone.signal
}
