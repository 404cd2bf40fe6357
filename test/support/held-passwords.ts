import { deriveKeySync } from '../../src/platform/auth/derive.ts'
import { makePasswords, type Passwords } from '../../src/platform/auth/password.ts'

/** Hashing of passwords that a test can stop. */
export interface HeldPasswords {
  readonly passwords: Passwords
  /** Passwords whose hash was requested: running, waiting, refused or done. */
  requested(): number
  /** The passwords whose hash has started, in that order. */
  started(): readonly string[]
  /** From now on, hashes that start wait for `release`. */
  hold(): void
  /** Ends all held hashes, and holds no further ones. */
  release(): void
}

export function makeHeldPasswords(): HeldPasswords {
  const waiting: (() => void)[] = []
  const started: string[] = []
  let isHolding = false
  let requested = 0
  const passwords = makePasswords({
    iterations: 10,
    waitMaxMs: 600_000,
    async derive(derivation) {
      started.push(derivation.password)
      if (isHolding) await new Promise<void>((resolve) => waiting.push(resolve))
      return deriveKeySync(derivation)
    },
  })
  return {
    passwords: {
      hash(...input) {
        requested += 1
        return passwords.hash(...input)
      },
      verify(...input) {
        requested += 1
        return passwords.verify(...input)
      },
    },
    requested: () => requested,
    started: () => started,
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      for (const end of waiting.splice(0)) end()
    },
  }
}
