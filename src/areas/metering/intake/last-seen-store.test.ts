import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LAST_SEEN_EVERY_MS } from '../../../kernel/limits.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { makeClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCEPTED, type Part, SampleBlock } from './block.ts'
import { makeLastSeen } from './last-seen-store.ts'

const HOUR = Date.UTC(2026, 10, 20, 9)
const DEVICE = 7

let now = HOUR
/** The instants that were written, relative to the hour. */
const written: number[][] = []
const database = {
  pool: {
    async query(_text: string, [, , instants]: [number, number[], number[]]) {
      written.push(instants.map((at) => at - HOUR))
    },
  },
}

beforeEach(() => {
  now = HOUR
  written.length = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

const start = () =>
  makeLastSeen({
    database: database as unknown as Deps['database'],
    clock: makeClock(() => now),
    log: { warn: vi.fn() } as unknown as Deps['log'],
  })

/** A stored part with one sample of a device. */
function partAt(at: number): Part {
  const block = new SampleBlock(1, 1)
  block.add({ deviceId: 'device', at: HOUR + at, values: { voltage: 230 } }, DEVICE)
  block.status[0] = ACCEPTED
  return { block, from: 0, to: 1, size: 1 }
}

it('last_seen is written before the acknowledgement when samples arrive as they are measured', async () => {
  const lastSeen = start()
  for (const at of [0, LAST_SEEN_EVERY_MS, 2 * LAST_SEEN_EVERY_MS]) {
    now = HOUR + at
    await lastSeen.touch(partAt(at))
    expect(lastSeen.touch(partAt(at + 1))).toBeUndefined()
  }
  expect(written).toEqual([[0], [LAST_SEEN_EVERY_MS], [2 * LAST_SEEN_EVERY_MS]])
})

it('last_seen is written at once when an earlier sample was late', async () => {
  const lastSeen = start()
  now = HOUR + 900
  await lastSeen.touch(partAt(0))
  now = HOUR + LAST_SEEN_EVERY_MS + 100
  await lastSeen.touch(partAt(LAST_SEEN_EVERY_MS))
  expect(written).toEqual([[0], [LAST_SEEN_EVERY_MS]])
})

it('last_seen of samples that arrive faster than they were measured is written once for many of them', async () => {
  const lastSeen = start()
  await lastSeen.touch(partAt(0))
  for (let at = 60_000; at <= 600_000; at += 60_000) expect(lastSeen.touch(partAt(at))).toBeUndefined()
  expect(written).toEqual([[0]])
  await vi.advanceTimersByTimeAsync(LAST_SEEN_EVERY_MS)
  expect(written).toEqual([[0], [600_000]])
  await lastSeen.stop()
  expect(written).toHaveLength(2)
})

it('last_seen is written before the acknowledgement for the first sample of each hour', async () => {
  const lastSeen = start()
  await lastSeen.touch(partAt(0))
  expect(lastSeen.touch(partAt(60_000))).toBeUndefined()
  await lastSeen.touch(partAt(HOUR_MS))
  expect(written).toEqual([[0], [HOUR_MS]])
  await lastSeen.stop()
  expect(written).toHaveLength(2)
})

it('a stop writes what was collected', async () => {
  const lastSeen = start()
  await lastSeen.touch(partAt(0))
  expect(lastSeen.touch(partAt(60_000))).toBeUndefined()
  await lastSeen.stop()
  expect(written).toEqual([[0], [60_000]])
  await vi.advanceTimersByTimeAsync(LAST_SEEN_EVERY_MS)
  expect(written).toHaveLength(2)
})
