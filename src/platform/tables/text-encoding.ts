import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/**
 * The text of files that programs in Turkey write. The sequence of the rules matters, because windows-1254 gives a text
 * for almost any bytes:
 *
 * 1. A byte order mark states UTF-8 or UTF-16.
 * 2. Bytes that are valid UTF-8 are UTF-8: Turkish letters in windows-1254 are practically never.
 * 3. Other bytes are windows-1254 (ISO 8859-9 is a part of it), unless they contain control characters, as programs and
 *    pictures do, or a letter in UTF-8, as a damaged file in UTF-8 does.
 *
 * By rule 3, text in another encoding of 8 bits is read with wrong letters. windows-1252 differs only in six letters of
 * Icelandic, which are Ğ, İ, Ş, ğ, ı and ş here.
 */
const MARKS = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const

/** Bytes of control characters but tab and line ends, and those that windows-1254 leaves unassigned. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x81\x8d-\x90\x9d\x9e]/
/** Bytes of a letter in UTF-8 such as ı, ş, ğ and ü. In windows-1254 it is Ã, Ä or Å and no letter. */
const UTF8_LETTER = /[\xc3-\xc5][\x80-\xbf]/

/** The encoding that the first bytes state; undefined without a byte order mark. */
function markedEncoding(bytes: Buffer): (typeof MARKS)[number][0] | undefined {
  const start = bytes.toString('hex', 0, 3)
  return MARKS.find(([, mark]) => start.startsWith(mark))?.[0]
}

/** Decodes UTF-8, with or without a byte order mark; undefined for other bytes. */
export const decodeUtf8 = (bytes: Buffer): string | undefined => decodeAs('utf-8', bytes)

/** Decodes a text by the rules above; undefined for bytes that are none. */
export function decodeText(bytes: Buffer): string | undefined {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return decodeAs(marked, bytes)
  if (isUtf8(bytes)) return decodeUtf8(bytes)
  return decodeTurkish(bytes)
}

/** Decodes windows-1254; undefined for bytes that are hardly a text in it. */
export function decodeTurkish(bytes: Buffer): string | undefined {
  const ofBytes = bytes.toString('latin1')
  return CONTROLS.test(ofBytes) || UTF8_LETTER.test(ofBytes) ? undefined : decodeAs('windows-1254', bytes)
}

function decodeAs(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
