import { LRUCache } from 'lru-cache'

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

type Soon<T> = T | Promise<T>

/** Where calls are counted. A refused attempt is not counted, so that waiting as told always helps. */
export interface RateStore {
  /** Counts an attempt. Milliseconds to wait; 0 when it is allowed. */
  window(key: string, rule: Window): Soon<number>
  /** What an attempt would have to wait; counts none. */
  look(key: string, rule: Window): Soon<number>
  bucket(key: string, rule: Bucket): Soon<number>
  /** Begins one of at most `limit` things at a time; undefined when there is no room, else what `leave` takes. */
  enter(key: string, limit: number): Soon<string | undefined>
  leave(key: string, lease: string): Soon<void>
  close(): Promise<void>
}

export interface MemoryOptions {
  readonly now: () => number
  readonly keysMax: number
}

/** Counts in this process. Memory is bounded by the number of keys. */
export function makeMemoryRateStore({ now, keysMax }: MemoryOptions): RateStore {
  const windows = new LRUCache<string, number[]>({ max: keysMax })
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: keysMax })
  const inFlight = new Map<string, number>()
  const recentOf = (key: string, windowMs: number) =>
    (windows.peek(key) ?? []).filter((at) => at > now() - windowMs)
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
    look: (key, rule) => waitFor(recentOf(key, rule.windowMs), rule),
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
    close: async () => {},
  }
}
