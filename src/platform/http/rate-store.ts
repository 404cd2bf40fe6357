import { makeLru } from '../async/lru.ts'

/**
 * Rate limits: the counters behind `limitRates` (rate-limit.ts) and the handshakes of sockets.
 *
 * Three kinds of limits:
 * - window: at most `limit` attempts in any `windowMs`, for attempts that guess secrets. It is a sliding log
 *   of instants, so two adjacent windows cannot be filled back to back, at the cost of one number per counted
 *   attempt.
 * - bucket: a token bucket, `perSecond` on average and `burst` at once, for ordinary traffic; two numbers per
 *   key.
 * - in flight: at most `limit` at the same time, for requests that are expensive while they run.
 *
 * Two stores with the same behaviour:
 * - memory: one process. The number of keys is bounded; the least recently used one is forgotten, so an
 *   attacker with many addresses can evict counters but not exhaust memory.
 * - Redis (rate-redis.ts): all processes. Each operation is one Lua script and so atomic. While Redis does
 *   not respond, each process counts in memory: limits are then per process, and requests are not refused
 *   because of it.
 *
 * A refused attempt is not counted, so waiting as long as Retry-After says always helps.
 */

/** At most `limit` in any `windowMs`. */
export interface Window {
  readonly limit: number
  readonly windowMs: number
}

/** `perSecond` on average, `burst` at once. */
export interface Bucket {
  readonly perSecond: number
  readonly burst: number
}

type MaybePromise<T> = T | Promise<T>

export interface RateStore {
  /** Counts an attempt. Returns the milliseconds to wait; 0 when the attempt is allowed. */
  window(key: string, rule: Window): MaybePromise<number>
  /** Returns the milliseconds that an attempt would have to wait, without counting it. */
  peek(key: string, rule: Window): MaybePromise<number>
  bucket(key: string, rule: Bucket): MaybePromise<number>
  /**
   * Begins one of at most `limit` concurrent operations. Returns the lease for `leave`, or undefined when
   * the limit is reached.
   */
  enter(key: string, limit: number): MaybePromise<string | undefined>
  leave(key: string, lease: string): MaybePromise<void>
  /** Forgets the attempts of a window. */
  forget(key: string): MaybePromise<void>
  close(): Promise<void>
}

export interface MemoryOptions {
  readonly now: () => number
  readonly keysMax: number
}

/** Makes a store in the memory of this process; `keysMax` bounds its size. */
export function makeMemoryRateStore({ now, keysMax }: MemoryOptions): RateStore {
  const windows = makeLru<number[]>(keysMax)
  const buckets = makeLru<{ tokens: number; at: number }>(keysMax)
  const inFlight = new Map<string, number>()
  /** Attempts of the future, from before the clock was set back, count as attempts of now. */
  const recentOf = (key: string, windowMs: number) => {
    const time = now()
    return (windows.peek(key) ?? []).filter((at) => at > time - windowMs).map((at) => Math.min(at, time))
  }
  const waitFor = (recent: readonly number[], { limit, windowMs }: Window) =>
    recent.length < limit ? 0 : Math.max(1, (recent[recent.length - limit] ?? now()) + windowMs - now())
  return {
    window(key, rule) {
      const recent = recentOf(key, rule.windowMs)
      const wait = waitFor(recent, rule)
      if (wait === 0) recent.push(now())
      windows.set(key, recent)
      return wait
    },
    peek: (key, rule) => waitFor(recentOf(key, rule.windowMs), rule),
    bucket(key, { perSecond, burst }) {
      const time = now()
      const last = buckets.peek(key) ?? { tokens: burst, at: time }
      const earned = (Math.max(0, time - last.at) / 1000) * perSecond
      const tokens = Math.min(burst, last.tokens + earned)
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: time })
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) / perSecond) * 1000))
    },
    enter(key, limit) {
      const count = inFlight.get(key) ?? 0
      if (count >= limit) return undefined
      inFlight.set(key, count + 1)
      return key
    },
    leave(key) {
      const count = (inFlight.get(key) ?? 1) - 1
      if (count > 0) inFlight.set(key, count)
      else inFlight.delete(key)
    },
    forget: (key) => void windows.delete(key),
    close: async () => {},
  }
}
