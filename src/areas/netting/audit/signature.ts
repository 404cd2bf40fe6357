import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

/**
 * Signs the manifest of a package with Ed25519, so that a reader can verify that this installation made it.
 *
 * The private key is derived from SECRET_KEY: it is not stored, it is the same in all processes, and a restored
 * installation keeps it. A new SECRET_KEY means a new signing key; packages made before it are verified with the
 * public key of their time.
 */
export interface PackageSigner {
  readonly keyId: string
  /** SubjectPublicKeyInfo in PEM, as OpenSSL reads it. */
  readonly publicKeyPem: string
  /** Returns the 64 bytes of the signature. */
  sign(bytes: Buffer): Buffer
}

export const SIGNATURE_ALGORITHM = 'ed25519' as const

const KEY_BYTES = 32
/** PKCS #8 of an Ed25519 private key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function makePackageSigner(secretKey: string): PackageSigner {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'netsaat audit package signature', KEY_BYTES))
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  return {
    keyId: keyIdOf(publicKey),
    publicKeyPem: String(publicKey.export({ format: 'pem', type: 'spki' })),
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}

/** Returns the first 16 hexadecimal digits of the SHA-256 of the key in DER. */
const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)

export interface VerifyingKey {
  readonly keyId: string
  verify(bytes: Buffer, signature: Buffer): boolean
}

/** Reads an Ed25519 public key in PEM; undefined for any other text. */
export function readVerifyingKey(pem: Buffer): VerifyingKey | undefined {
  try {
    const publicKey = createPublicKey({ key: pem, format: 'pem' })
    if (publicKey.asymmetricKeyType !== SIGNATURE_ALGORITHM) return undefined
    return {
      keyId: keyIdOf(publicKey),
      verify: (bytes, signature) => verify(null, bytes, publicKey, signature),
    }
  } catch {
    return undefined
  }
}
