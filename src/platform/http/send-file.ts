import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import { attachment } from './attachment.ts'
import { isKnown } from './etag.ts'
import { HTTP_TEXTS } from './messages.ts'

const File = Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' })
const content = { 'application/octet-stream': { schema: File } }
const headers = {
  ETag: { type: 'string', description: 'Version of the file, for If-None-Match and If-Range.' },
}

/** The responses of a route that uses `sendFile`; its errors are 409 (no file) and 416. */
export const FileResponses = {
  200: { description: 'The whole file, as an attachment.', headers, content },
  206: { description: 'Requested range of the file.', headers, content },
  304: { type: 'null', description: 'The file is unchanged since the version in If-None-Match.' },
}

export interface SentFile {
  readonly path: string
  readonly sizeBytes: number
  /** A strong validator, in quotes: two files with the same ETag are identical byte for byte. */
  readonly etag: string
  readonly fileName: string
}

/** Returns whether the file exists with its full size. */
export const isThere = async ({ path, sizeBytes }: Pick<SentFile, 'path' | 'sizeBytes'>): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.size === sizeBytes

/** Sends a file or the requested range of it: 200, 206, 304 or 416, and for HEAD only the headers. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): FastifyReply {
  const { path, sizeBytes: size, etag, fileName } = file
  const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers
  void reply
    .header('ETag', etag)
    .header('Accept-Ranges', 'bytes')
    .header('Cache-Control', 'private, no-cache, no-transform')
  if (known !== undefined && isKnown(known, etag)) return reply.code(304).send(null)
  const isHead = request.method === 'HEAD'
  // Range is not defined for HEAD (RFC 9110, 14.2).
  const part = isHead
    ? undefined
    : rangeUnlessChanged({ range, ifRange: ifRange?.toString() }, { size, etag })
  if (part === null) {
    void reply.header('Content-Range', `bytes */${size}`)
    throw new AppError(416, 'RANGE_NOT_SATISFIABLE', HTTP_TEXTS.FILE_RANGE_OUTSIDE({ bytes: size }))
  }
  void reply.type('application/octet-stream').header('Content-Disposition', attachment(fileName))
  if (isHead) return reply.header('Content-Length', size).send(Readable.from([]))
  const { start, end } = part ?? { start: 0, end: size - 1 }
  if (part) void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  return reply.header('Content-Length', end - start + 1).send(createReadStream(path, { start, end }))
}

/** A range of a file, both ends inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** First and last position; at most 15 digits, so that no number is rounded. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The range that a Range header requests of `size` bytes (RFC 9110, 14.2). Undefined: the whole, also for
 * several ranges and for an invalid one, which a server may ignore. Null: not satisfiable (416).
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first, last] = ONE_RANGE.exec(header?.replaceAll(' ', '').toLowerCase() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return null
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

interface Conditions {
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

/**
 * Applies If-Range: returns the range only when the file is unchanged. A weak tag or a date does not prove
 * that.
 */
export const rangeUnlessChanged = (
  { range, ifRange }: Conditions,
  { size, etag }: { readonly size: number; readonly etag: string },
): ByteRange | null | undefined =>
  ifRange !== undefined && ifRange.trim() !== etag ? undefined : rangeOf(range, size)
