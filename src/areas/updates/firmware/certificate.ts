import { createVerify, X509Certificate } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { unprocessable } from '../../../kernel/errors.ts'

export interface CertificateSignature {
  /** PEM. */
  readonly signing_certificate: string | null
  /** RSA or ECDSA with SHA-256 over the file, base64. */
  readonly certificate_signature: string | null
}

const refused = (field: keyof CertificateSignature, reason: string) =>
  unprocessable('FIRMWARE_SIGNATURE_INVALID', reason, { field })

function keyOf(pem: string) {
  try {
    return new X509Certificate(pem).publicKey
  } catch {
    throw refused('signing_certificate', 'the signing certificate cannot be read')
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
    throw refused('certificate_signature', 'the signing certificate and its signature belong together')
  const key = keyOf(pem)
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec')
    throw refused('signing_certificate', 'the key of the signing certificate is neither RSA nor ECDSA')
  const verifier = createVerify('sha256')
  await pipeline(createReadStream(path), verifier)
  if (!verifier.verify(key, Buffer.from(signature, 'base64')))
    throw refused('certificate_signature', 'the signature is of another file, or of another certificate')
}
