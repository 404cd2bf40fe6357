/*
 * Lockout of clients that guess passwords.
 *
 * Failures are counted by account and address together, by address, and by account. The first counter locks
 * out a guesser without locking out the owner, who has another address. The second stops a client that tries
 * one password with many accounts, the third one that guesses from many addresses.
 *
 * The third counter alone would let a guesser with many addresses lock out the owner. So it does not hold for
 * a known client: one that signed in to the account from this address before, or set its password by a link
 * that was mailed to the owner. The link also ends the lockout of its account and address.
 *
 * An account is named by the e-mail address of the request, registered or not, so that a lockout discloses
 * nothing. All counters are those of the rate limits: of all processes with Redis, else of this process.
 */
import { AppError } from '../../../kernel/errors.ts'
import type { RateStore, Window } from '../../../platform/http/rate-store.ts'
import { LOGIN_FAILURES_FACTOR, LOGIN_FAILURES_WINDOW_MS, LOGIN_KNOWN_MS } from '../limits.ts'
import { ACCESS_TEXTS } from '../messages.ts'

/** An account and the address key from which someone tries to sign in to it. */
export interface LoginAttempt {
  /** Normalized. */
  readonly email: string
  readonly address: string
}

export interface Lockout {
  /** Throws 429 with the time to wait for a client that is locked out. */
  check(attempt: LoginAttempt): Promise<{ readonly isKnown: boolean }>
  failed(attempt: LoginAttempt): Promise<void>
  /** The owner has proven the identity, by the password or by a mailed link. */
  succeeded(attempt: LoginAttempt): Promise<void>
  /** Ends the lockout of the account at this address. */
  lift(attempt: LoginAttempt): Promise<void>
  /** The same for a signed-in user who states the current password wrongly. */
  checkUser(userId: string): Promise<void>
  userFailed(userId: string): Promise<void>
  /** Counts an attempt to enter a one-time password; throws 429 for a user who entered too many wrong ones. */
  countCode(userId: string): Promise<void>
  codeAccepted(userId: string): Promise<void>
}

interface LockoutOptions {
  readonly rates: RateStore
  /** RATE_LIMIT_LOGIN_FAILURES; 0 disables the lockout. */
  readonly failures: number
}

const KNOWN: Window = { limit: 1, windowMs: LOGIN_KNOWN_MS }

const lockedOut = (waitMs: number, text = ACCESS_TEXTS.LOGIN_LOCKED()) =>
  new AppError(429, 'RATE_LIMITED', text, { retryAfterS: Math.ceil(waitMs / 1000) })

export function makeLockout({ rates, failures }: LockoutOptions): Lockout {
  const atMost = (limit: number): Window => ({ limit, windowMs: LOGIN_FAILURES_WINDOW_MS })
  const [few, many] = [atMost(failures), atMost(failures * LOGIN_FAILURES_FACTOR)]
  const isOff = failures === 0
  const keyOf = ({ email, address }: LoginAttempt) => `${address} ${email}`
  const ownKey = (attempt: LoginAttempt) => `login-failures:${keyOf(attempt)}`
  const knownKey = (attempt: LoginAttempt) => `login-known:${keyOf(attempt)}`
  const addressCounter = ({ address }: LoginAttempt) => `login-address:${address}`
  const accountCounter = ({ email }: LoginAttempt) => `login-account:${email}`
  const codeKey = (userId: string) => `code-failures:${userId}`
  const userKey = (userId: string) => `password-failures:${userId}`

  return {
    async check(attempt) {
      const isKnown = (await rates.peek(knownKey(attempt), KNOWN)) > 0
      if (isOff) return { isKnown }
      const waits = await Promise.all([
        rates.peek(ownKey(attempt), few),
        ...(isKnown
          ? []
          : [rates.peek(addressCounter(attempt), many), rates.peek(accountCounter(attempt), many)]),
      ])
      const waitMs = Math.max(...waits)
      if (waitMs > 0) throw lockedOut(waitMs)
      return { isKnown }
    },
    async failed(attempt) {
      if (isOff) return
      await Promise.all([
        rates.window(ownKey(attempt), few),
        rates.window(addressCounter(attempt), many),
        rates.window(accountCounter(attempt), many),
      ])
    },
    async succeeded(attempt) {
      await rates.window(knownKey(attempt), KNOWN)
    },
    async lift(attempt) {
      await rates.forget(ownKey(attempt))
    },
    async checkUser(userId) {
      const waitMs = isOff ? 0 : await rates.peek(userKey(userId), few)
      if (waitMs > 0) throw lockedOut(waitMs)
    },
    async userFailed(userId) {
      if (!isOff) await rates.window(userKey(userId), few)
    },
    // Counted before the code is compared: concurrent guesses cannot exceed the limit.
    async countCode(userId) {
      const waitMs = isOff ? 0 : await rates.window(codeKey(userId), few)
      if (waitMs > 0) throw lockedOut(waitMs, ACCESS_TEXTS.TOTP_LOCKED())
    },
    async codeAccepted(userId) {
      await rates.forget(codeKey(userId))
    },
  }
}
