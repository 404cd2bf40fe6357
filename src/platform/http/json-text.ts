import { FREE_FORM_BYTES_MAX } from './limits.ts'

/** An escape counts when an even number of backslashes stands before it. */
const escapeOf = (code: string) => new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\u${code}`, 'i')
const NUL = escapeOf('0000')
const PAIR = /(?<!\\)((?:\\\\)*)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi
const SURROGATE = escapeOf('d[89a-f][0-9a-f]{2}')

/**
 * What a JSON text holds that PostgreSQL cannot store, in the words of the answer; undefined when there is
 * nothing. It looks at escapes alone: raw, a NUL is no JSON and half a character does not come out of UTF-8.
 */
export function unstorableIn(json: string): string | undefined {
  if (!json.includes('\\u')) return undefined
  if (NUL.test(json)) return 'text must not contain the NUL character'
  if (SURROGATE.test(json) && SURROGATE.test(json.replace(PAIR, '$1')))
    return 'text must not contain half a character (a surrogate without its other half)'
  return undefined
}

/**
 * Free-form JSON that is nested deeper means nothing, and is more than the serializer and the database can
 * take.
 */
const DEPTH_MAX = 100

/** What parsed JSON has that cannot be written again; undefined when nothing is. */
export function unwritableIn(json: unknown): string | undefined {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return `must not be nested more than ${DEPTH_MAX} levels deep`
    if (level.some((value) => typeof value === 'number' && !Number.isFinite(value)))
      return 'must not contain a number beyond 1.8e308'
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return undefined
}

/** What is wrong with free-form JSON that a record shall keep: lists give out many of them at once. */
export function freeFormFault(json: unknown): string | undefined {
  const fault = unwritableIn(json)
  if (fault !== undefined) return fault
  const bytes = Buffer.byteLength(JSON.stringify(json))
  return bytes > FREE_FORM_BYTES_MAX
    ? `must not take more than ${FREE_FORM_BYTES_MAX} bytes as JSON`
    : undefined
}
