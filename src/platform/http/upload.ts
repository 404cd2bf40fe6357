import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import type { App } from './app-type.ts'
import { HTTP_TEXTS } from './messages.ts'

export interface UploadedFile {
  readonly name: string
  /** The content type of its part of the form. */
  readonly contentType: string
  readonly bytes: Buffer
}

/** The schema of a body with one file. */
export const FileBody = (description: string) =>
  Type.Object({ file: Type.Unsafe<UploadedFile>({ format: 'binary', description }) })

/** The schema of a body with several files. */
export const FilesBody = (description: string, filesMax: number) => ({
  file: Type.Array(Type.Unsafe<UploadedFile>({ format: 'binary' }), {
    minItems: 1,
    maxItems: filesMax,
    description,
  }),
})

export interface FileRules {
  readonly bytesMax: number
  /** The error for a file that is too large; 413 PAYLOAD_TOO_LARGE by default. */
  readonly tooLarge?: (bytesMax: number) => AppError
  /** Text fields of the form that the body contains. */
  readonly fields?: readonly string[]
  /** With it the body has the list of all files in the field `file`: a form may contain this number of files. */
  readonly filesMax?: number
}

const BOUNDARIES_BYTES = 64 * 1024
/** Fields that a form may have in addition to those that its route knows. */
const SPARE_FIELDS = 10

/**
 * Accepts multipart forms with one file of at most `bytesMax` bytes in the field `file` as the bodies of a
 * scope's POSTs. Fields that `fields` does not contain are ignored. The file is in memory when the handler
 * begins.
 */
export function acceptFiles(app: App, rules: FileRules): void {
  const { bytesMax, tooLarge = fileTooLarge, fields = [], filesMax } = rules
  void app.register(multipart, {
    limits: {
      fileSize: bytesMax,
      files: filesMax ?? 1,
      fields: fields.length + SPARE_FIELDS,
      fieldSize: 1_000,
      parts: fields.length + SPARE_FIELDS + 1 + (filesMax ?? 1),
      headerPairs: 50,
    },
  })
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST') return
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > bytesMax * (filesMax ?? 1) + BOUNDARIES_BYTES) throw tooLarge(bytesMax)
    if (!request.isMultipart()) {
      throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', HTTP_TEXTS.UPLOAD_NOT_MULTIPART())
    }
    request.body = await readForm(request, rules, () => tooLarge(bytesMax))
  })
}

const fileTooLarge = (bytesMax: number) =>
  new AppError(
    413,
    'PAYLOAD_TOO_LARGE',
    HTTP_TEXTS.UPLOAD_MIB_EXCEEDED({ max: Math.floor(bytesMax / 1024 / 1024) }),
  )

async function readForm(
  request: FastifyRequest,
  { fields = [], filesMax }: FileRules,
  tooLarge: () => AppError,
): Promise<Record<string, unknown>> {
  const files: UploadedFile[] = []
  const texts: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') {
        if (fields.includes(part.fieldname)) texts[part.fieldname] = part.value
        continue
      }
      const bytes = await part.toBuffer()
      if (part.fieldname === 'file') files.push({ name: part.filename, contentType: part.mimetype, bytes })
    }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    throw new AppError(400, 'VALIDATION_ERROR', HTTP_TEXTS.UPLOAD_FORM_NOT_ACCEPTED())
  }
  if (filesMax !== undefined) return { ...texts, file: files }
  return files[0] ? { ...texts, file: files[0] } : texts
}
