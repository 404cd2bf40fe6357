import type { Readable } from 'node:stream'
import multipart, { type MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import type { App } from './app-type.ts'
import { HTTP_TEXTS } from './messages.ts'
import { invalidInput } from './validation.ts'

/** A file of a form that is being uploaded. */
export interface ArrivingFile {
  readonly name: string
  readonly content: Readable
  /** Aborted when the sender has disconnected. */
  readonly signal: AbortSignal
}

export interface StreamRules<Kept> {
  readonly bytesMax: number
  /** Text fields of the form that the body contains. */
  readonly fields: readonly string[]
  /** Bytes of one text field. */
  readonly fieldBytesMax: number
  /** Stores the file; the result becomes `body.file`. */
  readonly keep: (request: FastifyRequest, file: ArrivingFile) => Promise<Kept>
  /** Called after the response, whatever its status. */
  readonly discard: (kept: Kept) => Promise<void>
}

/** The field of a body whose file was stored during the upload. */
export const KeptFile = <Kept>(description: string) => Type.Unsafe<Kept>({ format: 'binary', description })

const BOUNDARIES_BYTES = 64 * 1024

/**
 * Accepts multipart forms with one file in the field `file` as the bodies of a scope's POSTs. The file is
 * streamed and never completely in memory. 413 beyond `bytesMax`, 415 for any other content type.
 */
export function streamFiles<Kept>(app: App, rules: StreamRules<Kept>): void {
  const { bytesMax, fieldBytesMax, discard } = rules
  const tooLarge = () =>
    new AppError(413, 'PAYLOAD_TOO_LARGE', HTTP_TEXTS.UPLOAD_FILE_TOO_LARGE({ max: bytesMax }))
  const kept = new WeakMap<FastifyRequest, Kept>()
  void app.register(multipart, {
    limits: {
      fileSize: bytesMax,
      files: 1,
      fields: 10,
      fieldSize: fieldBytesMax,
      parts: 12,
      headerPairs: 50,
    },
  })
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST') return
    if (Number(request.headers['content-length'] ?? 0) > bytesMax + BOUNDARIES_BYTES) throw tooLarge()
    if (!request.isMultipart()) {
      throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', HTTP_TEXTS.UPLOAD_NOT_MULTIPART())
    }
    request.body = await readForm(request, { rules, tooLarge, note: (one) => void kept.set(request, one) })
  })
  app.addHook('onResponse', async (request) => {
    const one = kept.get(request)
    if (one !== undefined) await discard(one)
  })
}

interface Reading<Kept> {
  readonly rules: StreamRules<Kept>
  readonly tooLarge: () => AppError
  readonly note: (kept: Kept) => void
}

type TextField = Pick<MultipartValue, 'fieldname' | 'value' | 'valueTruncated'>

/** Throws 422 for text that is truncated or cannot be stored. */
function wholeText({ fieldname, value, valueTruncated }: TextField): unknown {
  if (valueTruncated) throw invalidInput(['body', fieldname], HTTP_TEXTS.UPLOAD_TEXT_TOO_LONG())
  if (typeof value === 'string' && value.includes('\0'))
    throw invalidInput(['body', fieldname], HTTP_TEXTS.TEXT_HAS_NUL())
  return value
}

async function readForm<Kept>(request: FastifyRequest, { rules, tooLarge, note }: Reading<Kept>) {
  const { fields, keep, discard } = rules
  const texts: Record<string, unknown> = {}
  let file: Kept | undefined
  const gone = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete) gone.abort(new Error('the sender has gone'))
  })
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') {
        if (fields.includes(part.fieldname)) texts[part.fieldname] = wholeText(part)
      } else if (part.fieldname === 'file') {
        // Typed as text, but a part of the type application/octet-stream is a file without a name.
        const name: string | undefined = part.filename
        file = await keep(request, { name: name ?? '', content: part.file, signal: gone.signal })
        if (part.file.truncated) throw tooLarge()
      } else part.file.resume()
    }
  } catch (error) {
    // The rest of the body is discarded: otherwise the sender would never receive the response, and the
    // connection would stay occupied.
    request.raw.unpipe()
    request.raw.resume()
    if (file !== undefined) await discard(file)
    if (error instanceof AppError) throw error
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    throw new AppError(400, 'VALIDATION_ERROR', HTTP_TEXTS.UPLOAD_ONE_FILE())
  }
  if (file === undefined) return texts
  note(file)
  return { ...texts, file }
}
