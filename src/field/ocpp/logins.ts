import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { addressKey } from '../../platform/http/networks.ts'
import type { RateStore } from '../../platform/http/rate-store.ts'
import type { Clock } from '../../platform/runtime/clock.ts'
import type { Config } from '../../platform/settings/config.ts'
import {
  OCPP_FAILURES_FACTOR,
  OCPP_FAILURES_WINDOW_MS,
  OCPP_HANDSHAKE_BURST_S,
  OCPP_HANDSHAKE_CONCURRENCY,
  OCPP_LOGINS_REMEMBERED_MAX,
  OCPP_LOGINS_REMEMBERED_MS,
} from './limits.ts'

/** The client of a handshake: the cpid of the path and its address. */
export interface Caller {
  readonly cpid: string
  readonly address: string
}

export interface LoginAttempts {
  /**
   * Milliseconds to wait; 0 allows the attempt. Unknown cpids are counted like known ones, so that it
   * discloses nothing.
   */
  wait(caller: Caller): Promise<number>
  /**
   * Runs the check of a login, OCPP_HANDSHAKE_CONCURRENCY per caller at a time; undefined when there are
   * more.
   */
  check<T>(caller: Caller, work: () => Promise<T>): Promise<T> | undefined
  failed(caller: Caller): Promise<void>
  succeeded(caller: Caller): void
}

interface LoginAttemptsOptions {
  readonly rates: RateStore
  readonly limits: Config['rateLimits']
  readonly clock: Clock
}

/**
 * Counts handshakes by address, and wrong logins by cpid and address together, by address, and by cpid. The
 * first of these locks out a guesser without locking out the station, which has another address. The other
 * two lock-outs do not hold for a caller that logged in with the right password from the same address within
 * the last day.
 */
export function makeLoginAttempts({ rates, limits, clock }: LoginAttemptsOptions): LoginAttempts {
  const { ocppPerSecond: perSecond, ocppFailures } = limits
  const knownGood = makeLoginSet(clock)
  const inProgress = new Map<string, number>()
  const keyOf = ({ cpid, address }: Caller) => `${addressKey(address)} ${cpid}`
  const failures = (factor: number) => ({ limit: ocppFailures * factor, windowMs: OCPP_FAILURES_WINDOW_MS })
  const counted = (caller: Caller) =>
    [
      [`ocpp-login:${keyOf(caller)}`, failures(1)],
      [`ocpp-address:${addressKey(caller.address)}`, failures(OCPP_FAILURES_FACTOR)],
      [`ocpp-cpid:${caller.cpid}`, failures(OCPP_FAILURES_FACTOR)],
    ] as const

  async function lockOutMs(caller: Caller): Promise<number> {
    if (ocppFailures === 0) return 0
    const [own, ...shared] = counted(caller)
    const waits = await Promise.all(
      (knownGood.has(keyOf(caller)) ? [own] : [own, ...shared]).map(([key, rule]) => rates.peek(key, rule)),
    )
    return Math.max(...waits)
  }

  return {
    async wait(caller) {
      if (perSecond > 0) {
        const bucket = { perSecond, burst: perSecond * OCPP_HANDSHAKE_BURST_S }
        const ms = await rates.bucket(`ocpp:${addressKey(caller.address)}`, bucket)
        if (ms > 0) return ms
      }
      return lockOutMs(caller)
    },
    check(caller, work) {
      const key = keyOf(caller)
      const count = inProgress.get(key) ?? 0
      if (ocppFailures > 0 && count >= OCPP_HANDSHAKE_CONCURRENCY) return undefined
      inProgress.set(key, count + 1)
      return work().finally(() => {
        const remaining = (inProgress.get(key) ?? 1) - 1
        if (remaining > 0) inProgress.set(key, remaining)
        else inProgress.delete(key)
      })
    },
    async failed(caller) {
      knownGood.delete(keyOf(caller))
      if (ocppFailures === 0) return
      await Promise.all(counted(caller).map(([key, rule]) => rates.window(key, rule)))
    },
    succeeded: (caller) => void knownGood.set(keyOf(caller), true),
  }
}

/**
 * Keys of right logins, which expire OCPP_LOGINS_REMEMBERED_MS after they were added; at the maximum size the least
 * recently used one is evicted.
 */
const makeLoginSet = (clock: Clock) =>
  new LRUCache<string, true>({
    // With its option `max`, lru-cache would allocate memory for all keys at once.
    maxSize: OCPP_LOGINS_REMEMBERED_MAX,
    sizeCalculation: () => 1,
    ttl: OCPP_LOGINS_REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })

/**
 * Caches that a password matched a stored hash, so that it is stretched once and not at every reconnect. A
 * new stored hash is a new key, so a rotation takes effect at once. The cached keys are HMACs under a secret
 * of this process and useless outside.
 */
export function makeLoginCache(clock: Clock) {
  const known = makeLoginSet(clock)
  const secret = randomBytes(32)
  const keyOf = (storedHash: string, password: Buffer) =>
    createHmac('sha256', secret).update(`${storedHash}\n`).update(password).digest('base64')
  return {
    has: (storedHash: string | null, password: Buffer): boolean =>
      storedHash !== null && known.has(keyOf(storedHash, password)),
    add: (storedHash: string | null, password: Buffer): void =>
      void (storedHash !== null && known.set(keyOf(storedHash, password), true)),
  }
}
