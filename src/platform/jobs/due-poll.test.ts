import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBus } from '../messaging/bus.ts'
import { makeLog } from '../observability/log.ts'
import { makeClock } from '../runtime/clock.ts'
import type { Deps } from '../runtime/deps.ts'
import { announceDueWork, type DuePoll, type PollResult, startDuePoll } from './due-poll.ts'
import { DUE_ANNOUNCE_MS, DUE_SWEEP_MS } from './limits.ts'

const INTERVAL_MS = 1_000
const IDLE: PollResult = { hasWork: false, nextDueAt: undefined }

let running: DuePoll | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 })
})
afterEach(async () => {
  await running?.stop()
  vi.useRealTimers()
})

const nodeReadsOf = (isDistributed: boolean) =>
  ({ isDistributed: () => isDistributed }) as unknown as Deps['nodeReads']

/** A poll that records when it was called, in milliseconds after the start. */
function start(isDistributed: boolean, results: readonly (PollResult | undefined)[] = []) {
  const bus = makeBus(makeLog('silent'))
  const deps = { bus, clock: makeClock(Date.now), nodeReads: nodeReadsOf(isDistributed) }
  const startedAt = Date.now()
  const calls: number[] = []
  const ahead: number[] = []
  running = startDuePoll({
    deps,
    kind: 'mails',
    intervalMs: INTERVAL_MS,
    async poll(aheadMs) {
      calls.push(Date.now() - startedAt)
      ahead.push(aheadMs)
      const index = calls.length - 1
      return index in results ? results[index] : IDLE
    },
  })
  return { bus, calls, ahead, poll: running }
}

describe('on one server', () => {
  it('polls at once and then in every interval, whatever was found, and looks no further ahead', async () => {
    const { calls, ahead } = start(false, [IDLE, { hasWork: true, nextDueAt: undefined }, undefined])
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS)
    expect(calls).toEqual([0, 1_000, 2_000, 3_000])
    expect(new Set(ahead)).toEqual(new Set([0]))
  })
})

describe('on a distributed database', () => {
  it('polls an idle database only once in each sweep', async () => {
    const { calls, ahead } = start(true)
    await vi.advanceTimersByTimeAsync(2 * DUE_SWEEP_MS)
    expect(calls).toEqual([0, DUE_SWEEP_MS, 2 * DUE_SWEEP_MS])
    expect(ahead[0]).toBe(DUE_SWEEP_MS)
  })

  it('polls again after an interval when the last poll found work or failed', async () => {
    const { calls } = start(true, [{ hasWork: true, nextDueAt: undefined }, undefined])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls).toEqual([0, 1_000, 2_000])
  })

  it('polls at the instant that the last poll found', async () => {
    const { calls } = start(true, [{ hasWork: false, nextDueAt: Date.now() + 5_000 }])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls).toEqual([0, 5_000])
  })

  it('sweeps in time when the instant is wrong by the clock, and never polls faster than the interval', async () => {
    const { calls } = start(true, [
      { hasWork: false, nextDueAt: Date.now() - 60_000 },
      { hasWork: false, nextDueAt: Date.now() + 86_400_000 },
    ])
    await vi.advanceTimersByTimeAsync(INTERVAL_MS + DUE_SWEEP_MS)
    expect(calls).toEqual([0, INTERVAL_MS, INTERVAL_MS + DUE_SWEEP_MS])
  })

  it('polls at once after a message about its kind, at most once in an interval', async () => {
    const { bus, calls } = start(true)
    await vi.advanceTimersByTimeAsync(4_000)
    bus.emit('due_work', { kind: 'charging' })
    await vi.advanceTimersByTimeAsync(100)
    for (let message = 0; message < 3; message++) bus.emit('due_work', { kind: 'mails' })
    await vi.advanceTimersByTimeAsync(200)
    for (let message = 0; message < 3; message++) bus.emit('due_work', { kind: 'mails' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toEqual([0, 4_100, 5_100])
  })

  it('polls again after a message that arrives while it polls', async () => {
    const bus = makeBus(makeLog('silent'))
    const deps = { bus, clock: makeClock(Date.now), nodeReads: nodeReadsOf(true) }
    let count = 0
    running = startDuePoll({
      deps,
      kind: 'mails',
      intervalMs: INTERVAL_MS,
      async poll() {
        count += 1
        await new Promise((resolve) => setTimeout(resolve, 500))
        return IDLE
      },
    })
    await vi.advanceTimersByTimeAsync(200)
    bus.emit('due_work', { kind: 'mails' })
    await vi.advanceTimersByTimeAsync(300 + INTERVAL_MS)
    expect(count).toBe(2)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(count).toBe(2)
  })

  it('does nothing any more after it was stopped', async () => {
    const { bus, calls, poll } = start(true)
    await poll.stop()
    bus.emit('due_work', { kind: 'mails' })
    await vi.advanceTimersByTimeAsync(2 * DUE_SWEEP_MS)
    expect(calls).toEqual([0])
  })
})

describe('announcements', () => {
  function announce(isDistributed: boolean) {
    const bus = makeBus(makeLog('silent'))
    let write = (): void => {}
    const database = {
      watchWrites(_tables: readonly string[], listener: () => void) {
        write = listener
        return () => {
          write = () => {}
        }
      },
    } as unknown as Deps['database']
    const deps = { bus, database, nodeReads: nodeReadsOf(isDistributed) }
    const end = announceDueWork(deps, [{ kind: 'mails', tables: ['mail'] }])
    const kinds: string[] = []
    bus.on('due_work', ({ kind }) => void kinds.push(kind))
    return { kinds, end, write: () => write() }
  }

  it('announces the commits of a short time together', async () => {
    const { kinds, write } = announce(true)
    write()
    write()
    await vi.advanceTimersByTimeAsync(DUE_ANNOUNCE_MS)
    expect(kinds).toEqual(['mails'])
    write()
    await vi.advanceTimersByTimeAsync(DUE_ANNOUNCE_MS)
    expect(kinds).toEqual(['mails', 'mails'])
  })

  it('announces nothing on one server, and nothing after its end', async () => {
    const one = announce(false)
    one.write()
    const ended = announce(true)
    ended.write()
    ended.end()
    await vi.advanceTimersByTimeAsync(DUE_ANNOUNCE_MS)
    expect([one.kinds, ended.kinds]).toEqual([[], []])
  })
})
