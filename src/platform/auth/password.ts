import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../kernel/limits.ts'
import { makeConcurrencyLimit } from '../async/concurrency-limit.ts'
import { PASSWORD_HASHES_AT_ONCE, PASSWORD_HASHES_WAITING_MAX, PASSWORD_ITERATIONS } from './limits.ts'

export interface Passwords {
  /** `pbkdf2_sha256$iterations$salt$hash`, the form that Django and passlib know. */
  hash(password: string): Promise<string>
  /**
   * Resolves with false for undefined (no user has that address) and for an invalid hash, after the same
   * work.
   */
  verify(password: string, encoded: string | undefined): Promise<boolean>
}

interface Derivation {
  readonly password: string
  readonly salt: string
  readonly iterations: number
}

export interface PasswordOptions {
  /** Tests use a small number. */
  readonly iterations?: number
  /** Tests count the calls. */
  readonly derive?: (derivation: Derivation) => Promise<Buffer>
}

const ENCODED = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$]+)\$([A-Za-z0-9+/]{43}=)$/
const KEY_BYTES = 32
const SALT_BYTES = 16

const pbkdf2Async = promisify(pbkdf2)
/** NFC normalization: depending on the keyboard, the same letter arrives composed or decomposed. */
const deriveKey = ({ password, salt, iterations }: Derivation) =>
  pbkdf2Async(password.normalize('NFC'), salt, iterations, KEY_BYTES, 'sha256')

const refuse = () => new AppError(429, 'RATE_LIMITED', 'too many sign-ins at the same time, try again soon')

/**
 * Hashing and checking of passwords in the thread pool, never more than a few at once, because the pool also
 * serves files and name lookups.
 */
export function makePasswords({
  iterations = PASSWORD_ITERATIONS,
  derive = deriveKey,
}: PasswordOptions = {}): Passwords {
  const turns = makeConcurrencyLimit({
    atOnce: PASSWORD_HASHES_AT_ONCE,
    waitingMax: PASSWORD_HASHES_WAITING_MAX,
    refuse,
  })
  const nobody = { iterations, salt: makeSalt(), expected: randomBytes(KEY_BYTES), isReal: false }

  function decode(encoded: string | undefined) {
    const [, count, salt, hash] = ENCODED.exec(encoded ?? '') ?? []
    if (count === undefined || salt === undefined || hash === undefined) return nobody
    return { iterations: Number(count), salt, expected: Buffer.from(hash, 'base64'), isReal: true }
  }

  return {
    async hash(password) {
      const salt = makeSalt()
      const key = await turns.run(() => derive({ password, salt, iterations }))
      return `pbkdf2_sha256$${iterations}$${salt}$${key.toString('base64')}`
    },
    async verify(password, encoded) {
      const { expected, isReal, ...rest } = decode(encoded)
      const key = await turns.run(() => derive({ password, ...rest }))
      return timingSafeEqual(key, expected) && isReal
    },
  }
}

const makeSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/** Returns what the characters of a new password lack (a letter of any script, a digit), or undefined. */
export function passwordContentFault(password: string): string | undefined {
  if (!/\p{L}/u.test(password)) return 'must contain a letter'
  return /\p{Nd}/u.test(password) ? undefined : 'must contain a digit'
}

/** Checks the whole policy, for inputs without a schema: 12 to 128 characters, counted as code points. */
export function passwordFault(password: string): string | undefined {
  const { length } = [...password]
  if (length < PASSWORD_MIN_LENGTH) return `must have at least ${PASSWORD_MIN_LENGTH} characters`
  if (length > PASSWORD_MAX_LENGTH) return `must have at most ${PASSWORD_MAX_LENGTH} characters`
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
