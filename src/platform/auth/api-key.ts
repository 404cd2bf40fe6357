import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_BYTES } from './limits.ts'
import { SHORT_ID, shortIdOf, tenantOfShortId } from './short-id.ts'

/*
 * The text of an API key: `nst_`, the short id of the tenant and `_` (keys before ADR 0121 lack these), 256 random bits
 * as 43 digits to the base 62, and the CRC-32 of what precedes as six such digits. The beginning distinguishes a key
 * from a token of a login and lets secret scanners find it; the checksum recognizes a text that is no key without a
 * look-up. The text has no characters at which a double click or a log parser splits it.
 */
const MARK = 'nst_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
/** Random digits that lists show; they leave more than 200 secret bits. */
const SHOWN_LENGTH = 8
const PATTERN = new RegExp(`^${MARK}(?:(${SHORT_ID})_)?[0-9A-Za-z]{49}$`)

function toBase62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let digit = 0; digit < length; digit += 1) {
    text = (DIGITS[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}

/** Appends the checksum to the beginning of a key. */
export const withChecksum = (text: string): string => text + toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** Whether a bearer token is an API key and not a token of a login, whether or not it is valid. */
export const isApiKey = (token: string): boolean => token.startsWith(MARK)

/** Whether the text has the form of an API key and the right checksum. */
export const isWellFormedApiKey = (token: string): boolean =>
  PATTERN.test(token) && withChecksum(token.slice(0, -CHECKSUM_LENGTH)) === token

/** The tenant.id that a key names, true or not; undefined for one of before ADR 0121. */
export function tenantOfApiKey(token: string): number | undefined {
  const [, shortId] = PATTERN.exec(token) ?? []
  return shortId === undefined ? undefined : tenantOfShortId(shortId)
}

/**
 * The hash that is stored. One round of SHA-256 suffices, because nobody can try 2^256 random texts; slow
 * hashes protect secrets that people choose.
 */
export const hashApiKey = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Makes a new key of a tenant. `prefix` is the part that may be stored and shown. */
export function makeApiKey(tenantId: number): { token: string; prefix: string; secretHash: Buffer } {
  const random = BigInt(`0x${randomBytes(API_KEY_BYTES).toString('hex')}`)
  const beginning = `${MARK}${shortIdOf(tenantId)}_`
  const token = withChecksum(beginning + toBase62(random, RANDOM_LENGTH))
  const prefix = token.slice(0, beginning.length + SHOWN_LENGTH)
  return { token, prefix, secretHash: hashApiKey(token) }
}
