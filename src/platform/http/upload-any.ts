import { pipeline, type Readable, Transform } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import type { App } from './app-type.ts'

/** A file while it arrives. */
export interface AnyFile {
  /** As the form says; undefined where the body is the file itself. */
  readonly name: string | undefined
  readonly content: Readable
}

const tooLarge = (bytesMax: number) =>
  new AppError(413, 'PAYLOAD_TOO_LARGE', `a file may have ${bytesMax} bytes at most`)

/**
 * Called in a scope, before its routes: a body may be anything and is not read until `openFile` is called.
 * Routes are added by `routes`, once the scope is ready.
 */
export function acceptAnyBody(app: App, bytesMax: number, routes: () => void): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // One more than a file may have, so that what is too large is seen to be.
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
 * Begins to read: the one file of a multipart form, or the body itself. 413 comes out of the content, 400
 * without a file.
 */
export async function openFile(request: FastifyRequest, bytesMax: number): Promise<AnyFile> {
  const file = request.isMultipart() ? await request.file() : undefined
  if (request.isMultipart() && !file) throw new AppError(400, 'VALIDATION_ERROR', 'the form has no file')
  // What goes wrong on the way comes out at its end.
  const content = pipeline(file?.file ?? request.raw, bounded(bytesMax), () => {})
  return { name: file?.filename, content }
}

/** Passes on what may come, and fails beyond it. */
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

/** Aborted when the sender goes before all has come. */
export function abortSignalOf({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete) gone.abort(new Error('the sender has gone'))
  })
  return gone.signal
}
