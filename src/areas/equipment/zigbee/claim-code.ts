import { createHmac, randomInt } from 'node:crypto'
import { ZIGBEE_CODE_CHARACTERS } from './limits.ts'

/** Crockford's base 32: digits and letters without I, L, O and U, which are misread or form words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4

/** Format `7K4M-Q2XD-90TV`, easy to dictate. */
export function generateCode(): string {
  const characters = Array.from(
    { length: ZIGBEE_CODE_CHARACTERS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  )
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** Canonical form for hashing: upper case without separators; letters that look like digits become digits. */
const normalizeCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0')

/**
 * Keyed hash (HMAC), because 60 bits could be searched exhaustively by someone with a copy of the database.
 */
export const hashCode = (secretKey: string, code: string): Buffer =>
  createHmac('sha256', secretKey)
    .update(`zigbee claim ${normalizeCode(code)}`)
    .digest()

/** The last group of a code, which lists show. */
export const codeEnding = (code: string): string => code.slice(-GROUP)
export const maskCode = (ending: string): string => `****-****-${ending}`
