import type { Message } from '../../kernel/messages.ts'
import { FREE_FORM_BYTES_MAX } from './limits.ts'
import { HTTP_TEXTS } from './messages.ts'

/** Matches an escape only when an even number of backslashes precedes it. */
const escapeOf = (code: string) => new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\u${code}`, 'i')
const NUL = escapeOf('0000')
const PAIR = /(?<!\\)((?:\\\\)*)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi
const SURROGATE = escapeOf('d[89a-f][0-9a-f]{2}')

/**
 * Returns a message about content of a JSON text that PostgreSQL cannot store, or undefined. Only escapes
 * are checked: an unescaped NUL is invalid JSON, and decoding UTF-8 never produces a lone surrogate.
 */
export function unstorableIn(json: string): Message | undefined {
  if (!json.includes('\\u')) return undefined
  if (NUL.test(json)) return HTTP_TEXTS.TEXT_HAS_NUL()
  if (SURROGATE.test(json) && SURROGATE.test(json.replace(PAIR, '$1')))
    return HTTP_TEXTS.TEXT_HAS_LONE_SURROGATE()
  return undefined
}

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
// The codes of `[` and `]` become those of `{` and `}` when this bit is set.
const CURLY_BIT = 0x20
const OPENING = '{'.charCodeAt(0)
const CLOSING = '}'.charCodeAt(0)

/** Returns the position of the quote that ends the string at `start`, or the end of the text. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}

/**
 * Returns whether more than `max` brackets of a JSON text are open at the same time. Deeply nested JSON overflows the
 * stack of every function that processes it, also below a key that no schema declares.
 */
export function isNestedDeeper(json: string, max: number): boolean {
  if (json.length <= max) return false
  let depth = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) index = endOfString(json, index)
    else if ((code | CURLY_BIT) === CLOSING) depth -= 1
    else if ((code | CURLY_BIT) === OPENING) {
      depth += 1
      if (depth > max) return true
    }
  }
  return false
}

/** Nesting depth of free-form JSON; deeper JSON exceeds what the serializer and the database can process. */
const DEPTH_MAX = 100

/** Returns a message about parsed JSON that cannot be serialized again, or undefined. */
export function unwritableIn(json: unknown): Message | undefined {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return HTTP_TEXTS.JSON_NESTED_TOO_DEEP({ max: DEPTH_MAX })
    if (level.some((value) => typeof value === 'number' && !Number.isFinite(value)))
      return HTTP_TEXTS.JSON_NUMBER_TOO_LARGE()
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return undefined
}

/**
 * Returns a message about free-form JSON that cannot be stored in a record, or undefined. Its size is
 * limited because lists return many records.
 */
export function freeFormFault(json: unknown): Message | undefined {
  const fault = unwritableIn(json)
  if (fault !== undefined) return fault
  const bytes = Buffer.byteLength(JSON.stringify(json))
  return bytes > FREE_FORM_BYTES_MAX ? HTTP_TEXTS.JSON_TOO_LONG({ max: FREE_FORM_BYTES_MAX }) : undefined
}
