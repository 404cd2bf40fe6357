import { createPublicKey, createVerify, verify, X509Certificate } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { FIRMWARE_TEXTS } from './messages.ts'

const SIGNATURE_BYTES = 64
const BASE64 = /^[A-Za-z0-9+/]{86}==$/

const refused = (reason: Message) =>
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
  if (publicKeys.length === 0) throw refused(FIRMWARE_TEXTS.SIGNATURE_NO_KEYS())
  const bytes = Buffer.from(signature, 'base64')
  if (!BASE64.test(signature) || bytes.length !== SIGNATURE_BYTES)
    throw refused(FIRMWARE_TEXTS.SIGNATURE_SYNTAX())
  const hash = Buffer.from(sha256, 'hex')
  if (!publicKeys.some((key) => verify(null, hash, publicKey(key), bytes)))
    throw refused(FIRMWARE_TEXTS.SIGNATURE_OF_OTHER_KEY())
}

/** Like checkSignature. When keys are configured, a released version must be signed. */
export function requireSignature(signed: Signed, publicKeys: readonly string[]): void {
  if (publicKeys.length > 0 && signed.signature === null) throw refused(FIRMWARE_TEXTS.SIGNATURE_NEEDED())
  checkSignature(signed, publicKeys)
}

export interface CertificateSignature {
  /** PEM. */
  readonly signing_certificate: string | null
  /** RSA or ECDSA with SHA-256 over the file, base64. */
  readonly certificate_signature: string | null
}

const refusedCertificate = (field: keyof CertificateSignature, reason: Message) =>
  unprocessable('FIRMWARE_SIGNATURE_INVALID', reason, { field })

function keyOf(pem: string) {
  try {
    return new X509Certificate(pem).publicKey
  } catch {
    throw refusedCertificate('signing_certificate', FIRMWARE_TEXTS.CERTIFICATE_NOT_READ())
  }
}

/**
 * Checks a file against the signature that charging stations will check, so that a wrong one is found before
 * the rollout. The station decides whether it trusts the certificate. Throws 422 FIRMWARE_SIGNATURE_INVALID.
 */
export async function checkCertificateSignature(
  path: string,
  certificateSignature: CertificateSignature,
): Promise<void> {
  const { signing_certificate: pem, certificate_signature: signature } = certificateSignature
  if (pem === null && signature === null) return
  if (pem === null || signature === null)
    throw refusedCertificate('certificate_signature', FIRMWARE_TEXTS.CERTIFICATE_AND_SIGNATURE())
  const key = keyOf(pem)
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec')
    throw refusedCertificate('signing_certificate', FIRMWARE_TEXTS.CERTIFICATE_KEY_KIND())
  const verifier = createVerify('sha256')
  await pipeline(createReadStream(path), verifier)
  if (!verifier.verify(key, Buffer.from(signature, 'base64')))
    throw refusedCertificate('certificate_signature', FIRMWARE_TEXTS.CERTIFICATE_SIGNATURE_OTHER())
}
