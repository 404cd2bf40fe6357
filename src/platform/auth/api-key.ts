import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_BYTES } from './limits.ts'

/*
 * The text of an API key: `nst_`, 256 random bits as 43 digits to the base 62, and the CRC-32 of what precedes
 * as six such digits. The beginning distinguishes a key from a token of a login and lets secret scanners find
 * it; the checksum recognizes a text that is no key without a look-up. The text has no characters at which a
 * double click or a log parser splits it.
 */
const MARK = 'nst_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
/** Characters that lists show: 8 digits, which leave more than 200 secret bits. */
const PREFIX_LENGTH = MARK.length + 8
const PATTERN = /^nst_[0-9A-Za-z]{49}$/

function toBase62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let digit = 0; digit < length; digit += 1) {
    text = (DIGITS[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** Whether a bearer token is an API key and not a token of a login, whether or not it is valid. */
export const isApiKey = (token: string): boolean => token.startsWith(MARK)

/** Whether the text has the form of an API key and the right checksum. */
export const isWellFormedApiKey = (token: string): boolean =>
  PATTERN.test(token) && checksumOf(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH)

/**
 * The hash that is stored. One round of SHA-256 suffices, because nobody can try 2^256 random texts; slow
 * hashes protect secrets that people choose.
 */
export const hashApiKey = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Makes a new key. `prefix` is the part that may be stored and shown. */
export function makeApiKey(): { token: string; prefix: string; secretHash: Buffer } {
  const random = BigInt(`0x${randomBytes(API_KEY_BYTES).toString('hex')}`)
  const text = MARK + toBase62(random, RANDOM_LENGTH)
  const token = text + checksumOf(text)
  return { token, prefix: token.slice(0, PREFIX_LENGTH), secretHash: hashApiKey(token) }
}
