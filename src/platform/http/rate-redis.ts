import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { IN_FLIGHT_LEASE_MS, REDIS_CALL_TIMEOUT_MS, REDIS_WARNING_EVERY_MS } from './limits.ts'
import type { RateStore } from './rate-store.ts'

/**
 * One Lua script per operation, so that reading and counting are atomic across processes. Times are those
 * of the service, in ms. Attempts of the future, from before the clock was set back, count as attempts of now.
 */
const WINDOW = `
local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
if count >= limit then
  local first = redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')
  return math.max(1, math.ceil(math.min(tonumber(first[2]), now) + window - now))
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return 0`

const LOOK = `
local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local recent = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. (now - window), '+inf', 'WITHSCORES')
local count = #recent / 2
if count < limit then return 0 end
return math.max(1, math.ceil(math.min(tonumber(recent[(count - limit + 1) * 2]), now) + window - now))`

const BUCKET = `
local now, rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local last = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(last[1]) or burst
local at = tonumber(last[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - at) / 1000 * rate)
local wait = 0
if tokens >= 1 then tokens = tokens - 1
else wait = math.max(1, math.ceil((1 - tokens) / rate * 1000)) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
return wait`

/** A lease expires, in case the process that took it has ended. */
const ENTER = `
local now, limit, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ttl)
if redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], ttl)
return 1`

export interface RedisOptions {
  readonly url: string
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** The store that counts while Redis does not respond; each process then limits by itself. */
  readonly fallback: RateStore
}

const PREFIX = 'netsaat:rate:'

/** Makes a store in Redis, which makes the limits apply across processes. */
export function makeRedisRateStore({ url, now, log, fallback }: RedisOptions): RateStore {
  const redis = new Redis(url, {
    commandTimeout: REDIS_CALL_TIMEOUT_MS,
    connectTimeout: REDIS_CALL_TIMEOUT_MS * 4,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  })
  const warn = warnSometimes(now, log)
  redis.on('error', warn)
  const run = async <T>(work: () => Promise<unknown>, fallBack: () => T | Promise<T>): Promise<T> => {
    try {
      return (await work()) as T
    } catch (error) {
      warn(error)
      return fallBack()
    }
  }
  const script = (lua: string, key: string, args: (string | number)[]) =>
    redis.eval(lua, 1, PREFIX + key, ...args)
  return {
    window: (key, rule) =>
      run<number>(
        () => script(WINDOW, key, [now(), rule.windowMs, rule.limit, randomUUID()]),
        () => fallback.window(key, rule),
      ),
    peek: (key, rule) =>
      run<number>(
        () => script(LOOK, key, [now(), rule.windowMs, rule.limit]),
        () => fallback.peek(key, rule),
      ),
    bucket: (key, rule) =>
      run<number>(
        () => script(BUCKET, key, [now(), rule.perSecond, rule.burst]),
        () => fallback.bucket(key, rule),
      ),
    enter: (key, limit) =>
      run<string | undefined>(
        async () => {
          const lease = randomUUID()
          const entered = await script(ENTER, key, [now(), limit, IN_FLIGHT_LEASE_MS, lease])
          return entered === 1 ? lease : undefined
        },
        () => fallback.enter(key, limit),
      ),
    async leave(key, lease) {
      // The lease of the fallback store is its key, that of Redis a random id.
      if (lease === key) return fallback.leave(key, lease)
      await run(
        () => redis.zrem(PREFIX + key, lease),
        () => undefined,
      )
    },
    forget: (key) =>
      run<void>(
        async () => void (await redis.del(PREFIX + key)),
        () => fallback.forget(key),
      ),
    async close() {
      redis.disconnect()
      await fallback.close()
    },
  }
}

function warnSometimes(now: () => number, log: Pick<FastifyBaseLogger, 'warn'>) {
  let last = Number.NEGATIVE_INFINITY
  return (error: unknown): void => {
    if (now() - last < REDIS_WARNING_EVERY_MS) return
    last = now()
    log.warn({ err: error }, 'Redis does not answer: rate limits are counted in this process alone')
  }
}
