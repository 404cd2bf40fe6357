import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { Message } from '../../kernel/messages.ts'
import { AUTH_TEXTS } from './messages.ts'

/**
 * Encrypts secrets with AES-256-GCM and a key of the operator. A sealed text is useless without the key and
 * cannot be altered.
 */
export interface Sealer {
  /**
   * Eight hexadecimal digits that identify the key and disclose nothing else about it; every sealed text
   * contains them.
   */
  readonly keyId: string
  /** `context` names the record and the field; a sealed text can be opened only with the same context. */
  seal(text: string, context: string): string
  /**
   * Throws 503 encryption_misconfigured when the text was sealed with another key, for another context, or
   * altered.
   */
  open(sealed: string, context: string): string
}

const VERSION = 'v1'
/** Length of a key of a sealer, in bytes. */
export const SEALER_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_TEXT = /^[A-Za-z0-9+/_-]{43}=?$/

/** Whether a text is a key in the form of the setting: 32 bytes in base64, standard or URL-safe. */
export const isSealerKey = (text: string): boolean => KEY_TEXT.test(text)

/** Returns the id of the key that sealed a text; undefined when the text is not a sealed one. */
export const keyIdOf = (sealed: string): string | undefined =>
  /^v1\.([0-9a-f]{8})\.[A-Za-z0-9_-]+$/.exec(sealed)?.[1]

const cannotOpen = (reason: Message) =>
  new AppError(503, 'encryption_misconfigured', AUTH_TEXTS.CREDENTIAL_NOT_OPENED({ reason }))

/**
 * Makes the sealer of a key in the form of the setting: 32 bytes in base64. Throws 503
 * encryption_not_configured without a key and encryption_misconfigured for an invalid one.
 */
export function makeSealer(keyText: string | undefined): Sealer {
  if (keyText === undefined)
    throw new AppError(503, 'encryption_not_configured', AUTH_TEXTS.CREDENTIAL_KEY_MISSING())
  const key = isSealerKey(keyText) ? Buffer.from(keyText, 'base64') : Buffer.alloc(0)
  if (key.length !== SEALER_KEY_BYTES)
    throw new AppError(503, 'encryption_misconfigured', AUTH_TEXTS.CREDENTIAL_KEY_INVALID())
  const keyId = createHash('sha256').update('netsaat key id').update(key).digest('hex').slice(0, 8)

  return {
    keyId,
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`
    },
    open(sealed, context) {
      const sealedWith = keyIdOf(sealed)
      if (sealedWith === undefined) throw cannotOpen(AUTH_TEXTS.CREDENTIAL_DAMAGED())
      if (sealedWith !== keyId)
        throw cannotOpen(AUTH_TEXTS.CREDENTIAL_OTHER_KEY({ sealed_with: sealedWith, key_id: keyId }))
      const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf('.') + 1), 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw cannotOpen(AUTH_TEXTS.CREDENTIAL_DAMAGED())
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
        return Buffer.concat(opened).toString('utf8')
      } catch {
        throw cannotOpen(AUTH_TEXTS.CREDENTIAL_ALTERED())
      }
    },
  }
}
