import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../kernel/limits.ts'
import type { Message } from '../../kernel/messages.ts'
import { makeFairLimit } from '../async/fair-limit.ts'
import type { Derivation } from './derive.ts'
import { type HashShare, SERVICE_SHARE } from './hash-shares.ts'
import { makeHashingThreads } from './hashing-threads.ts'
import {
  KEY_BYTES,
  PASSWORD_HASH_RETRY_AFTER_S,
  PASSWORD_HASH_WAIT_MAX_MS,
  PASSWORD_HASHES_AT_ONCE,
  PASSWORD_HASHES_WAITING_MAX,
  PASSWORD_HASHES_WAITING_PER_GROUP_MAX,
  PASSWORD_ITERATIONS,
} from './limits.ts'
import { AUTH_TEXTS } from './messages.ts'

/** Both reject with 429 when too many hashes wait under the share, or in total. */
export interface Passwords {
  /** `pbkdf2_sha256$iterations$salt$hash`, the form that Django and passlib know. */
  hash(password: string, share?: HashShare): Promise<string>
  /**
   * Resolves with false for undefined (no user has that address) and for an invalid hash, after the same
   * work.
   */
  verify(password: string, encoded: string | undefined, share?: HashShare): Promise<boolean>
}

export interface PasswordOptions {
  /** Tests use a small number. */
  readonly iterations?: number
  /** Milliseconds that a hash waits for its turn; tests that hold hashes back use a long time. */
  readonly waitMaxMs?: number
  /** Tests count the calls. */
  readonly derive?: (derivation: Derivation) => Promise<Buffer>
}

const ENCODED = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$]+)\$([A-Za-z0-9+/]{43}=)$/
const SALT_BYTES = 16

const refuse = () =>
  new AppError(429, 'RATE_LIMITED', AUTH_TEXTS.SIGN_IN_QUEUE_FULL(), {
    retryAfterS: PASSWORD_HASH_RETRY_AFTER_S,
  })

/**
 * Hashing and checking of passwords in threads of their own, never more than a few at once. The ones that wait
 * have fair shares, so that nobody can keep others from signing in.
 */
export function makePasswords({
  iterations = PASSWORD_ITERATIONS,
  waitMaxMs = PASSWORD_HASH_WAIT_MAX_MS,
  derive = makeHashingThreads(),
}: PasswordOptions = {}): Passwords {
  const limit = makeFairLimit({
    atOnce: PASSWORD_HASHES_AT_ONCE,
    waitingMax: PASSWORD_HASHES_WAITING_MAX,
    waitingPerGroupMax: PASSWORD_HASHES_WAITING_PER_GROUP_MAX,
    waitMaxMs,
    refuse,
  })
  const nobody = { iterations, salt: makeSalt(), expected: randomBytes(KEY_BYTES), isReal: false }

  function decode(encoded: string | undefined) {
    const [, count, salt, hash] = ENCODED.exec(encoded ?? '') ?? []
    if (count === undefined || salt === undefined || hash === undefined) return nobody
    return { iterations: Number(count), salt, expected: Buffer.from(hash, 'base64'), isReal: true }
  }

  return {
    async hash(password, share = SERVICE_SHARE) {
      const salt = makeSalt()
      const key = await limit.run(share, () => derive({ password, salt, iterations }))
      return `pbkdf2_sha256$${iterations}$${salt}$${key.toString('base64')}`
    },
    async verify(password, encoded, share = SERVICE_SHARE) {
      const { expected, isReal, ...rest } = decode(encoded)
      const key = await limit.run(share, () => derive({ password, ...rest }))
      return timingSafeEqual(key, expected) && isReal
    },
  }
}

const makeSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/** Returns what the characters of a new password lack (a letter of any script, a digit), or undefined. */
export function passwordContentFault(password: string): Message | undefined {
  if (!/\p{L}/u.test(password)) return AUTH_TEXTS.PASSWORD_WITHOUT_LETTER()
  return /\p{Nd}/u.test(password) ? undefined : AUTH_TEXTS.PASSWORD_WITHOUT_DIGIT()
}

/** Checks the whole policy, for inputs without a schema: 12 to 128 characters, counted as code points. */
export function passwordFault(password: string): Message | undefined {
  const { length } = [...password]
  if (length < PASSWORD_MIN_LENGTH) return AUTH_TEXTS.PASSWORD_TOO_SHORT({ min: PASSWORD_MIN_LENGTH })
  if (length > PASSWORD_MAX_LENGTH) return AUTH_TEXTS.PASSWORD_TOO_LONG({ max: PASSWORD_MAX_LENGTH })
  return passwordContentFault(password)
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns a random password that satisfies the policy, without letters that look alike; about 116 bits. */
export function generatePassword(): string {
  for (;;) {
    const bytes = [...randomBytes(64)].filter((byte) => byte < ALPHABET.length * 4)
    const text = bytes
      .slice(0, 20)
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
    if (text.length === 20 && passwordFault(text) === undefined) return text
  }
}
