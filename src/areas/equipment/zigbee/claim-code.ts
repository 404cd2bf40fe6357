import { createHmac, randomInt } from 'node:crypto'
import { ZIGBEE_CODE_CHARACTERS } from './limits.ts'

/** Digits and letters without I, L, O and U, which are misread or make words (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4

/** `7K4M-Q2XD-90TV`: to be read out on the telephone. */
export function generateCode(): string {
  const characters = Array.from(
    { length: ZIGBEE_CODE_CHARACTERS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  )
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** As it is hashed: without dashes and blanks, in capitals, with the digits that are taken for letters. */
const normalizeCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0')

/** Keyed, because 60 bits could be tried out by whoever has the database alone. */
export const hashCode = (secretKey: string, code: string): Buffer =>
  createHmac('sha256', secretKey)
    .update(`zigbee claim ${normalizeCode(code)}`)
    .digest()

/** What a list shows of a code: its last group. */
export const codeEnding = (code: string): string => code.slice(-GROUP)
export const maskCode = (ending: string): string => `****-****-${ending}`
