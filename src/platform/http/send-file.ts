import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { attachment } from './attachment.ts'
import { isKnown } from './etag.ts'

export interface SentFile {
  readonly path: string
  readonly sizeBytes: number
  /** Strong: two files with the same one are the same, byte for byte. In quotes. */
  readonly etag: string
  readonly fileName: string
}

/** Whether the file lies there as a whole. */
export const isThere = async ({ path, sizeBytes }: Pick<SentFile, 'path' | 'sizeBytes'>): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.size === sizeBytes

/** Sends a file or the part of it that is asked for: 200, 206, 304 or 416, and for HEAD the headers alone. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): FastifyReply {
  const { path, sizeBytes: size, etag, fileName } = file
  const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers
  void reply
    .header('ETag', etag)
    .header('Accept-Ranges', 'bytes')
    .header('Cache-Control', 'private, no-cache, no-transform')
  if (known !== undefined && isKnown(known, etag)) return reply.code(304).send(null)
  const isHead = request.method === 'HEAD'
  // A range has no meaning for HEAD (RFC 9110, 14.2).
  const part = isHead
    ? undefined
    : rangeUnlessChanged({ range, ifRange: ifRange?.toString() }, { size, etag })
  if (part === null) {
    void reply.header('Content-Range', `bytes */${size}`)
    throw new AppError(416, 'RANGE_NOT_SATISFIABLE', `the file has ${size} bytes`)
  }
  void reply.type('application/octet-stream').header('Content-Disposition', attachment(fileName))
  if (isHead) return reply.header('Content-Length', size).send(Readable.from([]))
  const { start, end } = part ?? { start: 0, end: size - 1 }
  if (part) void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  return reply.header('Content-Length', end - start + 1).send(createReadStream(path, { start, end }))
}

/** A part of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** First and last position; far beyond any file, so that no number is rounded. */
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
 * The same under If-Range: a part only of the very file that the client has begun; a weak tag or a date is no
 * proof.
 */
export const rangeUnlessChanged = (
  { range, ifRange }: Conditions,
  { size, etag }: { readonly size: number; readonly etag: string },
): ByteRange | null | undefined =>
  ifRange !== undefined && ifRange.trim() !== etag ? undefined : rangeOf(range, size)
