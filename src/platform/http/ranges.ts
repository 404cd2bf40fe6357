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
