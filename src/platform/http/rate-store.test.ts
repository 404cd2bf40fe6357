import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { makeRedisRateStore } from './rate-redis.ts'
import { makeMemoryRateStore, type RateStore } from './rate-store.ts'

let time = 0
const now = () => time
const warnings: unknown[] = []
const log = { warn: (...args: unknown[]) => void warnings.push(args) }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** A separate Redis where the machine has one; the same rules must hold in both stores. */
async function startRedis(): Promise<{ url: string; stop: () => Promise<void> } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-redis-'))
  const port = await freePort()
  const child = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const up = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.stdout?.on('data', (data: Buffer) => String(data).includes('Ready to accept') && resolve(true))
  })
  const stop = async () => {
    if (up) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  if (up) return { url: `redis://127.0.0.1:${port}`, stop }
  await stop()
  return undefined
}

const memory = () => makeMemoryRateStore({ now, keysMax: 100 })
const redis = await startRedis()
const makers: [string, () => RateStore][] = [['memory', memory]]
if (redis) {
  const { url } = redis
  makers.push(['redis', () => makeRedisRateStore({ url, now, log, fallback: memory() })])
}
afterAll(() => redis?.stop())

/** Calls before the connection is open are counted by the local fallback, which another store does not see. */
async function whenConnected(store: RateStore, make: () => RateStore): Promise<void> {
  const other = make()
  const rule = { limit: 1, windowMs: 60_000 }
  await waitFor(async () => {
    const key = randomUUID()
    await store.window(key, rule)
    return (await other.peek(key, rule)) > 0
  })
  await other.close()
}

describe.each(makers)('rate store in %s', (name, make) => {
  let store: RateStore
  beforeAll(async () => {
    store = make()
    time = 1_800_000_000_000
    if (name === 'redis') await whenConnected(store, make)
  })
  afterAll(() => store.close())

  it('requires a wait of at most one window when the clock is set back', async () => {
    const rule = { limit: 1, windowMs: 60_000 }
    expect(await store.window('set back', rule)).toBe(0)
    time -= 3 * 3_600_000
    expect(await store.window('set back', rule)).toBe(60_000)
    expect(await store.peek('set back', rule)).toBe(60_000)
    time += 3 * 3_600_000
  })

  it('allows at most n in any rolling minute, and does not count a rejected one', async () => {
    const rule = { limit: 5, windowMs: 60_000 }
    for (let i = 0; i < 5; i += 1) {
      expect(await store.window('a', rule)).toBe(0)
      time += 1_000
    }
    expect(await store.peek('a', rule)).toBe(55_000)
    expect(await store.window('a', rule)).toBe(55_000)
    time += 54_999
    expect(await store.peek('a', rule)).toBe(1)
    expect(await store.window('a', rule)).toBe(1)
    time += 1
    for (let i = 0; i < 3; i += 1) expect(await store.peek('a', rule)).toBe(0)
    expect(await store.window('a', rule)).toBe(0)
    expect(await store.window('a', rule)).toBe(1_000)
    expect(await store.window('b', rule)).toBe(0)
    await store.forget('a')
    expect(await store.window('a', rule)).toBe(0)
  })

  it('allows a burst, then refills at the rate', async () => {
    const rule = { perSecond: 30, burst: 50 }
    for (let i = 0; i < 50; i += 1) expect(await store.bucket('a', rule)).toBe(0)
    expect(await store.bucket('a', rule)).toBe(34)
    time += 1_000
    for (let i = 0; i < 30; i += 1) expect(await store.bucket('a', rule)).toBe(0)
    expect(await store.bucket('a', rule)).toBeGreaterThan(0)
    time += 3_600_000
    for (let i = 0; i < 50; i += 1) expect(await store.bucket('a', rule)).toBe(0)
    expect(await store.bucket('a', rule)).toBeGreaterThan(0)
  })

  it('allows at most n concurrent ones', async () => {
    const leases = await Promise.all([1, 2, 3].map(() => store.enter('c', 3)))
    expect(leases.every(Boolean)).toBe(true)
    expect(await store.enter('c', 3)).toBeUndefined()
    await store.leave('c', leases[0] ?? '')
    expect(await store.enter('c', 3)).toBeDefined()
  })
})

describe('rate store', () => {
  it('drops the least recently seen key instead of growing', async () => {
    const store = makeMemoryRateStore({ now, keysMax: 2 })
    const rule = { limit: 1, windowMs: 60_000 }
    expect(await store.window('a', rule)).toBe(0)
    expect(await store.window('b', rule)).toBe(0)
    expect(await store.window('c', rule)).toBe(0)
    expect(await store.window('a', rule)).toBe(0)
    expect(await store.window('c', rule)).toBeGreaterThan(0)
  })

  it('counts locally, and warns once, while Redis is unreachable', async () => {
    warnings.length = 0
    const url = `redis://127.0.0.1:${await freePort()}`
    const store = makeRedisRateStore({ url, now, log, fallback: memory() })
    const rule = { limit: 1, windowMs: 60_000 }
    expect(await store.window('x', rule)).toBe(0)
    expect(await store.window('x', rule)).toBeGreaterThan(0)
    expect(warnings).toHaveLength(1)
    await store.close()
  })
})

it('an attempt counts for at most one window when the clock is set back', async () => {
  const rule = { limit: 1, windowMs: 60_000 }
  const store = makeMemoryRateStore({ now, keysMax: 10 })
  time = 10 * 3_600_000
  expect(await store.window('guess', rule)).toBe(0)
  time -= 3 * 3_600_000
  expect(await store.window('guess', rule)).toBe(60_000)
  time += 60_000
  expect(await store.window('guess', rule)).toBe(0)
})
