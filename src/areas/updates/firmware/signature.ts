import { createPublicKey, verify } from 'node:crypto'
import { unprocessable } from '../../../kernel/errors.ts'

const SIGNATURE_BYTES = 64
const BASE64 = /^[A-Za-z0-9+/]{86}==$/

const refused = (reason: string) =>
  unprocessable('FIRMWARE_SIGNATURE_INVALID', reason, { field: 'signature' })

interface Signed {
  /** Hexadecimal. */
  readonly sha256: string
  readonly signature: string | null
}

/** The prefix of an Ed25519 key in SPKI (RFC 8410); the 32 bytes of the key follow. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const publicKey = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  const key = bytes.length === 32 ? Buffer.concat([SPKI_HEAD, bytes]) : bytes
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

/**
 * Checks an Ed25519 signature over the 32 bytes of the file's SHA-256 with the keys of FIRMWARE_PUBLIC_KEYS.
 * The hash is signed because Ed25519 needs its message as a whole. Throws 422 FIRMWARE_SIGNATURE_INVALID,
 * also when there is no key.
 */
export function checkSignature({ sha256, signature }: Signed, publicKeys: readonly string[]): void {
  if (signature === null) return
  if (publicKeys.length === 0)
    throw refused('a signature cannot be checked: FIRMWARE_PUBLIC_KEYS names no key')
  const bytes = Buffer.from(signature, 'base64')
  if (!BASE64.test(signature) || bytes.length !== SIGNATURE_BYTES)
    throw refused('the signature is not 64 bytes in base64')
  const hash = Buffer.from(sha256, 'hex')
  if (!publicKeys.some((key) => verify(null, hash, publicKey(key), bytes)))
    throw refused('the signature is of none of the keys, or of another file')
}

/** As checkSignature; where there are keys, a released version must be signed. */
export function requireSignature(signed: Signed, publicKeys: readonly string[]): void {
  if (publicKeys.length > 0 && signed.signature === null)
    throw refused('FIRMWARE_PUBLIC_KEYS is set: only a signed version can be released')
  checkSignature(signed, publicKeys)
}
